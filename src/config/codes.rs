//! Codes of findings in settings.

use std::path::Path;

use super::reader::fault;
use super::{ConfigError, Settings};
use crate::cli::CheckArgs;
use crate::machine::Environment;

impl Settings {
    /// The settings for `torchada check` of one of its paths: those of a port that writes nothing.
    ///
    /// # Errors
    /// [`ConfigError`]: what a port would refuse, and codes that nothing answers to.
    pub fn check(
        args: &CheckArgs,
        path: &Path,
        environment: &Environment,
    ) -> Result<Self, ConfigError> {
        let mut settings = Self::port(&args.port(path), environment)?;
        for (option, named, set) in [
            ("--select", &args.codes.select, &mut settings.select),
            ("--ignore", &args.codes.ignore, &mut settings.ignore),
        ] {
            argument(option, named)?;
            let named = (!named.is_empty()).then(|| named.clone());
            *set = std::mem::take(set).or_argument(named);
        }
        Ok(settings)
    }
}

/// Check the codes that an option of the command line names.
fn argument(option: &str, patterns: &[String]) -> Result<(), ConfigError> {
    match patterns.iter().find_map(|pattern| fault(pattern)) {
        Some((message, help)) => Err(ConfigError::usage(format!("{option}: {message}"), help)),
        None => Ok(()),
    }
}
