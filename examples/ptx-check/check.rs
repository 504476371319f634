//! Checks cases: port, compile, run, compare.

use std::num::NonZero;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use anyhow::{Result, bail};

use crate::case::Case;
use crate::compare::difference;
use crate::compile::{Compiled, Compiler};
use crate::port::port;
use crate::process::run;

/// How long the parts of a check may take.
pub(crate) struct Limits {
    pub(crate) compile: Duration,
    pub(crate) run: Duration,
}

/// What came out for a case.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// The port wrote what the case asks for.
    Same,
    /// The port left asm statements, with findings of these codes.
    Kept { codes: Vec<String> },
    /// The port wrote something else, or nothing.
    Differs {
        why: String,
        /// What it wrote, where it came to its end.
        got: Option<Vec<u8>>,
    },
}

impl Outcome {
    fn nothing(why: impl Into<String>) -> Self {
        Self::Differs {
            why: why.into(),
            got: None,
        }
    }
}

/// Check all cases, as many at once as there are cores. The results come in the order of the cases.
///
/// # Errors
/// Where the check can't be made.
pub(crate) fn all(cases: &[Case], limits: &Limits) -> Result<Vec<Outcome>> {
    let folder = tempfile::Builder::new().prefix("ptx-check-").tempdir()?;
    let compiler = Compiler::new(folder.path(), limits.compile)?;
    with(&compiler, cases, limits)
}

/// Check all cases with a compiler that is made already.
///
/// # Errors
/// Where the check can't be made.
pub(crate) fn with(compiler: &Compiler, cases: &[Case], limits: &Limits) -> Result<Vec<Outcome>> {
    let folder = tempfile::Builder::new().prefix("ptx-check-").tempdir()?;
    let check = |at: usize, case: &Case| -> Result<Outcome> {
        let place = folder.path().join(at.to_string());
        std::fs::create_dir(&place)?;
        let outcome = one(case, &place, compiler, limits)?;
        // A thousand cases would fill a small disk.
        std::fs::remove_dir_all(&place)?;
        Ok(outcome)
    };
    // Threads of their own: one of rayon's that waits inside a port would begin another case on its stack.
    let next = AtomicUsize::new(0);
    let work = || {
        let mut done = Vec::new();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(case) = cases.get(at) else {
                return done;
            };
            done.push((at, check(at, case)));
        }
    };
    let mut done = std::thread::scope(|scope| {
        let count = std::thread::available_parallelism().map_or(1, NonZero::get);
        let threads: Vec<_> = (0..count.min(cases.len()))
            .map(|_| scope.spawn(work))
            .collect();
        let joined = threads.into_iter().filter_map(|thread| thread.join().ok());
        joined.flatten().collect::<Vec<_>>()
    });
    done.sort_by_key(|(at, _)| *at);
    if done.len() != cases.len() {
        bail!("a check came to no end: this is a fault of ptx-check");
    }
    done.into_iter().map(|(_, outcome)| outcome).collect()
}

fn one(case: &Case, folder: &Path, compiler: &Compiler, limits: &Limits) -> Result<Outcome> {
    let ported = std::panic::catch_unwind(|| port(&case.source, folder));
    let port = match ported {
        Ok(Ok(port)) => port,
        Ok(Err(error)) => return Ok(Outcome::nothing(format!("the port failed: {error:#}"))),
        Err(_) => return Ok(Outcome::nothing("the port panicked")),
    };
    if compiler.has_assembly(&port)? {
        return Ok(if port.codes.is_empty() {
            Outcome::nothing("the port left an asm statement without a finding")
        } else {
            Outcome::Kept { codes: port.codes }
        });
    }
    let program = match compiler.compile(case, &port, folder)? {
        Compiled::Program(program) => program,
        Compiled::Errors(errors) => {
            return Ok(Outcome::nothing(format!(
                "the port does not compile: {errors}"
            )));
        }
    };
    let (input, output) = (folder.join("input"), folder.join("output"));
    std::fs::write(&input, &case.input)?;
    let mut command = Command::new(program);
    command.arg(&input).arg(&output);
    command.args([case.output.len().to_string(), case.threads.to_string()]);
    let ran = run(&mut command, limits.run)?;
    let Some(status) = ran.status else {
        let seconds = limits.run.as_secs();
        return Ok(Outcome::nothing(format!("did not finish in {seconds} s")));
    };
    if let Some(signal) = status.signal() {
        let why = format!(
            "the kernel crashed with signal {signal}: {}",
            ran.err.trim()
        );
        return Ok(Outcome::nothing(why.trim_end_matches([':', ' '])));
    }
    if !status.success() {
        return Ok(Outcome::nothing(ran.err.trim()));
    }
    let got = std::fs::read(&output)?;
    Ok(match difference(&case.output, &got, case.tolerance) {
        None => Outcome::Same,
        Some(at) => Outcome::Differs {
            why: format!("the first difference is at byte {at}"),
            got: Some(got),
        },
    })
}
