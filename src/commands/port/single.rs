//! One file, or standard input.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::inputs;
use super::shown;
use super::translate::{Translated, translate};
use crate::classify::{Class, FileKind, classify};
use crate::cli::Exit;
use crate::commands::Streams;
use crate::config::{Mode, Settings, Sink, Write, display_path};
use crate::emit::{self, Change};
use crate::project::{Carry, Input, Lore, Options, Policy, Project};
use crate::report::{self, KeptRef, Report};
use crate::rules::RuleSettings;
use crate::text::LineIndex;

/// A file with the project that it was translated in.
struct One {
    name: String,
    old: Vec<u8>,
    translated: Translated,
}

/// Translate one file.
///
/// # Errors
/// When it can't be read or written.
pub fn run(
    settings: &Settings,
    lore: Lore<'_>,
    rules: &RuleSettings,
    streams: &mut Streams<'_>,
) -> Result<Exit> {
    let (path, root, sink) = match &settings.mode {
        Mode::File {
            input,
            root,
            output,
        } => (Some(input.clone()), root, output),
        Mode::Stdin { path, root, output } => (path.clone(), root, output),
        _ => return Ok(Exit::Refused),
    };
    let stdin = matches!(settings.mode, Mode::Stdin { .. });
    let text = if stdin {
        let mut text = Vec::new();
        streams
            .input
            .read_to_end(&mut text)
            .context("can't read standard input")?;
        text
    } else {
        let path = path.as_deref().unwrap_or(Path::new(""));
        fs::read(path).with_context(|| format!("can't read {}", path.display()))?
    };
    let one = match root {
        Some(root) => in_tree(settings, root, path.as_deref(), text, lore, rules)?,
        None => alone(path.as_deref(), text, lore, rules),
    };
    finish(settings, sink, &one, streams)
}

/// A file by itself: includes of the project keep their names.
fn alone(path: Option<&Path>, text: Vec<u8>, lore: Lore<'_>, rules: &RuleSettings) -> One {
    let unnamed = Path::new("stdin.cu");
    let path = path.unwrap_or(unnamed);
    let name = path
        .file_name()
        .map_or_else(|| display_path(path), |name| display_path(Path::new(name)));
    let input = Input {
        class: as_source(classify(path, &text, &lore.knowledge.files)),
        path: name.clone(),
        text: Some(text.clone()),
        selected: true,
        moved: None,
    };
    let options = Options {
        rename: Policy::Never,
        include_roots: Vec::new(),
        carried: Carry::Port,
    };
    let project = Project::new(vec![input], &options, lore);
    let translated = translate(&project, 0, lore, rules);
    One {
        name,
        old: text,
        translated,
    }
}

/// A file of a tree: includes follow the tree's renames.
fn in_tree(
    settings: &Settings,
    root: &Path,
    path: Option<&Path>,
    text: Vec<u8>,
    lore: Lore<'_>,
    rules: &RuleSettings,
) -> Result<One> {
    let absolute = root.canonicalize().unwrap_or_else(|_| root.to_owned());
    let wanted = path.map(|path| {
        let whole = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let inside = whole
            .strip_prefix(&absolute)
            .or_else(|_| path.strip_prefix(root))
            .map(Path::to_owned);
        display_path(&inside.unwrap_or_else(|_| path.to_owned()))
    });
    let instead = wanted.as_deref().map(|name| (name, text.as_slice()));
    let project = inputs::gather(settings, root, lore, instead)?.project;
    let index = project
        .files
        .iter()
        .position(|file| Some(&file.path) == wanted.as_ref());
    let Some(index) = index else {
        return Ok(alone(path, text, lore, rules));
    };
    let translated = translate(&project, index, lore, rules);
    Ok(One {
        name: wanted.unwrap_or_default(),
        old: text,
        translated,
    })
}

/// A single file that was asked for is source, whatever its name.
fn as_source(class: Class) -> Class {
    if class.kind.is_cpp() || class.kind == FileKind::Musa {
        class
    } else {
        Class {
            kind: FileKind::Cpp,
            ..class
        }
    }
}

fn finish(settings: &Settings, sink: &Sink, one: &One, streams: &mut Streams<'_>) -> Result<Exit> {
    let translated = &one.translated;
    let new = translated.text.as_deref().unwrap_or(&one.old);
    let report = report(sink, one);
    match settings.write {
        Write::Diff { by_rule } => diff(one, sink, new, by_rule, streams)?,
        Write::Nothing => {}
        Write::Files => match sink {
            Sink::Stdout => streams.out.write_all(new)?,
            Sink::File(path) => {
                let mode = match &settings.mode {
                    Mode::File { input, .. } => mode_of(input),
                    _ => None,
                };
                emit::file(path, new, false, mode)?;
            }
        },
    }
    if let Some(path) = &settings.report {
        emit::file(path, &report::json(&report), true, None)?;
    }
    if !settings.quiet {
        report::concise(&report.findings, streams.err)?;
    }
    let partial = translated.failed || translated.withdrawn > 0;
    Ok(if partial { Exit::Partial } else { Exit::Done })
}

fn mode_of(path: &Path) -> Option<u32> {
    use std::os::unix::fs::PermissionsExt;
    fs::metadata(path)
        .ok()
        .map(|found| found.permissions().mode() & 0o7777)
}

fn report(sink: &Sink, one: &One) -> Report {
    let translated = &one.translated;
    let lines = LineIndex::new(&one.old);
    let mut report = Report {
        input: one.name.clone(),
        output: match sink {
            Sink::File(path) => Some(path.display().to_string()),
            Sink::Stdout => None,
        },
        findings: translated.findings.clone(),
        withdrawn: translated.withdrawn,
        ..Report::default()
    };
    report.files.seen = 1;
    report.files.ported = usize::from(translated.text.is_some());
    report.files.copied = 1 - report.files.ported;
    report.files.failed = usize::from(translated.failed);
    if let Sink::File(path) = sink {
        let name = path.file_name().map_or_else(PathBuf::new, PathBuf::from);
        report.outputs.insert(one.name.clone(), display_path(&name));
    }
    for edit in &translated.edits {
        report.references.count(edit.evidence);
    }
    report.kept = translated
        .kept
        .iter()
        .map(|kept| KeptRef::at(&one.name, &one.old, &lines, kept))
        .collect();
    report.sort();
    report
}

fn diff(
    one: &One,
    sink: &Sink,
    new: &[u8],
    by_rule: bool,
    streams: &mut Streams<'_>,
) -> Result<()> {
    if by_rule {
        let lines: Vec<_> = shown::lines_of(&one.name, &one.translated, &one.old, new).collect();
        emit::by_rule(&lines, shown::EXAMPLES, streams.out)?;
        return Ok(());
    }
    let name = PathBuf::from(&one.name);
    let renamed = match sink {
        Sink::File(path) => path
            .file_name()
            .map_or_else(|| name.clone(), |file| name.with_file_name(file)),
        Sink::Stdout => name.clone(),
    };
    let change = Change {
        old_path: Some(&name),
        new_path: &renamed,
        old: &one.old,
        new,
        mode: 0o644,
        link: false,
    };
    emit::diff(&change, streams.out)?;
    Ok(())
}
