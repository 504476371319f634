//! The check that needs headers only: preprocessed, a port is its original.

use std::collections::BTreeSet;
use std::time::Instant;

use anyhow::Result;

use super::World;
use super::causes::Excuses;
use super::compare::{Difference, Word, differences, words};
use super::files::Item;
use super::left;
use super::outcome::{Cause, Fault, FileOutcome, Kind, Verdict, verdict};
use super::owned::Owned;
use super::preprocess::preprocess;
use super::views::{Side, View};

/// Words by which code shows that it asks for the architecture. Without one of them no pass for a
/// device tells more than that for the host: an alias means the same in each.
const ASKS: [&[u8]; 3] = [b"_ARCH", b"NV_IF_", b"NV_DISPATCH_"];

/// Check one file.
///
/// # Errors
/// Where g++ can't be started.
pub fn check(world: &World<'_>, item: &Item) -> Result<FileOutcome> {
    let start = Instant::now();
    let mut outcome = FileOutcome {
        file: item.file.clone(),
        verdict: Verdict::Passes,
        original: None,
        causes: Vec::new(),
        read: Vec::new(),
        seconds: 0.0,
    };
    let mut views = vec![View::Host];
    let mut at = 0;
    let mut original_passes = false;
    while let Some(&view) = views.get(at) {
        let (original, port) = match pass(world, item, view)? {
            Ok((original, causes, port)) => {
                outcome.causes.extend(causes);
                (original, port)
            }
            // A pass for which the original is not written tells nothing; `#error` may say so.
            Err(fault) => {
                if at == 0 && item.is_cuda {
                    views.extend(world.options.pairs.iter().map(|&pair| View::Device(pair)));
                }
                let spot = fault
                    .spot
                    .map_or_else(String::new, |spot| format!("{}:{}: ", spot.file, spot.line));
                let first_error = format!("{view}: {spot}{}", fault.message);
                outcome.original.get_or_insert(first_error);
                at += 1;
                continue;
            }
        };
        original_passes = true;
        if at == 0 && item.is_cuda && asks_for_the_architecture(world, &original, port.as_ref()) {
            views.extend(world.options.pairs.iter().map(|&pair| View::Device(pair)));
        }
        outcome.read.extend(original.files);
        at += 1;
    }
    outcome.causes = once(std::mem::take(&mut outcome.causes));
    outcome.read.sort();
    outcome.read.dedup();
    outcome.verdict = if original_passes {
        verdict(&outcome.causes)
    } else {
        Verdict::OriginalFails
    };
    outcome.seconds = start.elapsed().as_secs_f64();
    Ok(outcome)
}

/// A cause that several passes show is one cause.
fn once(causes: Vec<Cause>) -> Vec<Cause> {
    let mut seen = BTreeSet::new();
    causes
        .into_iter()
        .filter(|cause| {
            seen.insert((
                cause.kind,
                cause.path.clone(),
                cause.line,
                cause.message.clone(),
            ))
        })
        .collect()
}

/// What one pass shows: the original's code, the causes, and the port's code where there is one;
/// or why the original can't be read.
type Pass = Result<(Owned, Vec<Cause>, Option<Owned>), Fault>;

fn pass(world: &World<'_>, item: &Item, view: View) -> Result<Pass> {
    let original = match preprocess(world, item, Side::Original, view, &[])? {
        Ok(original) => original,
        Err(faults) => {
            let unknown = || Fault {
                spot: None,
                message: String::new(),
            };
            return Ok(Err(faults.into_iter().next().unwrap_or_else(unknown)));
        }
    };
    let a = words(world, &original, Side::Original);
    let port = match preprocess(world, item, Side::Port, view, &[])? {
        Ok(port) => port,
        Err(faults) => {
            let excuses = Excuses::new(world, &original, &a);
            let causes = faults.iter().map(|one| error(world, &excuses, one, view));
            let causes = causes.collect();
            return Ok(Ok((original, causes, None)));
        }
    };
    let b = words(world, &port, Side::Port);
    let mut causes = compare(world, &original, &port, &a, &b, view);
    if left::is_suspected(world, &port) {
        // The same code with no macro expanded: what the port calls things.
        let active = preprocess(world, item, Side::Port, view, &["-fdirectives-only"])?;
        if let Ok(active) = active {
            causes.extend(left::left(world, &active, &view.to_string()));
        }
    }
    Ok(Ok((original, causes, Some(port))))
}

fn compare(
    world: &World<'_>,
    original: &Owned,
    port: &Owned,
    a: &[Word],
    b: &[Word],
    view: View,
) -> Vec<Cause> {
    let found = differences(world, original, port, a, b);
    let (lost, gained) = headers(world, original, port);
    if found.is_empty() && lost.is_empty() && gained.is_empty() {
        return Vec::new();
    }
    let excuses = Excuses::new(world, original, a).with_port(port, b);
    let mut causes: Vec<Cause> = found
        .iter()
        .map(|difference| code(world, &excuses, difference, view))
        .collect();
    for (word, names, side, owned) in [
        ("lost", lost, Side::Original, original),
        ("gained", gained, Side::Port, port),
    ] {
        for name in names {
            let spot = owned.headers.get(&name).cloned().flatten();
            let codes = spot.as_ref().map(|spot| excuses.place(side, spot));
            causes.push(Cause {
                view: view.to_string(),
                kind: Kind::Header,
                path: spot
                    .as_ref()
                    .map(|spot| world.trees.in_original(side, &spot.file)),
                line: spot.map(|spot| spot.line),
                message: format!("header {word}: {name}"),
                explained_by: codes.unwrap_or_default(),
            });
        }
    }
    causes
}

/// CUDA's headers that only one side reads. Of several that share a counterpart, whichever the
/// shim takes will do.
fn headers(world: &World<'_>, original: &Owned, port: &Owned) -> (Vec<String>, Vec<String>) {
    let only = |one: &Owned, other: &Owned| {
        let names = one.headers.keys();
        names
            .filter(|name| {
                !other.headers.contains_key(*name)
                    && !world.tools.shared.contains(*name)
                    && !one.through_ptx.contains(*name)
            })
            .cloned()
            .collect()
    };
    (only(original, port), only(port, original))
}

fn asks_for_the_architecture(world: &World<'_>, original: &Owned, port: Option<&Owned>) -> bool {
    let asks = |owned: &Owned, side: Side| {
        owned.files.iter().any(|file| {
            let source = world.sources.get(&world.trees.root(side).join(file));
            source.is_some_and(|source| {
                ASKS.iter().any(|word| {
                    source
                        .text
                        .windows(word.len())
                        .any(|window| window == *word)
                })
            })
        })
    };
    asks(original, Side::Original) || port.is_some_and(|port| asks(port, Side::Port))
}

fn code(world: &World<'_>, excuses: &Excuses<'_>, difference: &Difference, view: View) -> Cause {
    let original = difference.original.first().map(|(_, spot)| spot.clone());
    let first = original.or_else(|| Some(world.back(&difference.port.first()?.1)));
    Cause {
        view: view.to_string(),
        kind: Kind::Code,
        line: first.as_ref().map(|spot| spot.line),
        path: first.map(|spot| spot.file),
        message: shown(difference),
        explained_by: excuses.difference(difference),
    }
}

fn shown(difference: &Difference) -> String {
    const MOST: usize = 12;
    let words = |tokens: &[(Vec<u8>, super::owned::Spot)]| {
        let mut text: Vec<String> = tokens
            .iter()
            .take(MOST)
            .map(|(text, _)| String::from_utf8_lossy(text).into_owned())
            .collect();
        if tokens.len() > MOST {
            text.push(format!("… ({} tokens)", tokens.len()));
        }
        text.join(" ")
    };
    match (difference.original.as_slice(), difference.port.as_slice()) {
        (lost, []) => format!("lost: {}", words(lost)),
        ([], gained) => format!("gained: {}", words(gained)),
        (old, new) => format!("{}  became  {}", words(old), words(new)),
    }
}

/// An error of the port's compilation.
pub fn error(world: &World<'_>, excuses: &Excuses<'_>, fault: &Fault, view: View) -> Cause {
    let spot = fault.spot.as_ref();
    let place = spot.map(|spot| world.back(spot));
    Cause {
        view: view.to_string(),
        kind: Kind::Error,
        line: place.as_ref().map(|place| place.line),
        path: place.map(|place| place.file),
        message: fault.message.clone(),
        explained_by: spot.map_or_else(Vec::new, |spot| excuses.place(Side::Port, spot)),
    }
}
