//! Runs the preprocessor, and reads the errors of compilers.

use anyhow::Result;

use super::World;
use super::command;
use super::files::{Item, normal};
use super::outcome::Fault;
use super::owned::{Owned, Spot};
use super::trees::shown;
use super::views::{Side, View};
use crate::process::run;

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
    Ok(if ran.is_good() {
        let mut owned = Owned::read(&ran.out, world, side);
        for header in prelude.iter().flat_map(|prelude| &prelude.headers) {
            owned.headers.entry(header.clone()).or_default();
        }
        Ok(owned)
    } else {
        Err(faults(world, side, &ran.err))
    })
}

/// The errors among a compiler's messages: at most a few, but one at least.
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
