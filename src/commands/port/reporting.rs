//! Makes the report of a port.

use std::io;
use std::path::Path;

use anyhow::Result;

use crate::cli::PortArgs;
use crate::commands::analysis::{TranslatedTree, UnreadableFile};
use crate::commands::own_file::OwnFile;
use crate::commands::{facts, ignores};
use crate::config::{self, ConfigError, Mode, Settings, Write, display_path};
use crate::diagnostic::Code;
use crate::diagnostic::codes::cpp::WITHDRAWN;
use crate::diagnostic::codes::project::{
    BESIDE, CONFLICT, FILE_FAILED, RULE_FAILED, UNREADABLE, UNRESOLVED,
};
use crate::emit::{self, EmitError, Plan};
use crate::report::{self, FindingsPlace, Report};

/// The option that names a place for the report.
const OPTION: &str = "--report";

/// What a run that did not do all of its work has findings of.
const FAILURES: [Code; 7] = [
    FILE_FAILED,
    RULE_FAILED,
    WITHDRAWN,
    UNREADABLE,
    CONFLICT,
    UNRESOLVED,
    BESIDE,
];

/// Name what was not done, a line each: the reasons for an exit code that is not 0.
///
/// # Errors
/// When nothing can be written to `out`.
pub(super) fn failures(report: &Report, out: &mut dyn io::Write) -> io::Result<()> {
    let findings = report.findings.iter();
    let failures = findings.filter(|one| FAILURES.iter().any(|code| code.id == one.code.id));
    report::concise(&failures.cloned().collect::<Vec<_>>(), out)
}

/// Make sure, before anything is read or written, that the report can go where the user wants it.
///
/// # Errors
/// What is in the way.
pub(super) fn check_place(settings: &Settings) -> Result<(), ConfigError> {
    let Some(path) = &settings.report else {
        return Ok(());
    };
    let full = config::absolute(path).ok();
    let folder = full.as_deref().and_then(Path::parent);
    // The run makes the output's own folder.
    if folder.is_some() && folder == settings.mode.output_folder() && !path.exists() {
        return Ok(());
    }
    let place = OwnFile {
        path,
        option: OPTION,
        otherwise: "no report of torchada's",
    };
    place.check(report::is_report).map(|_| ())
}

/// Write the report where else the user wants it.
///
/// # Errors
/// When it can't be written there. What else the run writes is there by then.
pub(super) fn write_again(settings: &Settings, report: &Report) -> Result<()> {
    if let Some(path) = &settings.report {
        let mut bytes = Vec::new();
        report::json(report, &mut bytes)?;
        let written = emit::file(path, &bytes, true, None);
        written.map_err(|error| EmitError::Report {
            path: path.clone(),
            reason: format!("{:#}", anyhow::Error::from(error)),
        })?;
    }
    Ok(())
}

/// The report of everything up to the writing; findings move over from `done`.
pub(super) fn report(
    args: &PortArgs,
    settings: &Settings,
    done: &mut TranslatedTree,
    plan: &Plan,
) -> Report {
    let is_unsaved = matches!(settings.mode, Mode::InPlace { .. }) && settings.report.is_none();
    let mut report = Report {
        input: display_path(&args.path),
        output: matches!(settings.write, Write::Files).then(|| as_typed(args, &plan.output)),
        all_findings: if is_unsaved {
            FindingsPlace::Nowhere
        } else {
            FindingsPlace::Report
        },
        ..Report::default()
    };
    for file in &plan.files {
        if let Some(source) = &file.source {
            report
                .outputs
                .insert(display_path(source), display_path(&file.path));
        }
    }
    done.account(&settings.mode, &mut report);
    if !matches!(settings.write, Write::Files) {
        // What is written is read again, which tells by itself.
        let unread = done.unread.len();
        report.files.failed += unread;
        report.files.copied = report.files.copied.saturating_sub(unread);
        let unread = done.unread.iter().map(UnreadableFile::finding);
        report.findings.extend(unread);
    }
    facts::note(&mut report, settings);
    ignores::apply(&mut report, settings);
    report
}

/// The output as the user named it, or by its place beside the input, seen from where the input is: a report must not
/// tell machines apart.
pub(super) fn as_typed(args: &PortArgs, output: &Path) -> String {
    if let Some(typed) = &args.output {
        return display_path(typed);
    }
    let path = args.path.as_path();
    if args.in_place || !args.layout.is_empty() {
        let folder = match &args.shared.root {
            Some(root) => root.as_path(),
            None if path.is_dir() => path,
            None => path.parent().unwrap_or(path),
        };
        let is_here = folder.as_os_str().is_empty();
        return display_path(if is_here { Path::new(".") } else { folder });
    }
    let name = output.file_name().map_or(Path::new(""), Path::new);
    let beside = match path.file_name() {
        Some(_) => path.with_file_name(name),
        // The folder that one stands in, or one above it.
        None if path == Path::new(".") => Path::new("..").join(name),
        None => path.join("..").join(name),
    };
    display_path(&beside)
}
