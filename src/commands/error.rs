//! Advice for people about an error that ended a command.

use anyhow::Error;

use crate::config::ConfigError;
use crate::emit::EmitError;

/// Advice about an error, if there is any.
pub fn advice(error: &Error) -> Option<String> {
    if let Some(config) = error.downcast_ref::<ConfigError>() {
        return config.help().map(str::to_owned);
    }
    error
        .downcast_ref::<EmitError>()
        .map(|emit| emit.help().to_owned())
}
