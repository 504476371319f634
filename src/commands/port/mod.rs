//! `torchada port`: a CUDA tree, a part of one, a file or standard input, to MUSA.

mod checking;
mod outputs;
mod planning;
mod reporting;
mod runtime;
mod shown;
mod single;
mod unchanged;

use anyhow::Result;

use super::analysis::Results;
use super::cache::Cache;
use super::shards::{self, Joined};
use super::{Streams, analysis};
use crate::cli::{Exit, PortArgs};
use crate::config::{ConfigError, Mode, Settings, Write, display_path};
use crate::emit;

/// Run the command.
///
/// # Errors
/// What made it impossible to start or to write at all. Faults of single files are findings.
pub fn run(args: &PortArgs, streams: &mut Streams<'_>) -> Result<Exit> {
    let settings = Settings::port(args)?;
    analysis::with_lore(&settings, |lore, rules| {
        match (args.shard, &settings.mode) {
            (Some(shard), _) => shards::run(shard, &settings, lore, rules, streams),
            (None, Mode::File { .. } | Mode::Stdin { .. }) => {
                single::run(&settings, lore, rules, streams)
            }
            (None, _) => {
                start(&settings)?;
                let cache = Cache::of(args, &settings)?;
                let last = cache.as_ref().filter(|_| compares(&settings));
                if let Some(last) = last.and_then(|cache| cache.unchanged(&settings)) {
                    return unchanged::run(args, &settings, &last, streams);
                }
                let mut kept = cache.as_ref().map(Cache::translations);
                let mut none = analysis::Nothing;
                let results: &mut dyn Results = match &mut kept {
                    Some(kept) => kept,
                    None => &mut none,
                };
                let done = analysis::tree_from(&settings, lore, rules, results, streams.progress)?;
                let cache = cache.as_ref().zip(kept.as_ref());
                outputs::write(args, &settings, done, lore.tables, cache, streams)
            }
        }
    })
}

/// Port a tree whose files were translated in shards.
///
/// # Errors
/// Shards of something else, and what makes a port impossible.
pub(super) fn joined(
    args: &PortArgs,
    mut joined: Joined,
    streams: &mut Streams<'_>,
) -> Result<Exit> {
    let settings = Settings::port(args)?;
    if !matches!(settings.mode, Mode::Tree { .. } | Mode::Part { .. }) {
        return Err(ConfigError::usage(
            "shards are of a tree that is ported to another",
            "give the tree of the shards as PATH, and its new place with -o",
        )
        .into());
    }
    joined.check(&settings)?;
    analysis::with_lore(&settings, |lore, rules| {
        start(&settings)?;
        let done = analysis::tree_from(&settings, lore, rules, &mut joined, streams.progress)?;
        outputs::write(args, &settings, done, lore.tables, None, streams)
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
