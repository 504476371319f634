//! A hash of everything, besides the input, that decides the result of a port: settings, arguments and tables. The
//! program is named in the first line of the cache.

use crate::cli::{PortArgs, Verify};
use crate::config::{ConfigError, Settings, display_path};

/// A digest of the settings, the user's tables, and the folders as they are and as they were typed.
///
/// # Errors
/// When a table of the user's can't be read.
pub(super) fn of(args: &PortArgs, settings: &Settings) -> Result<[u8; 32], ConfigError> {
    let mut hasher = blake3::Hasher::new();
    let mut add = |part: &[u8]| {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part);
    };
    for (name, value) in settings.stamp() {
        add(name.as_bytes());
        add(value.as_bytes());
    }
    for setting in settings.effective() {
        add(setting.name.as_bytes());
        let value = setting.value.map(|value| value.to_string());
        add(value.unwrap_or_default().as_bytes());
    }
    for root in &settings.include_roots.value {
        add(display_path(root).as_bytes());
    }
    for overlay in settings.overlays()? {
        add(overlay.file.as_bytes());
        add(overlay.text.as_bytes());
    }
    let flags = [
        settings.no_ignore,
        settings.verify == Verify::Full,
        args.layout.is_empty(),
    ];
    add(&flags.map(u8::from));
    add(format!("{:?}", settings.mode).as_bytes());
    add(settings.base.as_os_str().as_encoded_bytes());
    add(args.path.as_os_str().as_encoded_bytes());
    let output = args.output.as_ref();
    add(output.map_or(&b"?"[..], |output| output.as_os_str().as_encoded_bytes()));
    Ok(hasher.finalize().into())
}
