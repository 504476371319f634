//! Releases that somebody names.

use super::ConfigError;
use crate::cli::MapArgs;
use crate::mapping::{Version, Versions};

/// The release that an option of the command line names.
pub(super) fn argument(option: &str, text: Option<&str>) -> Result<Option<Version>, ConfigError> {
    text.map(str::parse)
        .transpose()
        .map_err(|fault: String| ConfigError::usage(format!("{option}: {fault}"), HELP))
}

/// What to write.
pub(super) const HELP: &str = "write the number of a release, such as 4.3.0";

/// The releases that `torchada map` is asked about.
///
/// # Errors
/// A version that is none.
pub fn map_versions(args: &MapArgs) -> Result<Versions, ConfigError> {
    Ok(Versions {
        sdk: argument("--sdk", args.sdk.as_deref())?,
        torch_musa: argument("--torch-musa", args.torch_musa.as_deref())?,
    })
}
