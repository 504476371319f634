//! From translated files to what is written, shown and reported.

use std::path::{Path, PathBuf};

use anyhow::Result;

use super::Done;
use super::inputs;
use super::translate::Translated;
use crate::cli::{Exit, PortArgs};
use crate::commands::Streams;
use crate::config::{Mode, Settings, Write, display_path};
use crate::diagnostic::{Code, Finding, Severity};
use crate::emit::{self, Change, Content, EditLine, Emitted, OutputFile, Plan, Stamp};
use crate::mapping::Tables;
use crate::project::{Project, Source, Standing, paths};
use crate::report::{self, Closing, KeptPath, KeptRef, Report};
use crate::text::LineIndex;
use crate::walk::{Entry, EntryKind};

/// A file could not be copied or written.
pub const FILE_FAILED: Code = Code {
    id: "PRJ008",
    severity: Severity::Error,
    title: "file could not be read or written",
};

/// How many examples of each rule `--diff --by-rule` shows.
pub(super) const EXAMPLES: usize = 5;

/// Write, or show, and report.
///
/// # Errors
/// When the output can't be written at all.
pub fn write(
    args: &PortArgs,
    settings: &Settings,
    mut done: Done,
    streams: &mut Streams<'_>,
) -> Result<Exit> {
    let plan = plan(settings, &done);
    let report = report(args, settings, &mut done, &plan);
    match settings.write {
        Write::Diff { by_rule: true } => {
            let lines = edit_lines(&done);
            emit::by_rule(&lines, EXAMPLES, streams.out)?;
            Ok(exit(&report))
        }
        Write::Diff { by_rule: false } => {
            show_diff(&done, &plan, streams)?;
            Ok(exit(&report))
        }
        Write::Nothing => {
            let closing = Closing {
                dry_run: true,
                ..Closing::default()
            };
            conclude(settings, &report, &closing, streams)
        }
        Write::Files => {
            let (report, closing) = emit_plan(settings, &plan, &report)?;
            conclude(settings, &report, &closing, streams)
        }
    }
}

fn exit(report: &Report) -> Exit {
    if report.withdrawn > 0 || report.files.failed > 0 {
        Exit::Partial
    } else {
        Exit::Done
    }
}

fn conclude(
    settings: &Settings,
    report: &Report,
    closing: &Closing,
    streams: &mut Streams<'_>,
) -> Result<Exit> {
    let mut closing = closing.clone();
    if let Some(path) = &settings.report {
        emit::file(path, &report::json(report), true, None)?;
        closing.report = Some(path.display().to_string());
    }
    if !settings.quiet {
        report::human(report, &closing, streams.err)?;
    }
    Ok(exit(report))
}

fn emit_plan(settings: &Settings, plan: &Plan, report: &Report) -> Result<(Report, Closing)> {
    let said = settings.stamp();
    let with = |emitted: &Emitted| {
        let mut full = report.clone();
        for failed in &emitted.failed {
            let path = display_path(failed.source.as_ref().unwrap_or(&failed.path));
            full.findings.push(
                Finding::whole(FILE_FAILED, &path, format!("`{path}`: {}", failed.message)).help(
                    "see to it that the file can be read and the output written, then port again",
                ),
            );
            full.files.failed += 1;
        }
        full.findings.extend(emitted.findings.iter().cloned());
        full.sort();
        full
    };
    let bytes = |emitted: &Emitted| report::json(&with(emitted));
    let stamp = Stamp {
        tables: Tables::version(),
        settings: &said,
        report: Some(&bytes),
    };
    let emitted = match settings.mode {
        Mode::Layout { .. } => emit::beside(plan, &stamp, settings.force)?,
        Mode::InPlace { .. } => emit::in_place(plan, settings.force)?,
        _ => emit::tree(plan, &stamp)?,
    };
    let mut closing = Closing::default();
    if !matches!(settings.mode, Mode::InPlace { .. }) {
        closing.report = Some(plan.output.join(emit::REPORT).display().to_string());
        closing.manifest = Some(plan.output.join(emit::MANIFEST).display().to_string());
    }
    Ok((with(&emitted), closing))
}

/// What is to be written.
fn plan(settings: &Settings, done: &Done) -> Plan {
    let root = done.walk.root.clone();
    let output = match &settings.mode {
        Mode::Tree { output, .. } | Mode::Part { output, .. } => output.clone(),
        _ => root.clone(),
    };
    let mut files = Vec::new();
    for ((entry, source), translated) in done
        .walk
        .files
        .iter()
        .zip(&done.project.files)
        .zip(&done.translated)
    {
        let Some(path) = output_path(settings, entry, source) else {
            continue;
        };
        let content = match (&entry.kind, &translated.text) {
            (EntryKind::Link(target), _) => Content::Link(
                retarget(&done.project, source, target).unwrap_or_else(|| target.clone()),
            ),
            (EntryKind::File, Some(text)) => Content::Text(text.clone()),
            (EntryKind::File, None) => Content::Copy,
        };
        let untouched = content == Content::Copy && path == entry.path;
        let in_place = matches!(settings.mode, Mode::InPlace { .. });
        if in_place && untouched {
            continue;
        }
        files.push(OutputFile {
            source: Some(entry.path.clone()),
            path,
            content,
        });
    }
    Plan {
        input: root,
        output,
        files,
    }
}

/// Where a file goes, relative to the output; `None` for one that is not written.
fn output_path(settings: &Settings, entry: &Entry, source: &Source) -> Option<PathBuf> {
    if !is_written(settings, &entry.path) {
        return None;
    }
    let mut path = inputs::moved(&entry.path, settings).unwrap_or_else(|| entry.path.clone());
    if paths::file_name(&source.output) != paths::file_name(&source.path) {
        path.set_file_name(paths::file_name(&source.output));
    }
    match &settings.mode {
        Mode::Part { subdir, .. } => path.strip_prefix(subdir).ok().map(Path::to_owned),
        _ => Some(path),
    }
}

fn is_written(settings: &Settings, path: &Path) -> bool {
    match &settings.mode {
        Mode::Part { subdir, .. }
        | Mode::InPlace {
            subdir: Some(subdir),
            ..
        } => path.starts_with(subdir),
        Mode::Layout { pairs, .. } => pairs.iter().any(|pair| path.starts_with(&pair.from)),
        _ => true,
    }
}

/// A link follows the file that it leads to.
fn retarget(project: &Project, link: &Source, target: &Path) -> Option<PathBuf> {
    let written = target.to_str()?;
    let led = paths::join(paths::folder(&link.path), written)?;
    let file = project.files.iter().find(|file| file.path == led)?;
    (file.path != file.output)
        .then(|| PathBuf::from(paths::relative(paths::folder(&link.output), &file.output)))
}

fn report(args: &PortArgs, settings: &Settings, done: &mut Done, plan: &Plan) -> Report {
    let mut report = Report {
        input: display_path(&args.path),
        output: matches!(settings.write, Write::Files).then(|| as_typed(args, &plan.output)),
        ..Report::default()
    };
    report.findings.append(&mut done.findings);
    report.findings.append(&mut done.walk.findings);
    report.findings.append(&mut done.project.findings);
    report.files.seen = done.walk.files.len();
    for skipped in &done.walk.skipped {
        *report
            .files
            .skipped
            .entry(skipped.reason.as_str())
            .or_insert(0) += 1;
    }
    for file in &plan.files {
        if let Some(source) = &file.source {
            report
                .outputs
                .insert(display_path(source), display_path(&file.path));
        }
    }
    for ((entry, source), translated) in done
        .walk
        .files
        .iter()
        .zip(&done.project.files)
        .zip(&mut done.translated)
    {
        report.findings.append(&mut translated.findings);
        report.withdrawn += translated.withdrawn;
        report.files.failed += usize::from(translated.failed);
        if matches!(entry.kind, EntryKind::Link(_)) {
            report.files.links += 1;
        } else if translated.text.is_some() {
            report.files.ported += 1;
        } else {
            report.files.copied += 1;
        }
        report.files.renamed += usize::from(source.path != source.output);
        for edit in &translated.edits {
            report.references.count(edit.evidence);
        }
        if let Standing::Left(reason) = source.standing {
            report.kept_paths.push(KeptPath {
                path: source.path.clone(),
                reason: reason_word(reason),
            });
        }
        if let Some(text) = source
            .text
            .as_deref()
            .filter(|_| !translated.kept.is_empty())
        {
            let lines = LineIndex::new(text);
            let at = |kept| KeptRef::at(&source.path, text, &lines, kept);
            report.kept.extend(translated.kept.iter().map(at));
        }
    }
    report.sort();
    report.findings.dedup();
    report.kept.dedup();
    report
}

/// The output as the user named it, or by its place beside the input: a report must not tell
/// machines apart.
fn as_typed(args: &PortArgs, output: &Path) -> String {
    let name = output.file_name().map(Path::new);
    match (&args.output, name) {
        (Some(typed), _) => display_path(typed),
        (None, Some(name)) if args.in_place || !args.layout.is_empty() => display_path(name),
        (None, Some(name)) => display_path(&args.path.with_file_name(name)),
        (None, None) => String::new(),
    }
}

/// The word for a reason, as the report's `kept` uses it.
fn reason_word(reason: crate::diagnostic::KeptReason) -> String {
    serde_json::to_value(reason)
        .ok()
        .and_then(|value| value.as_str().map(str::to_owned))
        .unwrap_or_default()
}

fn show_diff(done: &Done, plan: &Plan, streams: &mut Streams<'_>) -> Result<()> {
    for file in &plan.files {
        let Some(source) = &file.source else { continue };
        let Some(entry) = done.walk.get(source) else {
            continue;
        };
        let (old, new, link);
        match &file.content {
            Content::Copy if *source == file.path => continue,
            Content::Copy => {
                old = std::fs::read(plan.input.join(source)).unwrap_or_default();
                new = old.clone();
                link = false;
            }
            Content::Text(text) => {
                old = std::fs::read(plan.input.join(source)).unwrap_or_default();
                new = text.clone();
                link = false;
            }
            Content::Link(target) => {
                let EntryKind::Link(before) = &entry.kind else {
                    continue;
                };
                if before == target && *source == file.path {
                    continue;
                }
                old = before.as_os_str().as_encoded_bytes().to_vec();
                new = target.as_os_str().as_encoded_bytes().to_vec();
                link = true;
            }
        }
        let change = Change {
            old_path: Some(source),
            new_path: &file.path,
            old: &old,
            new: &new,
            mode: entry.mode,
            link,
        };
        emit::diff(&change, streams.out)?;
    }
    Ok(())
}

/// The lines that edits change, one entry for each edit.
fn edit_lines(done: &Done) -> Vec<EditLine> {
    let mut lines = Vec::new();
    for (source, translated) in done.project.files.iter().zip(&done.translated) {
        if let (Some(text), Some(new)) = (source.text.as_deref(), translated.text.as_deref()) {
            lines.extend(lines_of(&source.path, translated, text, new));
        }
    }
    lines
}

/// The lines that the edits of the file `path` change, one entry for each edit.
pub(super) fn lines_of<'a>(
    path: &'a str,
    translated: &'a Translated,
    text: &'a [u8],
    new: &'a [u8],
) -> impl Iterator<Item = EditLine> + 'a {
    let old_lines = LineIndex::new(text);
    let new_lines = LineIndex::new(new);
    translated.edits.iter().map(move |edit| {
        let line = old_lines.position(text, edit.range.start).line;
        let there = translated.map.to_output(edit.range.start);
        let new_line = new_lines.position(new, there).line;
        EditLine {
            rule: edit.rule,
            evidence: edit.evidence,
            path: path.to_owned(),
            line,
            before: old_lines.line(text, line).to_vec(),
            after: new_lines.line(new, new_line).to_vec(),
        }
    })
}
