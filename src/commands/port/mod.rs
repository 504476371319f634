//! `torchada port`: a CUDA tree, a part of one, a file or standard input, to MUSA.

mod checking;
mod outputs;
mod planning;
mod reporting;
mod runtime;
mod shown;
mod single;

use anyhow::Result;

use super::{Streams, analysis};
use crate::cli::{Exit, PortArgs};
use crate::config::{Mode, Settings};

/// Run the command.
///
/// # Errors
/// What made it impossible to start or to write at all. Faults of single files are findings.
pub fn run(args: &PortArgs, streams: &mut Streams<'_>) -> Result<Exit> {
    let settings = Settings::port(args)?;
    analysis::with_lore(&settings, |lore, rules| match settings.mode {
        Mode::File { .. } | Mode::Stdin { .. } => single::run(&settings, lore, rules, streams),
        _ => {
            let done = analysis::tree(&settings, lore, rules, streams.progress)?;
            outputs::write(args, &settings, done, lore.tables, streams)
        }
    })
}
