//! `torchada port --watch`: ports again whenever something of the input changed, and says what that came to.
//!
//! The program looks at the input again and again instead of asking the system to report changes: that works on every file
//! system. It pauses between two looks, so that they take a small part of one core's time.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::Result;

use super::one_port::once;
use crate::cli::{Exit, PortArgs, WriteArgs};
use crate::commands::findings::new_since;
use crate::commands::{Streams, advice, analysis};
use crate::config::{CONFIG_NAMES, ConfigError, Mode, Settings, display_path};
use crate::diagnostic::Finding;
use crate::report::{self, Report, Round};
use crate::walk::Entry;

/// The shortest pause between two looks at the input.
const PAUSE: Duration = Duration::from_millis(200);

/// How many times as long as the look before it a pause takes.
const REST: u32 = 20;

/// How long an input has to stay as it is before it is ported: who saves one file may be about to save more.
const QUIET: Duration = Duration::from_millis(100);

/// How often a port waits, at most, for an input that goes on changing.
const PATIENCE: usize = 50;

/// The files of an input, as they were at some time.
type InputFiles = BTreeMap<PathBuf, Entry>;

/// Port, and again after each change, until the program is ended.
///
/// # Errors
/// When the first port can't be done, or the reader of the messages is gone.
pub(super) fn run(args: &PortArgs, streams: &mut Streams<'_>) -> Result<Exit> {
    let mut settings = Settings::port(args, streams.environment)?;
    if matches!(settings.mode, Mode::Stdin { .. }) {
        return Err(ConfigError::usage(
            "standard input can't be watched",
            "--watch is for a tree or a file",
        )
        .into());
    }
    let mut seen = look(args, &settings);
    let mut last = once(args, streams)?.report;
    if !settings.quiet {
        report::watching(&display_path(&args.path), streams.err)?;
    }
    let again = PortArgs {
        write: WriteArgs {
            quiet: true,
            ..args.write.clone()
        },
        ..args.clone()
    };
    loop {
        let now = changed(args, &settings, &seen);
        let paths = different(&seen, &now);
        seen = now;
        let began = Instant::now();
        let done = once(&again, streams);
        if let Ok(new) = Settings::port(args, streams.environment) {
            settings = new;
        }
        let written = match done {
            Ok(written) => written,
            Err(error) => {
                let advice = advice(&error);
                report::failed_round(&paths, &format!("{error:#}"), advice, streams.err)?;
                continue;
            }
        };
        if !settings.quiet {
            let (new, gone) = new_since(findings(last.as_ref()), findings(written.report.as_ref()));
            let round = Round {
                paths,
                took: began.elapsed(),
                new,
                gone,
                report: written.report.as_ref(),
            };
            report::round(&round, streams.err)?;
        }
        last = written.report;
    }
}

/// Wait until something of the input is not as it was `seen`, and until it stays as it is.
fn changed(args: &PortArgs, settings: &Settings, seen: &InputFiles) -> InputFiles {
    let mut now;
    loop {
        let began = Instant::now();
        now = look(args, settings);
        if now != *seen {
            break;
        }
        sleep(PAUSE.max(began.elapsed() * REST));
    }
    for _ in 0..PATIENCE {
        sleep(QUIET);
        let before = std::mem::replace(&mut now, look(args, settings));
        if now == before {
            break;
        }
    }
    now
}

/// The input as it is: its files, and those that say how it is ported. What can't be looked at is not there.
fn look(args: &PortArgs, settings: &Settings) -> InputFiles {
    let root = match &settings.mode {
        Mode::File { input, .. } => return one(input).into_iter().collect(),
        _ => settings.root(),
    };
    let listed = root.and_then(|root| Some((root, analysis::listing(settings, root).ok()?)));
    let mut seen: InputFiles = listed
        .into_iter()
        .flat_map(|(_, walk)| walk.files)
        .map(|entry| (entry.path.clone(), entry))
        .collect();
    let configurations = root
        .into_iter()
        .flat_map(|root| CONFIG_NAMES.map(|name| root.join(name)));
    let others = settings.config_file.iter().cloned().chain(configurations);
    let others = others.chain(args.shared.mapping.iter().cloned());
    let others = others.chain(args.shared.facts.iter().cloned());
    let others: Vec<(PathBuf, Entry)> = others.filter_map(|path| one(&path)).collect();
    for (path, entry) in others {
        let inside = root.and_then(|root| path.strip_prefix(root).ok().map(Path::to_owned));
        seen.insert(inside.unwrap_or(path), entry);
    }
    seen
}

fn one(path: &Path) -> Option<(PathBuf, Entry)> {
    let entry = Entry::look(Path::new("/"), &std::path::absolute(path).ok()?);
    Some((path.to_owned(), entry.ok()??))
}

/// The paths that two looks see different.
fn different(before: &InputFiles, now: &InputFiles) -> Vec<String> {
    let gone = before.keys().filter(|path| !now.contains_key(*path));
    let others = now
        .iter()
        .filter(|(path, entry)| before.get(*path) != Some(entry));
    let mut paths: Vec<&PathBuf> = gone.chain(others.map(|(path, _)| path)).collect();
    paths.sort();
    paths.into_iter().map(|path| display_path(path)).collect()
}

fn findings(report: Option<&Report>) -> &[Finding] {
    report.map_or(&[], |report| &report.findings)
}
