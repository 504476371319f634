//! Draws findings at random, to be read one by one: is each of them true?
//!
//! `cargo run --example draw -- REPORT... --code CPP111` prints findings of one code out of the
//! reports of ports or checks, each with the lines of the source around it. The same reports and
//! the same seed give the same draw on any machine. `docs/accuracy.md` holds what was read.
//!
//! Exit code 0: drawn; 2: a report or a source could not be read.

mod pick;

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::Parser;
use serde::Deserialize;

/// Draw findings of a code at random, with the source around them.
#[derive(Debug, Parser)]
struct Args {
    /// Reports that `torchada port` or `torchada check --format json` wrote
    #[arg(required = true, value_name = "REPORT")]
    reports: Vec<PathBuf>,
    /// The code to draw
    #[arg(long, value_name = "CODE", required_unless_present = "list")]
    code: Option<String>,
    /// How many findings to draw; all, where there are fewer
    #[arg(long, value_name = "N", default_value_t = 50)]
    count: usize,
    /// The seed of the draw
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// How many lines to show around each place
    #[arg(long, value_name = "N", default_value_t = 0)]
    context: usize,
    /// Where the inputs lie that the reports name [default: the current folder]
    #[arg(long, value_name = "DIR")]
    root: Option<PathBuf>,
    /// Only count the findings of each code
    #[arg(long, conflicts_with = "code")]
    list: bool,
}

/// What is read of a report.
#[derive(Deserialize)]
struct Report {
    input: PathBuf,
    findings: Vec<Finding>,
}

/// What is read of a finding.
#[derive(Deserialize)]
struct Finding {
    code: String,
    path: PathBuf,
    line: usize,
    column: usize,
    message: String,
}

/// A finding and the file that it is about.
struct Place {
    file: PathBuf,
    finding: Finding,
}

fn main() -> ExitCode {
    match run(&Args::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Nothing is left to tell where even this fails.
            let _ = writeln!(std::io::stderr(), "error: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn run(args: &Args) -> Result<()> {
    let mut places = Vec::new();
    for path in &args.reports {
        places.extend(read(path, args.root.as_deref())?);
    }
    let mut out = std::io::stdout().lock();
    let Some(code) = &args.code else {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for place in &places {
            *counts.entry(&place.finding.code).or_default() += 1;
        }
        for (code, count) in counts {
            writeln!(out, "{count:7}  {code}")?;
        }
        return Ok(());
    };
    places.retain(|place| place.finding.code == *code);
    // The order of the reports on the command line says nothing.
    places.sort_by(|one, other| key(one).cmp(&key(other)));
    let all = places.len();
    let chosen = pick::pick(all, args.count, args.seed);
    writeln!(
        out,
        "{code}: {} of {all} drawn with seed {}",
        chosen.len(),
        args.seed
    )?;
    for (number, place) in chosen.iter().filter_map(|&at| places.get(at)).enumerate() {
        show(&mut out, number + 1, place, args.context)?;
    }
    Ok(())
}

fn key(place: &Place) -> (&Path, usize, usize, &str) {
    let finding = &place.finding;
    (
        &place.file,
        finding.line,
        finding.column,
        finding.message.as_str(),
    )
}

fn read(path: &Path, root: Option<&Path>) -> Result<Vec<Place>> {
    let cannot = || format!("can't read the report {}", path.display());
    let text = std::fs::read(path).with_context(cannot)?;
    let report: Report = serde_json::from_slice(&text).with_context(cannot)?;
    let input = root.map_or_else(|| report.input.clone(), |root| root.join(&report.input));
    // A report about a single file names it twice.
    let input = if input.is_file() {
        input.parent().map(Path::to_path_buf).unwrap_or_default()
    } else {
        input
    };
    let places = report.findings.into_iter().map(|finding| Place {
        file: input.join(&finding.path),
        finding,
    });
    Ok(places.collect())
}

fn show(out: &mut impl Write, number: usize, place: &Place, context: usize) -> Result<()> {
    let finding = &place.finding;
    writeln!(
        out,
        "\n{number}. {}:{}:{}: {}",
        place.file.display(),
        finding.line,
        finding.column,
        finding.message
    )?;
    if place.file.is_dir() {
        return Ok(());
    }
    let cannot = || format!("can't read {}", place.file.display());
    let text = std::fs::read(&place.file).with_context(cannot)?;
    let text = String::from_utf8_lossy(&text);
    let first = finding.line.saturating_sub(context + 1);
    for (at, line) in text.lines().enumerate().skip(first).take(2 * context + 1) {
        let mark = if at + 1 == finding.line { '>' } else { ' ' };
        writeln!(out, "{mark}{:5} | {line}", at + 1)?;
    }
    Ok(())
}
