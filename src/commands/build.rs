//! `torchada build`: runs a build, reads along, and explains what stopped it.

use anyhow::Result;

use super::Streams;
use super::explain_log::{PortTree, check_place, conclude};
use crate::buildlog::LogReader;
use crate::cli::{BuildArgs, Exit};
use crate::config::{ConfigError, display_path};
use crate::machine::program::End;
use crate::machine::watched::watched;

/// What a shell adds to the number of a signal that ended a program.
const BY_SIGNAL: i32 = 128;

/// Run the command.
///
/// # Errors
/// A folder that is no port, or a command that can't be started.
pub fn run(args: &BuildArgs, streams: &mut Streams<'_>) -> Result<Exit> {
    check_place(&args.shown)?;
    let tree = PortTree::open(&args.shown, streams.environment)?;
    let mut reader = LogReader::new();
    let mut line = |line: &[u8]| reader.line(line);
    let end = watched(
        &args.command,
        streams.environment,
        streams.out,
        streams.err,
        &mut line,
    )?;
    let name = args.command.first().cloned().unwrap_or_default();
    let name = display_path(name.as_ref());
    let code = match end {
        End::Exited(code) => code,
        End::Signal(signal) => BY_SIGNAL + signal,
        End::NotStarted(_) | End::TooSlow(_) => {
            return Err(ConfigError::usage(
                format!("{name}: {end}"),
                "behind `--` stands a program on the PATH, or a path to one, with its arguments; it gets no shell",
            )
            .into());
        }
    };
    let log = reader.finish();
    if code != 0 || !log.messages.is_empty() {
        writeln!(streams.err)?;
        let failed = (code != 0).then(|| end.to_string());
        conclude(&tree, &log, &name, failed, &args.shown, streams.err)?;
    }
    Ok(Exit::Of(u8::try_from(code).unwrap_or(1)))
}
