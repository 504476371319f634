//! What, besides the input and the program, decides a translation.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::cli::Verify;
use crate::config::{ConfigError, Mode, Settings, display_path};

/// Settings by name, as far as they have a say in what becomes of a file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(in crate::commands) struct Identity {
    settings: BTreeMap<String, String>,
}

impl Identity {
    /// Of a run with these settings.
    ///
    /// # Errors
    /// When a table of the user's can't be read.
    pub(in crate::commands) fn of(settings: &Settings) -> Result<Self, ConfigError> {
        let mut all = settings.stamp();
        // The package is no file of the input, but its import is in some.
        let include_roots = settings.include_roots.value.iter();
        let inside = include_roots.filter(|path| path.is_relative());
        let include_roots: Vec<String> = inside.map(|path| display_path(path)).collect();
        let mut tables = blake3::Hasher::new();
        for overlay in settings.overlays()? {
            tables.update(&(overlay.text.len() as u64).to_le_bytes());
            tables.update(overlay.text.as_bytes());
        }
        let part = match &settings.mode {
            Mode::Part { subdir, .. } => display_path(subdir),
            _ => ".".to_owned(),
        };
        let more = [
            ("include-roots", include_roots.join(", ")),
            ("mapping", tables.finalize().to_hex().to_string()),
            ("no-ignore", settings.no_ignore.to_string()),
            ("the folder that is ported", part),
            ("verify", (settings.verify == Verify::Full).to_string()),
        ];
        all.extend(more.map(|(name, value)| (name.to_owned(), value)));
        Ok(Self { settings: all })
    }

    /// The settings, by name.
    pub(in crate::commands) fn settings(&self) -> impl Iterator<Item = (&str, &str)> {
        let all = self.settings.iter();
        all.map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// The first setting that two runs do not share: its name, and the value of each.
    pub(in crate::commands) fn difference<'a>(
        &'a self,
        other: &'a Self,
    ) -> Option<(&'a str, &'a str, &'a str)> {
        let names = self.settings.keys().chain(other.settings.keys());
        names
            .map(|name| {
                let of = |one: &'a Self| one.settings.get(name).map_or("", String::as_str);
                (name.as_str(), of(self), of(other))
            })
            .find(|(_, own, others)| own != others)
    }
}
