//! `torchada doctor` and `torchada info`: what the machine is, and what it lacks.

use anyhow::Result;

use super::Streams;
use crate::cli::{DoctorArgs, Exit, InfoArgs};
use crate::doctor::{Machine, State};
use crate::report::doctor as report;

/// Look at the machine, and at what a project needs of it.
///
/// Ends with [`Exit::Found`] where a check failed.
///
/// # Errors
/// When the project can't be looked at, or the output can't be written to.
pub fn run(args: &DoctorArgs, streams: &mut Streams<'_>) -> Result<Exit> {
    let environment = streams.environment;
    let machine = Machine::look(
        args.machine.musa_home.as_deref(),
        args.machine.python.as_deref(),
        environment,
    );
    let mut checks = machine.check(environment);
    checks.retain(|one| {
        let mut skipped = args.skip.iter();
        !skipped.any(|front| one.check.code.starts_with(&front.to_ascii_uppercase()))
    });
    if args.json {
        streams.out.write_all(&report::json(&checks))?;
    } else {
        report::screen(&checks, streams.out)?;
    }
    let has_failed = checks.iter().any(|one| one.state == State::Failed);
    Ok(if has_failed { Exit::Found } else { Exit::Done })
}

/// Print the versions and paths that a report of a bug needs.
///
/// # Errors
/// When the output can't be written to.
pub fn info(args: &InfoArgs, streams: &mut Streams<'_>) -> Result<Exit> {
    let environment = streams.environment;
    let machine = Machine::look(
        args.machine.musa_home.as_deref(),
        args.machine.python.as_deref(),
        environment,
    );
    let rows = machine.info(environment);
    if args.json {
        streams.out.write_all(&report::info_json(&rows))?;
    } else {
        report::info(&rows, streams.out)?;
    }
    Ok(Exit::Done)
}
