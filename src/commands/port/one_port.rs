//! One port, from its settings to what it writes or shows.

use anyhow::Result;

use super::written::Written;
use super::{outputs, reporting, single, unchanged};
use crate::cli::PortArgs;
use crate::commands::cache::Cache;
use crate::commands::{Streams, analysis};
use crate::config::{ConfigError, Mode, Settings, Write, display_path};
use crate::{emit, report};

/// Port once.
///
/// # Errors
/// What made it impossible to start or to write at all.
pub(super) fn once(args: &PortArgs, streams: &mut Streams<'_>) -> Result<Written> {
    let settings = Settings::port(args, streams.environment)?;
    if !settings.quiet {
        report::doubts(&settings.facts_doubts, streams.err)?;
    }
    reporting::check_place(&settings)?;
    analysis::with_context(&settings, |run| match &settings.mode {
        Mode::File { .. } | Mode::Stdin { .. } => Ok(single::run(args, run, streams)?.into()),
        _ => {
            start(&settings)?;
            let cache = Cache::of(args, &settings)?;
            // Whether somebody edited the port is no question of whether anything changed since the last one.
            let last = cache
                .as_ref()
                .filter(|_| compares(&settings) && !args.strict);
            if let Some(last) = last.and_then(|cache| cache.unchanged(&settings)) {
                return unchanged::run(args, &settings, last, streams);
            }
            let done = analysis::tree(run, streams.progress)?;
            outputs::write(args, run, done, cache.as_ref(), streams)
        }
    })
}

/// Whether a run looks at what lies in its output, and has nothing to do where that is right.
fn compares(settings: &Settings) -> bool {
    matches!(settings.write, Write::Files | Write::Check)
}

/// A run that was cut short is brought to an end before the input is read, which may be the tree
/// that it wrote to. Nobody else writes.
fn start(settings: &Settings) -> Result<()> {
    let Some(written) = settings.mode.output_folder().or(settings.mode.root()) else {
        return Ok(());
    };
    match settings.write {
        Write::Files => Ok(emit::resume(written)?),
        Write::Check if emit::is_unfinished(written) => Err(ConfigError::usage(
            format!("a port into {} was cut short", display_path(written)),
            "port again, without --check",
        )
        .into()),
        _ => Ok(()),
    }
}
