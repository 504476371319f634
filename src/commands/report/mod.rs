//! `torchada report`: a report as one HTML page.

mod sides;

use crate::text::contains;
use std::path::Path;

use anyhow::Result;

use super::Streams;
use super::own_file::OwnFile;
use crate::cli::{Exit, ReportArgs};
use crate::config::{ConfigError, display_path};
use crate::emit;
use crate::files;
use crate::mapping::effort::Effort;
use crate::mapping::safety;
use crate::report::{self, PAGE_MARK, ReadReport};

/// Write the page.
///
/// # Errors
/// Where a report can't be read, or the page not written.
pub fn run(args: &ReportArgs, streams: &mut Streams<'_>) -> Result<Exit> {
    let now = read(&args.report, streams)?;
    let before = args.since.as_deref();
    let before = before.map(|path| read(path, streams)).transpose()?;
    if let Some(path) = &args.output {
        let page = OwnFile {
            path,
            option: "-o",
            otherwise: "no page of `report`'s",
        };
        page.check(|text| contains(text, PAGE_MARK))?;
    }
    let sides = if args.report.is_dir() {
        sides::of(&args.report)
    } else {
        Vec::new()
    };
    let page = report::page(&now, before.as_ref(), &sides, Effort::builtin())?;
    match &args.output {
        Some(path) => emit::file(path, page.as_bytes(), true, None)?,
        None => streams.out.write_all(page.as_bytes())?,
    }
    Ok(Exit::Done)
}

/// Read a report, or that of an output folder; `-` is standard input.
fn read(path: &Path, streams: &mut Streams<'_>) -> Result<ReadReport> {
    let inside = path.join(emit::REPORT);
    let is_output = path.is_dir();
    let path = if is_output { &inside } else { path };
    let wrong = |what: String| {
        ConfigError::usage(
            what,
            "`torchada port` leaves a report in OUT/.torchada, and `torchada check --format json` prints one",
        )
    };
    let shown = display_path(path);
    let text = if path.as_os_str() == "-" {
        files::read_from(&mut streams.input, safety::BYTES_REPORT)
    } else if is_output {
        files::read(path, safety::BYTES_REPORT)
    } else {
        files::read_named(path, safety::BYTES_REPORT)
    };
    let text = text.map_err(|error| wrong(format!("can't read the report {shown}: {error}")))?;
    let report = ReadReport::new(&text);
    Ok(report.map_err(|error| wrong(format!("can't show {shown}: {error}")))?)
}
