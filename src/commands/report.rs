//! `torchada report`: a report as one HTML page.

use std::fs;
use std::path::Path;

use anyhow::Result;

use super::Streams;
use crate::cli::{Exit, ReportArgs};
use crate::config::{ConfigError, display_path};
use crate::emit;
use crate::mapping::effort::Effort;
use crate::report::{self, PAGE_MARK, ReadReport};

/// Write the page.
///
/// # Errors
/// Where a report can't be read, or the page not written.
pub fn run(args: &ReportArgs, streams: &mut Streams<'_>) -> Result<Exit> {
    let now = read(&args.report)?;
    let before = args.since.as_deref().map(read).transpose()?;
    if let Some(path) = &args.output {
        refuse_anothers(path)?;
    }
    let page = report::page(&now, before.as_ref(), Effort::builtin()?)?;
    match &args.output {
        Some(path) => emit::file(path, page.as_bytes(), true, None)?,
        None => streams.out.write_all(page.as_bytes())?,
    }
    Ok(Exit::Done)
}

/// Read a report, or that of an output folder.
fn read(path: &Path) -> Result<ReadReport> {
    let inside = path.join(emit::REPORT);
    let path = if path.is_dir() { &inside } else { path };
    let wrong = |what: String| {
        ConfigError::usage(
            what,
            "`torchada port` leaves a report in OUT/.torchada, and `torchada check --format json` prints one",
        )
    };
    let shown = display_path(path);
    let text =
        fs::read(path).map_err(|error| wrong(format!("can't read the report {shown}: {error}")))?;
    let report = ReadReport::new(&text);
    Ok(report.map_err(|error| wrong(format!("can't show {shown}: {error}")))?)
}

/// A page may take the place of a page, and of nothing else.
fn refuse_anothers(path: &Path) -> Result<(), ConfigError> {
    let Ok(text) = fs::read(path) else {
        // What is not there, or no file, is the writer's affair.
        return Ok(());
    };
    if memchr::memmem::find(&text, PAGE_MARK.as_bytes()).is_some() {
        return Ok(());
    }
    Err(ConfigError::usage(
        format!("{} is there, and no page of `report`'s", display_path(path)),
        "give another FILE to -o",
    ))
}
