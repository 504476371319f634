//! Releases in settings.

use super::ConfigError;
use crate::mapping::{Version, Versions};

/// The release that an option of the command line names.
pub(super) fn argument(option: &str, text: Option<&str>) -> Result<Option<Version>, ConfigError> {
    text.map(str::parse)
        .transpose()
        .map_err(|fault: String| ConfigError::usage(format!("{option}: {fault}"), HELP))
}

/// What to write.
pub(super) const HELP: &str = "write the number of a release, such as 4.3.0";

/// The releases that a command asks about, from its `--sdk` and `--torch-musa`.
///
/// # Errors
/// A version that is none.
pub fn named_versions(
    sdk: Option<&str>,
    torch_musa: Option<&str>,
) -> Result<Versions, ConfigError> {
    Ok(Versions {
        sdk: argument("--sdk", sdk)?,
        torch_musa: argument("--torch-musa", torch_musa)?,
    })
}
