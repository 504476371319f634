//! Ports one file, or standard input.

use std::path::{Path, PathBuf};

use anyhow::Result;

use super::{checking, reporting, shown};
use crate::cli::{Exit, PortArgs};
use crate::commands::Streams;
use crate::commands::analysis::{self, Run, TranslatedFile};
use crate::commands::{facts, ignores};
use crate::config::{ConfigError, Mode, Settings, Sink, Write, display_path};
use crate::emit::{self, FileChange};
use crate::report::{self, Report};

/// Translate one file.
///
/// # Errors
/// When it can't be read or written.
pub fn run(args: &PortArgs, run: Run<'_>, streams: &mut Streams<'_>) -> Result<Exit> {
    let settings = run.settings;
    let (Mode::File { output: sink, .. } | Mode::Stdin { output: sink, .. }) = &settings.mode
    else {
        return Ok(Exit::Refused);
    };
    let one = analysis::translate_single(run, streams)?;
    finish(args, settings, sink, one, streams)
}

fn finish(
    args: &PortArgs,
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
    let mut report = report(settings, sink, &mut one);
    let translated = &one.translated;
    let new = translated.text(&one.old);
    let mut written = None;
    match settings.write {
        Write::Diff { by_rule } => diff(&one, sink, &new, by_rule, streams)?,
        Write::Check | Write::Nothing => {}
        Write::Files => match sink {
            Sink::Stdout => streams.out.write_all(&new)?,
            // CUDA code under MUSA's name would only look done; the findings say what failed.
            Sink::File(_) if translated.failed || translated.is_undone() => {
                written = Some(None);
            }
            Sink::File(path) => {
                written = Some(Some(as_typed(args, path)));
                let mode = match &settings.mode {
                    Mode::File { input, .. } => mode_of(input),
                    _ => None,
                };
                emit::file(path, &new, false, mode)?;
            }
        },
    }
    reporting::write_again(settings, &report)?;
    if matches!(settings.mode, Mode::File { .. }) {
        // What a person reads is seen from where the person stands.
        for finding in &mut report.findings {
            finding.path = display_path(&args.path);
        }
    }
    if settings.quiet {
        reporting::failures(&report, streams.err)?;
    } else {
        report::concise(&report.findings, streams.err)?;
        if let Some(output) = &written {
            let input = display_path(&args.path);
            report::ported_file(&input, output.as_deref(), &report, streams.err)?;
        }
    }
    let partial = translated.failed || !translated.withdrawn.is_empty();
    Ok(if partial { Exit::Partial } else { Exit::Done })
}

/// The file that was written, as it is seen from where the user stands.
fn as_typed(args: &PortArgs, output: &Path) -> String {
    let name = output.file_name().map_or(Path::new(""), Path::new);
    display_path(&match &args.output {
        Some(typed) if typed.is_dir() => typed.join(name),
        Some(typed) => typed.clone(),
        None => args.path.with_file_name(name),
    })
}

fn mode_of(path: &Path) -> Option<u32> {
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
