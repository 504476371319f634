//! Runs compilers, and reads their errors.

use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use super::World;
use super::command;
use super::files::{Item, normal};
use super::outcome::Fault;
use super::owned::{Owned, Spot};
use super::trees::shown;
use super::views::{Side, View};

/// What a compiler left.
pub struct Ran {
    /// Whether it took the file.
    pub ok: bool,
    /// What it printed as its result.
    pub out: Vec<u8>,
    /// What it complained of.
    pub errors: String,
}

/// Run a compiler, and stop it when its time is over.
///
/// # Errors
/// Where it can't be started.
pub fn run(command: &mut Command, limit: Duration) -> Result<Ran> {
    let program = command.get_program().to_string_lossy().into_owned();
    let failed = || format!("can't run {program}");
    let out = tempfile::tempfile()?;
    let err = tempfile::tempfile()?;
    let mut child = command
        .stdin(std::process::Stdio::null())
        .stdout(out.try_clone()?)
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
    let errors = match status {
        Some(_) => String::from_utf8_lossy(&read(err)?).into_owned(),
        None => format!("error: not done after {} s", limit.as_secs()),
    };
    Ok(Ran {
        ok: status.is_some_and(|status| status.success()),
        out: read(out)?,
        errors,
    })
}

fn read(mut file: std::fs::File) -> Result<Vec<u8>> {
    use std::io::{Read, Seek};
    let mut bytes = Vec::new();
    file.rewind()?;
    file.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Preprocess one side of an item; the faults where it can't be.
///
/// # Errors
/// Where g++ can't be started.
pub fn preprocess(
    world: &World<'_>,
    item: &Item,
    side: Side,
    view: View,
    more: &[&str],
) -> Result<Result<Owned, Vec<Fault>>> {
    let prelude = world.tools.preludes.get(world, item, side, view)?;
    let macros = prelude.as_ref().map(|prelude| prelude.path.as_path());
    let mut command = command::preprocessor(world, item, side, view, macros);
    command.args(more);
    let ran = run(&mut command, world.tools.timeout)?;
    Ok(if ran.ok {
        let mut owned = Owned::read(&ran.out, world, side);
        for header in prelude.iter().flat_map(|prelude| &prelude.headers) {
            owned.headers.entry(header.clone()).or_default();
        }
        Ok(owned)
    } else {
        Err(faults(world, side, &ran.errors))
    })
}

/// The errors in what a compiler said: at most a few, but one at least.
pub fn faults(world: &World<'_>, side: Side, errors: &str) -> Vec<Fault> {
    const MOST: usize = 20;
    let mut faults: Vec<Fault> = errors
        .lines()
        .filter(|line| line.contains("error"))
        .filter_map(|line| fault(world, side, line))
        .take(MOST)
        .collect();
    if faults.is_empty() {
        let last = errors.lines().rev().find(|line| !line.trim().is_empty());
        faults.push(Fault {
            spot: None,
            message: last.unwrap_or("failed without a word").trim().to_owned(),
        });
    }
    faults
}

/// `path:12:3: error: message` as g++ and clang write it, `path(12): error: message` as NVIDIA
/// does.
fn fault(world: &World<'_>, side: Side, line: &str) -> Option<Fault> {
    let at = ["error:", "error #", "fatal error"]
        .iter()
        .filter_map(|word| line.find(word))
        .min()?;
    let (place, message) = line.split_at(at);
    let place = place.trim_end().trim_end_matches(':');
    let (path, number) = if let Some(place) = place.strip_suffix(')') {
        place.rsplit_once('(')?
    } else {
        place.split_once(':').unwrap_or((place, ""))
    };
    let number = number.split(':').next().unwrap_or_default();
    let root = world.trees.root(side);
    let path = normal(&root.join(path));
    let spot = path.strip_prefix(root).ok().and_then(|file| {
        Some(Spot {
            file: shown(file),
            line: number.parse().ok()?,
        })
    });
    Some(Fault {
        spot,
        message: message.trim().to_owned(),
    })
}
