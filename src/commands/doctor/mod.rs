//! `torchada doctor` and `torchada info`: what the machine is, and what it lacks.

mod facts;
mod needs;

use std::time::Duration;

use anyhow::Result;

use super::Streams;
use crate::cli::{DoctorArgs, Exit, InfoArgs};
use crate::config::{ConfigError, display_path, facts_of_sdk};
use crate::doctor::{Machine, State};
use crate::mapping::doctor::{CheckText, DoctorTable};
use crate::report::doctor as report;

/// Look at the machine, and at what a project needs of it.
///
/// Ends with [`Exit::Found`] where a check failed.
///
/// # Errors
/// When the project can't be looked at, or the output can't be written to.
pub fn run(args: &DoctorArgs, streams: &mut Streams<'_>) -> Result<Exit> {
    let mut skipped = args.skip.iter();
    if let Some(unknown) = skipped.find(|front| !DoctorTable::builtin().has(front)) {
        return Err(ConfigError::usage(
            format!("--skip: no check's code starts with `{unknown}`"),
            "`torchada doctor` shows the codes of the checks, such as DOC001",
        )
        .into());
    }
    let environment = streams.environment;
    let machine = Machine::look(
        args.machine.musa_home.as_deref(),
        args.machine.python.as_deref(),
        environment,
    );
    let is_wanted = |check: &CheckText| {
        let mut skipped = args.skip.iter();
        !skipped.any(|front| check.code.starts_with(&front.to_ascii_uppercase()))
    };
    let mut checks = machine.check(environment);
    let known = machine.sdk.as_ref().ok().map(facts_of_sdk);
    checks.push(facts::check(known.as_ref()));
    if let Some(project) = &args.project {
        checks.extend(needs::needs(args, project, streams)?.check(&machine, environment));
    }
    if args.full {
        let limit = Duration::from_secs(args.limit);
        checks.extend(machine.try_device(limit, &is_wanted, environment));
    }
    checks.retain(|one| is_wanted(one.check));
    checks.sort_by_key(|one| &one.check.code);
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
    let mut rows = machine.info(environment);
    let known = machine.sdk.as_ref().ok().map(facts_of_sdk);
    let known = known.and_then(|known| known.ok().flatten());
    rows.push((
        "facts",
        known.as_ref().map(|known| known.table.head().releases()),
    ));
    rows.push(("facts-place", known.map(|known| display_path(&known.path))));
    if args.json {
        streams.out.write_all(&report::info_json(&rows))?;
    } else {
        report::info(&rows, streams.out)?;
    }
    Ok(Exit::Done)
}
