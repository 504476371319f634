//! The settings that hold: `torchada config`.

use std::io::{self, Write};

use serde::Serialize;

use crate::report::format::style::{BOLD, DIM};
use crate::text::counted;

/// The settings that hold for an input.
#[derive(Clone, Debug, Serialize)]
pub struct SettingsReport {
    /// The configuration file; `None` where none was found.
    pub file: Option<String>,
    /// The settings.
    pub settings: Vec<SettingRow>,
    /// The mapping tables that stand in the file.
    pub tables: Vec<TableRow>,
}

/// A setting.
#[derive(Clone, Debug, Serialize)]
pub struct SettingRow {
    /// The key, or the option of the command line.
    pub name: String,
    /// Its value.
    pub value: Option<toml::Value>,
    /// Where it came from: a place in a file, `command line`, or `default`.
    pub origin: String,
    /// Whether a configuration file can say it.
    pub is_key: bool,
}

/// A mapping table.
#[derive(Clone, Debug, Serialize)]
pub struct TableRow {
    /// Its name.
    pub name: String,
    /// How many entries it has.
    pub entries: usize,
    /// Where it came from.
    pub origin: String,
}

/// Write the settings as a configuration file with comments.
///
/// # Errors
/// When `out` can't take it.
pub fn settings(report: &SettingsReport, out: &mut dyn Write) -> io::Result<()> {
    match &report.file {
        Some(file) => writeln!(out, "{DIM}#{DIM:#} {BOLD}{file}{BOLD:#}")?,
        None => writeln!(
            out,
            "{DIM}# no torchada.toml, and no pyproject.toml with [tool.torchada], from PATH upwards{DIM:#}"
        )?,
    }
    let lines: Vec<(String, &SettingRow)> = report
        .settings
        .iter()
        .map(|row| {
            let line = match &row.value {
                Some(value) if row.is_key => format!("{} = {value}", row.name),
                Some(value) => format!("# --{}: {value}", row.name),
                None => format!("# {} is not set", row.name),
            };
            (line, row)
        })
        .collect();
    let widths = lines.iter().map(|(line, _)| line.chars().count());
    let width = widths.filter(|width| *width <= WIDTH).max().unwrap_or(0);
    for (line, row) in lines {
        writeln!(out, "{line:<width$}  {DIM}# {}{DIM:#}", row.origin)?;
    }
    for table in &report.tables {
        let entries = counted(table.entries, "entry").replace("entrys", "entries");
        let line = format!("# [{}]: {entries}", table.name);
        writeln!(out, "{line:<width$}  {DIM}# {}{DIM:#}", table.origin)?;
    }
    Ok(())
}

/// How long a line may be for the others' origins to stand behind it.
const WIDTH: usize = 60;
