//! `torchada config`: the effective settings, each with its origin.

use anyhow::Result;

use super::Streams;
use crate::cli::{ConfigArgs, ConfigFormat, Exit};
use crate::config::{Settings, display_path};
use crate::report::{self, SettingRow, SettingsReport, TableRow};

/// Run the command.
///
/// # Errors
/// A fault in the configuration or the command line.
pub fn run(args: &ConfigArgs, streams: &mut Streams<'_>) -> Result<Exit> {
    let settings = Settings::port(&args.port(), streams.environment)?;
    // A table with a fault is none that holds.
    super::analysis::with_context(&settings, |_| Ok(()))?;
    let rows = settings.effective().into_iter().map(|setting| SettingRow {
        name: setting.name,
        value: setting.value,
        origin: setting.origin.to_string(),
        is_key: setting.is_key,
    });
    let tables = settings.table_keys.iter().map(|(name, entries)| TableRow {
        name: name.clone(),
        entries: entries.value,
        origin: entries.origin.to_string(),
    });
    let report = SettingsReport {
        file: settings.config_file.as_deref().map(display_path),
        settings: rows.collect(),
        tables: tables.collect(),
    };
    match args.format {
        ConfigFormat::Toml => report::settings(&report, streams.out)?,
        ConfigFormat::Json => {
            serde_json::to_writer_pretty(&mut *streams.out, &report)?;
            writeln!(streams.out)?;
        }
    }
    Ok(Exit::Done)
}
