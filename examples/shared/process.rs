//! Programs that run for a bounded time. Several examples have this file as a module.

use std::io::{Read, Seek};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

/// What a program left.
pub(crate) struct Ran {
    /// How it ended; `None` where its time was over.
    pub(crate) status: Option<ExitStatus>,
    /// What it printed.
    pub(crate) out: Vec<u8>,
    /// What it complained of, or that its time was over.
    pub(crate) err: String,
}

impl Ran {
    /// Whether it did its work.
    pub(crate) fn is_good(&self) -> bool {
        self.status.is_some_and(|status| status.success())
    }
}

/// Run a program, and stop it when its time is over.
///
/// # Errors
/// Where it can't be started.
pub(crate) fn run(command: &mut Command, limit: Duration) -> Result<Ran> {
    let program = command.get_program().to_string_lossy().into_owned();
    let failed = || format!("can't run {program}");
    let (out, err) = (tempfile::tempfile()?, tempfile::tempfile()?);
    let command = command.stdin(Stdio::null()).stdout(out.try_clone()?);
    let mut child = command
        .stderr(err.try_clone()?)
        .spawn()
        .with_context(failed)?;
    let start = Instant::now();
    let mut pause = Duration::from_millis(1);
    let status = loop {
        if let Some(status) = child.try_wait().with_context(failed)? {
            break Some(status);
        }
        if start.elapsed() > limit {
            child.kill().with_context(failed)?;
            child.wait().with_context(failed)?;
            break None;
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    };
    let err = match status {
        Some(_) => String::from_utf8_lossy(&read(err)?).into_owned(),
        None => format!("error: not done after {} s", limit.as_secs()),
    };
    Ok(Ran {
        status,
        out: read(out)?,
        err,
    })
}

fn read(mut file: std::fs::File) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.rewind()?;
    file.read_to_end(&mut bytes)?;
    Ok(bytes)
}
