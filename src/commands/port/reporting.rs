//! From what was done to the report.

use std::path::Path;

use super::Done;
use crate::cli::PortArgs;
use crate::config::{Settings, Write, display_path};
use crate::diagnostic::KeptReason;
use crate::emit::Plan;
use crate::project::Standing;
use crate::report::{KeptPath, KeptRef, Report};
use crate::text::LineIndex;
use crate::walk::EntryKind;

/// The report of everything up to the writing; findings move over from `done`.
pub(super) fn report(args: &PortArgs, settings: &Settings, done: &mut Done, plan: &Plan) -> Report {
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
fn reason_word(reason: KeptReason) -> String {
    serde_json::to_value(reason)
        .ok()
        .and_then(|value| value.as_str().map(str::to_owned))
        .unwrap_or_default()
}
