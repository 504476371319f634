//! What, besides the input, decides what a port writes and says.

use crate::cli::PortArgs;
use crate::config::{ConfigError, Settings};

/// A digest of the settings, of the user's tables, and of the paths as they were typed, which the
/// report repeats. The program is told by the cache itself.
pub(super) fn of(args: &PortArgs, settings: &Settings) -> Result<[u8; 32], ConfigError> {
    let mut hasher = blake3::Hasher::new();
    let mut add = |part: &[u8]| {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part);
    };
    for held in settings.held() {
        add(held.name.as_bytes());
        add(held
            .value
            .map_or_else(String::new, |value| value.to_string())
            .as_bytes());
    }
    for overlay in settings.overlays()? {
        add(overlay.file.as_bytes());
        add(overlay.text.as_bytes());
    }
    add(format!("{:?}", settings.mode).as_bytes());
    add(settings.base.as_os_str().as_encoded_bytes());
    add(format!("{:?}", settings.verify).as_bytes());
    add(args.path.as_os_str().as_encoded_bytes());
    let output = args.output.as_ref();
    add(output.map_or(&b"?"[..], |output| output.as_os_str().as_encoded_bytes()));
    add(&[u8::from(args.layout.is_empty())]);
    Ok(*hasher.finalize().as_bytes())
}
