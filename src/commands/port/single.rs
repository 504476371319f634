//! Ports one file, or standard input.

use std::path::PathBuf;

use anyhow::Result;

use super::{checking, reporting, shown};
use crate::cli::Exit;
use crate::commands::Streams;
use crate::commands::analysis::{self, TranslatedFile};
use crate::commands::{facts, ignores};
use crate::config::{ConfigError, Mode, Settings, Sink, Write, display_path};
use crate::emit::{self, FileChange};
use crate::project::Context;
use crate::report::{self, Report};
use crate::rules::RuleSettings;

/// Translate one file.
///
/// # Errors
/// When it can't be read or written.
pub fn run(
    settings: &Settings,
    context: Context<'_>,
    rules: &RuleSettings,
    streams: &mut Streams<'_>,
) -> Result<Exit> {
    let (Mode::File { output: sink, .. } | Mode::Stdin { output: sink, .. }) = &settings.mode
    else {
        return Ok(Exit::Refused);
    };
    let one = analysis::translate_single(settings, context, rules, streams)?;
    finish(settings, sink, one, streams)
}

fn finish(
    settings: &Settings,
    sink: &Sink,
    mut one: TranslatedFile,
    streams: &mut Streams<'_>,
) -> Result<Exit> {
    if settings.write == Write::Check {
        let Sink::File(path) = sink else {
            return Err(ConfigError::usage(
                "--check compares with files, and the result would go to standard output",
                "name the file or folder of the committed port with -o",
            )
            .into());
        };
        let new = one.translated.text(&one.old);
        return checking::file(settings.quiet, &one.name, path, &new, streams);
    }
    let report = report(settings, sink, &mut one);
    let translated = &one.translated;
    let new = translated.text(&one.old);
    match settings.write {
        Write::Diff { by_rule } => diff(&one, sink, &new, by_rule, streams)?,
        Write::Check | Write::Nothing => {}
        Write::Files => match sink {
            Sink::Stdout => streams.out.write_all(&new)?,
            // CUDA code under MUSA's name would only look done; the findings say what failed.
            Sink::File(_) if translated.failed || translated.is_undone() => {}
            Sink::File(path) => {
                let mode = match &settings.mode {
                    Mode::File { input, .. } => mode_of(input),
                    _ => None,
                };
                emit::file(path, &new, false, mode)?;
            }
        },
    }
    reporting::write_again(settings, &report)?;
    if !settings.quiet {
        report::concise(&report.findings, streams.err)?;
    }
    let partial = translated.failed || !translated.withdrawn.is_empty();
    Ok(if partial { Exit::Partial } else { Exit::Done })
}

fn mode_of(path: &std::path::Path) -> Option<u32> {
    use std::os::unix::fs::PermissionsExt;
    std::fs::metadata(path)
        .ok()
        .map(|found| found.permissions().mode() & 0o777)
}

fn report(settings: &Settings, sink: &Sink, one: &mut TranslatedFile) -> Report {
    let mut report = Report {
        input: one.name.clone(),
        output: match sink {
            Sink::File(path) => Some(path.display().to_string()),
            Sink::Stdout => None,
        },
        ..Report::default()
    };
    if let Sink::File(path) = sink {
        let name = path.file_name().map_or_else(PathBuf::new, PathBuf::from);
        report.outputs.insert(one.name.clone(), display_path(&name));
    }
    one.account(&mut report);
    facts::note(&mut report, settings);
    ignores::apply(&mut report, settings);
    report.sort();
    report
}

fn diff(
    one: &TranslatedFile,
    sink: &Sink,
    new: &[u8],
    by_rule: bool,
    streams: &mut Streams<'_>,
) -> Result<()> {
    if by_rule {
        let lines = shown::lines_of(&one.name, &one.translated.edits, &one.old);
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
    let change = FileChange::of_text(&name, &renamed, &one.old, new);
    emit::diff(&change, streams.out)?;
    Ok(())
}
