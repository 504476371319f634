//! `torchada port`: a CUDA tree, a part of one, a file or standard input, to MUSA.

mod checking;
mod one_port;
mod outputs;
mod planning;
mod ptx_header;
mod reporting;
mod runtime;
mod shown;
mod single;
mod unchanged;
mod watch;
mod written;

use anyhow::Result;

use super::Streams;
use crate::cli::{Exit, PortArgs};
use one_port::once;

/// Run the command.
///
/// # Errors
/// What made it impossible to start or to write at all. Faults of single files are findings.
pub fn run(args: &PortArgs, streams: &mut Streams<'_>) -> Result<Exit> {
    if args.watch {
        return watch::run(args, streams);
    }
    Ok(once(args, streams)?.exit)
}
