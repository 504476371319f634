//! `torchada merge`: the port that several runs made a part of each.

use anyhow::Result;

use super::shards::Joined;
use super::{Streams, port};
use crate::cli::{Exit, MergeArgs};

/// Run the command: a port, for which the shards have the translations.
///
/// # Errors
/// Shards that do not go together or are of something else, and what makes a port impossible.
pub fn run(args: &MergeArgs, streams: &mut Streams<'_>) -> Result<Exit> {
    let joined = Joined::read(&args.results)?;
    port::joined(&args.port(), joined, streams)
}
