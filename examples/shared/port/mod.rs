//! Ports one source, as the program does. Several examples have this folder as a module.

// Each example takes what it needs.
#![allow(dead_code)]

pub(crate) mod assembly;
pub(crate) mod blank;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::Parser;
use serde::Deserialize;
use torchada::cli::{Cli, Exit};
use torchada::commands::{self, Streams};
use torchada::machine::Environment;
use torchada::progress::Silent;

/// What every source is called, before its ending.
const STEM: &str = "case";

/// A port.
pub(crate) struct Port {
    /// Its root, where headers are found that the port brings along.
    pub(crate) root: PathBuf,
    /// What became of the source.
    pub(crate) source: PathBuf,
    /// The codes of the findings about asm statements; where there is none, of all that are errors.
    pub(crate) codes: Vec<String>,
}

#[derive(Deserialize)]
struct Report {
    findings: Vec<Finding>,
}

#[derive(Deserialize)]
struct Finding {
    code: String,
    severity: String,
    line: usize,
    column: usize,
}

/// Port a source, in a folder of its own.
///
/// # Errors
/// Where the port fails.
pub(crate) fn port(source: &str, folder: &Path) -> Result<Port> {
    let (input, root) = (folder.join("cuda"), folder.join("musa"));
    std::fs::create_dir(&input)?;
    std::fs::write(input.join(STEM).with_extension("cu"), source)?;
    let arguments = [
        "torchada",
        "port",
        "--no-config",
        "--no-cache",
        "--no-ignore",
        "--quiet",
        // What is slow may be checked as well.
        "--ptx=emulate",
    ];
    let mut arguments: Vec<PathBuf> = arguments.iter().map(PathBuf::from).collect();
    arguments.extend([input, "--output".into(), root.clone()]);
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let mut streams = Streams {
        out: &mut out,
        err: &mut err,
        input: &mut std::io::empty(),
        out_columns: None,
        err_columns: None,
        progress: &Silent,
        environment: &Environment::none(),
    };
    let exit = commands::run(Cli::try_parse_from(arguments)?, &mut streams)?;
    // A port that withdrew an edit is one that keeps a statement.
    if !matches!(exit, Exit::Done | Exit::Partial) {
        bail!("{}", String::from_utf8_lossy(&err).trim());
    }
    let report = std::fs::read(root.join(".torchada").join("report.json"))?;
    let report: Report = serde_json::from_slice(&report).context("the report can't be read")?;
    Ok(Port {
        source: ported(&root)?,
        codes: codes(source, &report.findings),
        root,
    })
}

/// The one file that became of the source.
fn ported(root: &Path) -> Result<PathBuf> {
    for entry in std::fs::read_dir(root)? {
        let path = entry?.path();
        if path.file_stem().is_some_and(|stem| stem == STEM) {
            return Ok(path);
        }
    }
    bail!("the port has no file for the source");
}

fn codes(source: &str, findings: &[Finding]) -> Vec<String> {
    let statements = assembly::statements(source);
    let is_assembly = |finding: &&Finding| {
        offset(source, finding).is_some_and(|at| statements.iter().any(|one| one.contains(&at)))
    };
    let mut found: Vec<&Finding> = findings.iter().filter(is_assembly).collect();
    if found.is_empty() {
        found.extend(findings.iter().filter(|one| one.severity == "error"));
    }
    let mut codes: Vec<String> = found.iter().map(|finding| finding.code.clone()).collect();
    codes.sort();
    codes.dedup();
    codes
}

/// The place of a finding, in bytes.
fn offset(source: &str, finding: &Finding) -> Option<usize> {
    let lines = source.split_inclusive('\n');
    let before: usize = lines.take(finding.line.checked_sub(1)?).map(str::len).sum();
    Some(before + finding.column.checked_sub(1)?)
}
