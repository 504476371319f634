//! One tree on many machines: a run that translates a part of the files, and what joins such runs.
//!
//! Architecture invariant: a shard knows nothing of an output. Whoever joins shards does all that a
//! port does, and takes over nothing but the translation of single files, so that the result is
//! what one run would have written.

mod assign;
mod input;
mod join;
mod results;

use std::path::Path;

use anyhow::{Context, Result};

pub(super) use join::Joined;

use super::Streams;
use super::analysis;
use super::stored::{Identity, StoredTranslation};
use crate::cli::{Exit, Shard};
use crate::config::{ConfigError, Mode, Settings, display_path};
use crate::emit;
use crate::project::Lore;
use crate::rules::RuleSettings;
use results::ShardResults;

/// Translate a shard of the tree that `settings` name, into a file in the folder of the output.
///
/// # Errors
/// When the input is no tree, can't be listed, or the file can't be written.
pub(super) fn run(
    shard: Shard,
    settings: &Settings,
    lore: Lore<'_>,
    rules: &RuleSettings,
    streams: &mut Streams<'_>,
) -> Result<Exit> {
    let (Mode::Tree { output, .. } | Mode::Part { output, .. }) = &settings.mode else {
        return Err(ConfigError::usage(
            "--shard is for a tree, and PATH is a single file",
            "give the tree as PATH",
        )
        .into());
    };
    let pick = |project: &_| assign::files(project, shard);
    let (project, done) = analysis::part(settings, lore, rules, pick, streams.progress)?;
    let results = ShardResults {
        number: shard.number(),
        of: shard.of(),
        identity: Identity::of(settings)?,
        inputs: input::all(&project),
        translations: done
            .iter()
            .map(|(_, one)| StoredTranslation::of(one))
            .collect(),
    };
    let bytes = results.bytes().context("can't store the results")?;
    let path = output.join(results::file_name(shard));
    emit::folder(output)?;
    emit::file(&path, &bytes, true, None)?;
    if !settings.quiet {
        let all = assign::sizes(&project).len();
        let done = done.len();
        let name = display_path(path.file_name().map_or(&path, Path::new));
        writeln!(
            streams.err,
            "shard {shard}: {done} of {all} files translated, in {name}; `torchada merge` makes the port of all"
        )?;
    }
    Ok(Exit::Done)
}
