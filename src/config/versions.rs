//! Releases in settings.

use std::str::FromStr;

use super::ConfigError;
use crate::cli::TableArgs;
use crate::mapping::Versions;

/// The release that an option of the command line names; `help` says what to write.
pub(super) fn argument<T: FromStr<Err = String>>(
    option: &str,
    text: Option<&str>,
    help: &str,
) -> Result<Option<T>, ConfigError> {
    text.map(str::parse)
        .transpose()
        .map_err(|fault| ConfigError::usage(format!("{option}: {fault}"), help))
}

/// What to write.
pub(super) const HELP: &str = "write the number of a release, such as 4.3.0";

/// The releases that a command asks about, from its `--sdk` and `--torch-musa`.
///
/// # Errors
/// A version that is none.
pub fn named_versions(args: &TableArgs) -> Result<Versions, ConfigError> {
    Ok(Versions {
        sdk: argument("--sdk", args.sdk.as_deref(), HELP)?,
        torch_musa: argument("--torch-musa", args.torch_musa.as_deref(), HELP)?,
    })
}
