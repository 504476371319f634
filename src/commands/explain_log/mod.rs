//! `torchada explain-log`: what a build of a port printed, led back to the original.
//!
//! Architecture invariant: nothing is changed. What would remedy a cause is offered, and whoever builds decides.

mod cause;
mod explain;
mod file_of_port;
mod names;
mod original_place;
mod tree;

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;

use anyhow::{Context as _, Result};

use crate::buildlog::{BuildLog, LogReader};
use crate::cli::{Exit, ExplainLogArgs, Format, LOG_FAILS_ON, LogArgs};
use crate::commands::Streams;
use crate::commands::findings::{self, Shown};
use crate::commands::own_file::OwnFile;
use crate::config::{ConfigError, display_path};
use crate::diagnostic::Severity;
use crate::emit;
use crate::files;
use crate::mapping::effort::Effort;
use crate::report::{self, LogCounts, Report};
use explain::explain;
use file_of_port::Explained;
pub(super) use tree::PortTree;

/// What messages call a log that comes through standard input.
const STANDARD_INPUT: &str = "standard input";

/// Run the command.
///
/// # Errors
/// A log that can't be read, or a folder that is no port.
pub fn run(args: &ExplainLogArgs, streams: &mut Streams<'_>) -> Result<Exit> {
    check_place(&args.shown)?;
    let tree = PortTree::open(&args.shown, streams.environment)?;
    let (name, log) = read_named(&args.log, streams)?;
    let report = conclude(&tree, &log, &name, None, &args.shown, streams.out)?;
    let stops = |severity| severity == Severity::Error;
    let mut severities = report.findings.iter().map(|one| one.code.severity);
    Ok(if severities.any(stops) {
        Exit::Found
    } else {
        Exit::Done
    })
}

/// Make sure, before anything is read or built, that what is shown can go where the user wants it.
///
/// # Errors
/// What is in the way.
pub(super) fn check_place(args: &LogArgs) -> Result<(), ConfigError> {
    let Some(path) = &args.output else {
        return Ok(());
    };
    let place = OwnFile {
        path,
        option: "-o",
        otherwise: "`explain-log` did not write it",
    };
    place.check(report::is_of_log).map(|_| ())
}

/// The names of CUDA's for which a build of a port has proven that what stands for them is not there, each with the line
/// of the log that says so.
///
/// # Errors
/// A log that can't be read, or a folder that is no port.
pub(super) fn not_there(
    log: &Path,
    port: &Path,
    streams: &mut Streams<'_>,
) -> Result<BTreeMap<String, String>> {
    let args = LogArgs {
        port: port.to_owned(),
        no_facts: true,
        ..LogArgs::default()
    };
    let tree = PortTree::open(&args, streams.environment)?;
    let (name, log) = read_named(log, streams)?;
    let mut names = BTreeMap::new();
    for message in log.messages.iter().filter(|message| message.kind.proves) {
        let plain = message.name.as_deref().map(names::plain);
        let Some(word) = plain.as_deref().map(names::last) else {
            continue;
        };
        let replaced = tree.that_wrote(word).iter();
        let replaced = replaced.filter_map(|at| tree.port.map.replaced().get(*at));
        // One name by itself: what a rule wrote around it proves nothing.
        for one in replaced.filter(|one| one.new == word.as_bytes()) {
            let old = String::from_utf8_lossy(&one.old).into_owned();
            let source = format!(
                "not there: the compiler said so of {word}, {name}:{}",
                message.log_line
            );
            names.entry(old).or_insert(source);
        }
    }
    Ok(names)
}

/// A log by its name, `-` for standard input, with what messages call it.
fn read_named(log: &Path, streams: &mut Streams<'_>) -> Result<(String, BuildLog)> {
    if log.as_os_str() == "-" {
        let mut input = BufReader::new(&mut streams.input);
        return Ok((STANDARD_INPUT.to_owned(), read(&mut input)?));
    }
    let name = display_path(log);
    let file = files::open_named(log);
    let file = file.with_context(|| format!("can't read {name}"))?;
    let log = read(&mut BufReader::with_capacity(1 << 16, file.file))?;
    Ok((name, log))
}

fn read(input: &mut dyn BufRead) -> Result<BuildLog> {
    LogReader::new().read(input).context("can't read the log")
}

/// Explain what was read, and show it. `failed` says how the command ended that printed it, where it failed.
///
/// # Errors
/// When it can't be written.
pub(super) fn conclude(
    tree: &PortTree,
    log: &BuildLog,
    name: &str,
    failed: Option<String>,
    args: &LogArgs,
    out: &mut dyn Write,
) -> Result<Report> {
    let (report, texts) = report_of(tree, log, name, args);
    let counts = LogCounts {
        log: name.to_owned(),
        lines: log.lines,
        dropped: log.dropped,
        failed,
    };
    let mut file = Vec::new();
    let mut plain = anstream::StripStream::new(&mut file);
    let shown: &mut dyn Write = if args.output.is_some() {
        &mut plain
    } else {
        out
    };
    show(&report, texts, &counts, args, shown)?;
    if let Some(path) = &args.output {
        emit::file(path, &file, true, None)?;
        report::log_summary(&report, &counts, out)?;
    }
    Ok(report)
}

/// Show a report in the format that was asked for.
fn show(
    report: &Report,
    texts: BTreeMap<String, Vec<u8>>,
    counts: &LogCounts,
    args: &LogArgs,
    out: &mut dyn Write,
) -> Result<()> {
    match args.format {
        None => report::log_causes(report, counts, out)?,
        Some(format) => {
            let how = Shown {
                format,
                fail_on: LOG_FAILS_ON,
                jobs: None,
            };
            let texts = texts.into_iter();
            let texts = texts.map(|(path, text)| (path, text.into()));
            findings::show(report, &texts.collect(), how, out)?;
            if format == Format::Full {
                report::log_summary(report, counts, out)?;
            }
        }
    }
    Ok(())
}

/// The report of a log, and the texts of the original's files that it names.
fn report_of(
    tree: &PortTree,
    log: &BuildLog,
    name: &str,
    args: &LogArgs,
) -> (Report, BTreeMap<String, Vec<u8>>) {
    let (mut all, texts) = explain(tree, log, name);
    all.retain(|one| args.codes.shows(one.finding.code.id));
    let mut report = Report {
        input: tree.input.clone(),
        output: Some(display_path(&args.port)),
        outputs: tree.outputs(),
        ..Report::default()
    };
    let key = |one: &Explained| {
        let finding = &one.finding;
        (
            finding.path.clone(),
            (finding.cell_number(), finding.start, finding.end),
            finding.code.id,
            finding.message.clone(),
        )
    };
    // The order of a report.
    all.sort_by_cached_key(key);
    let mut remedies: BTreeMap<String, String> = BTreeMap::new();
    for one in all {
        if let Some(remedy) = one.remedy {
            remedies.insert(one.finding.message.clone(), remedy);
        }
        match (report.findings.last(), report.log.last_mut()) {
            (Some(last), Some(row)) if *last == one.finding => row.count += one.row.count,
            _ => {
                report.findings.push(one.finding);
                report.log.push(one.row);
            }
        }
    }
    report.grade(Effort::builtin());
    for cause in &mut report.causes {
        let first = cause.members.first();
        let first = first.and_then(|at| report.findings.get(*at));
        cause.remedy = first
            .and_then(|first| remedies.get(&first.message))
            .cloned();
    }
    report.causes.sort_by_key(|cause| {
        let count = std::cmp::Reverse(cause.members.len());
        (std::cmp::Reverse(cause.severity), count)
    });
    (report, texts)
}
