//! The user's mapping tables, as the mapping room takes them.

use std::path::{Path, PathBuf};

use super::ConfigError;
use crate::mapping::Overlay;

/// Read table files, in order.
///
/// # Errors
/// When a file can't be read.
pub fn read_overlays(files: &[PathBuf]) -> Result<Vec<Overlay>, ConfigError> {
    files.iter().map(|file| read(file)).collect()
}

fn read(file: &Path) -> Result<Overlay, ConfigError> {
    match std::fs::read_to_string(file) {
        Ok(text) => Ok(Overlay {
            file: super::display_path(file),
            text,
        }),
        Err(source) => Err(ConfigError::Unreadable {
            path: file.to_owned(),
            source,
        }),
    }
}
