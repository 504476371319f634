//! `torchada check`: the findings of a port, without the port.

mod alone;
mod look;
mod result;
mod since;

use std::collections::BTreeSet;

use anyhow::Result;

use super::Streams;
use super::findings::least;
use crate::cli::{CheckArgs, Exit, FailOn, Format};
use crate::config::{ConfigError, Mode, Settings, default_paths};
use crate::mapping::effort::Effort;
use crate::mapping::safety;
use crate::report::{self, FindingsPlace, Report};
use alone::project_around;
use look::CheckedPath;
pub(super) use look::report_of;
use result::CheckResult;

/// Run the command.
///
/// # Errors
/// What made it impossible to look at one of the paths at all. Faults of single files are
/// findings.
pub fn run(args: &CheckArgs, streams: &mut Streams<'_>) -> Result<Exit> {
    let args = &CheckArgs {
        paths: if args.paths.is_empty() {
            default_paths(&args.shared)?
        } else {
            args.paths.clone()
        },
        ..args.clone()
    };
    packages_have_the_format(args)?;
    // All of the command line and the configuration is looked at before the first file.
    let settings: Vec<Settings> = args
        .paths
        .iter()
        .map(|path| Settings::check(args, path, streams.environment))
        .collect::<Result<_, _>>()?;
    if !args.quiet {
        let doubts = settings.iter().flat_map(|one| &one.facts_doubts);
        report::doubts(doubts.collect::<BTreeSet<_>>(), streams.err)?;
    }
    let mut result = look_at_paths(args, &settings, streams)?;
    let mut roots = args.paths.iter();
    result.report.is_port = roots.all(|path| path.join(safety::MANIFEST).is_file());
    if !result.report.findings.is_empty() {
        result.report.enclosing_project = settings.iter().find_map(project_around);
    }
    result.report.sort();
    // Two of the paths may hold the same file.
    result.report.findings.dedup();
    result.report.not_built.dedup();
    result.report.ignored.dedup();
    if let Some(revision) = &args.since {
        let changed = result::changes(revision, args)?;
        let unchanged = result.keep_changes(&changed);
        if let ([path], [settings]) = (args.paths.as_slice(), settings.as_slice())
            && let Some(before) = since::before((path, settings), &changed, &unchanged, &result)
        {
            let before = look::tree_before(args, (path, settings), &before, streams)?;
            result.take_back(&unchanged, &before.report);
        }
    }
    if let Some(path) = &args.baseline {
        result.hold_against(path, args)?;
    }
    let scale = Effort::builtin();
    result.report.grade(scale);
    if args.format == Format::Full {
        result.report.all_findings = FindingsPlace::Above;
    }
    if !args.quiet {
        result.show(args, scale, streams)?;
    }
    Ok(exit(&result.report, args.fail_on))
}

/// Look at the paths of the command line, and put together what they give.
fn look_at_paths(
    args: &CheckArgs,
    settings: &[Settings],
    streams: &mut Streams<'_>,
) -> Result<CheckResult> {
    let mut result = CheckResult {
        report: Report {
            input: ".".to_owned(),
            ..Report::default()
        },
        ..CheckResult::default()
    };
    let mut paths: Vec<CheckedPath<'_>> = args.paths.iter().zip(settings).collect();
    // Trees come first, and a folder before those in it: what one of them has is not looked at again.
    paths.sort_by_key(|(_, settings)| match &settings.mode {
        Mode::Tree { input, .. } => (false, input.components().count()),
        Mode::Part { root, subdir, .. } => (false, root.join(subdir).components().count()),
        mode => (matches!(mode, Mode::File { .. }), 0),
    });
    look::keep_each_once(&mut paths);
    loop {
        paths.retain(|(_, settings)| result.takes(settings));
        if paths.is_empty() {
            return Ok(result);
        }
        let rest = paths.split_off(look::together(&paths));
        for part in look::look(args, &paths, streams)? {
            result.add(part);
        }
        paths = rest;
    }
}

/// The list of packages is for people or a program; the other formats are of findings.
fn packages_have_the_format(args: &CheckArgs) -> Result<(), ConfigError> {
    if !args.packages || matches!(args.format, Format::Full | Format::Json) {
        return Ok(());
    }
    Err(ConfigError::usage(
        "--packages has a text of its own, and no other format than json",
        "leave --format out, or say --format json",
    ))
}

fn exit(report: &Report, fail_on: FailOn) -> Exit {
    let least = least(fail_on);
    let worst = report.findings.iter().map(|one| one.code.severity).max();
    if report.files.failed > 0 {
        Exit::Failed
    } else if least.is_some_and(|least| worst >= Some(least)) {
        Exit::Found
    } else {
        Exit::Done
    }
}
