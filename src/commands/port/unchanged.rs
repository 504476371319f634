//! A port of an input that was ported before: does nothing if nothing changed.

use anyhow::Result;

use super::written::Written;
use super::{checking, outputs};
use crate::cli::PortArgs;
use crate::commands::Streams;
use crate::commands::cache::Unchanged;
use crate::config::{Settings, Write};
use crate::report::Closing;

/// Say what the last port came to: this one would come to the same.
///
/// # Errors
/// When the report can't be written where it is to go, or the output can't be listed.
pub(super) fn run(
    args: &PortArgs,
    settings: &Settings,
    last: Unchanged,
    streams: &mut Streams<'_>,
) -> Result<Written> {
    let output = settings.mode.output_folder().or(settings.mode.root());
    let output = output.unwrap_or(&settings.base);
    if settings.write == Write::Check {
        return Ok(checking::unchanged(args, settings, output, &last.files, streams)?.into());
    }
    let closing = Closing {
        unchanged: true,
        ..outputs::written(output)
    };
    Ok(Written {
        exit: outputs::conclude(settings, &last.report, &closing, streams)?,
        report: Some(last.report),
    })
}
