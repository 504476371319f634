//! What, besides the input, decides what a port writes and says. The program is told by the cache
//! itself.

use crate::cli::PortArgs;
use crate::commands::stored::Identity;
use crate::config::{ConfigError, Settings};

/// What tells runs apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Runs {
    /// A digest of what decides what becomes of a file: the settings, the user's tables, and the
    /// folders.
    pub(super) files: [u8; 32],
    /// The same, with what only the report repeats: the paths as they were typed.
    pub(super) whole: [u8; 32],
}

/// Of a run.
///
/// # Errors
/// When a table of the user's can't be read.
pub(super) fn of(args: &PortArgs, settings: &Settings) -> Result<Runs, ConfigError> {
    let mut hasher = blake3::Hasher::new();
    let mut add = |part: &[u8]| {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part);
        *hasher.finalize().as_bytes()
    };
    for (name, value) in Identity::of(settings)?.settings() {
        add(name.as_bytes());
        add(value.as_bytes());
    }
    for held in settings.held() {
        add(held.name.as_bytes());
        add(held
            .value
            .map_or_else(String::new, |value| value.to_string())
            .as_bytes());
    }
    for overlay in settings.overlays()? {
        add(overlay.file.as_bytes());
    }
    add(format!("{:?}", settings.mode).as_bytes());
    let files = add(settings.base.as_os_str().as_encoded_bytes());
    add(args.path.as_os_str().as_encoded_bytes());
    let output = args.output.as_ref();
    add(output.map_or(&b"?"[..], |output| output.as_os_str().as_encoded_bytes()));
    let whole = add(&[u8::from(args.layout.is_empty())]);
    Ok(Runs { files, whole })
}
