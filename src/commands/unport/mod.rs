//! `torchada unport`: a patch against a port becomes one against the tree that was ported.
//!
//! Architecture invariant: the result is ported again, and what does not become what the patch makes of the port is
//! named. A name that went back wrongly is never handed on without a word.

mod apply;
mod assembly;
mod compare;
mod line_ends;
mod new_stretch;
mod origins;
mod pieces;
mod prose;
mod restored_names;
mod words;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::{Context as _, Result};

use crate::cli::{Exit, PortArgs, UnportArgs};
use crate::commands::Streams;
use crate::commands::analysis::{self, FileOverlay, Run, TranslatedTree};
use crate::commands::own_file::{OwnFile, is_same_file};
use crate::config::{ConfigError, Settings, display_path};
use crate::emit::{self, FileChange};
use crate::files;
use crate::mapping::safety;
use crate::report::one_line;
use apply::Patched;
use compare::{Unlike, compare};
use restored_names::Back;
use words::OldNames;

/// How often the result is ported, with other names where they did not fit.
const ROUNDS: usize = 6;

/// Run the command.
///
/// # Errors
/// A patch that can't be read, or does not fit the port.
pub fn run(args: &UnportArgs, streams: &mut Streams<'_>) -> Result<Exit> {
    if let Some(path) = &args.output {
        let place = OwnFile {
            path,
            option: "-o",
            otherwise: "no patch that `unport` could have written",
        };
        // One that changes nothing is empty.
        let is_patch = |text: &[u8]| text.is_empty() || text.starts_with(b"diff --git ");
        place.check(|text| is_patch(text) && !is_same_file(path, &args.patch))?;
    }
    let patch = read(args, streams)?;
    let port = PortArgs {
        path: args.input.clone(),
        dry_run: true,
        shared: args.shared.clone(),
        ..PortArgs::default()
    };
    let settings = Settings::port(&port, streams.environment)?;
    if !args.input.is_dir() {
        return Err(ConfigError::usage(
            format!("{} is not a folder", display_path(&args.input)),
            "name the tree that was ported with --input",
        )
        .into());
    }
    analysis::with_context(&settings, |run| whole(args, &patch, run, streams))
}

fn read(args: &UnportArgs, streams: &mut Streams<'_>) -> Result<Vec<u8>> {
    if args.patch.as_os_str() != "-" {
        let cannot = || format!("can't read {}", args.patch.display());
        return files::read_named(&args.patch, safety::BYTES_PATCH).with_context(cannot);
    }
    files::read_from(&mut streams.input, safety::BYTES_PATCH).context("can't read standard input")
}

fn whole(args: &UnportArgs, patch: &[u8], run: Run<'_>, streams: &mut Streams<'_>) -> Result<Exit> {
    let before = analysis::tree(run, streams.progress)?;
    let name = match display_path(&args.patch) {
        name if name == "-" => "the patch on standard input".to_owned(),
        name => name,
    };
    let patched = apply::apply(patch, &name, &before)?;
    let words = OldNames::new(&before, &patched, run.context);
    let mut files: Vec<Back> = patched
        .iter()
        .map(|one| Back::new(one, &before, &words))
        .collect::<Result<_>>()?;
    let progress = streams.progress;
    let compared = |files: &[Back]| -> Result<Vec<Unlike>> {
        let after = analysis::tree_with(run, &instead(files), progress)?;
        Ok(compare(&patched, &before, &after))
    };
    let mut unlike = compared(&files)?;
    for _ in 1..ROUNDS {
        let mut tried = false;
        for (file, one) in files.iter_mut().zip(&patched) {
            tried |= file.try_others(&unlike, &one.path);
        }
        if !tried {
            break;
        }
        unlike = compared(&files)?;
    }
    let mut taken = false;
    for (file, one) in files.iter_mut().zip(&patched) {
        taken |= file.take_likeliest(&unlike, &one.path);
    }
    if taken {
        unlike = compared(&files)?;
    }
    streams.progress.end();
    write(args, &files, &patched, &before, streams)?;
    let mut left = Vec::new();
    for (file, one) in files.iter().zip(&patched) {
        let (in_code, in_texts) = file.left(&one.path);
        left.extend(in_code);
        if !args.quiet {
            for note in file.notes(&one.path).iter().chain(&in_texts) {
                writeln!(streams.err, "note: {}", one_line(note))?;
            }
        }
    }
    for one in &unlike {
        writeln!(streams.err, "{}", one_line(&one.to_string()))?;
    }
    for one in &left {
        writeln!(streams.err, "{}", one_line(one))?;
    }
    Ok(if unlike.is_empty() && left.is_empty() {
        Exit::Done
    } else {
        Exit::Partial
    })
}

/// The tree with CUDA's names as the patch makes it.
fn instead(files: &[Back]) -> FileOverlay {
    let mut texts: BTreeMap<String, Option<Vec<u8>>> = BTreeMap::new();
    let gone: BTreeSet<&String> = files.iter().filter_map(|file| file.gone()).collect();
    for path in gone {
        texts.insert(path.clone(), None);
    }
    for file in files {
        if let Some(path) = &file.new_path {
            texts.insert(path.clone(), Some(file.text()));
        }
    }
    FileOverlay { texts, adds: true }
}

/// Write the patch.
fn write(
    args: &UnportArgs,
    files: &[Back],
    patched: &[Patched],
    before: &TranslatedTree,
    streams: &mut Streams<'_>,
) -> Result<()> {
    let mut order: Vec<(&Back, &Patched)> = files.iter().zip(patched).collect();
    order.sort_by_key(|(file, _)| (file.old_path.clone(), file.new_path.clone()));
    let mut out: Vec<u8> = Vec::new();
    for (file, one) in order {
        let new = file.text();
        let mode = one.mode(before);
        let change = FileChange {
            old_path: file.old_path.as_deref().map(Path::new),
            new_path: file.new_path.as_deref().map(Path::new),
            old: &file.old,
            new: if file.new_path.is_some() { &new } else { &[] },
            old_mode: mode.0,
            mode: mode.1,
            link: false,
        };
        emit::diff(&change, &mut out)?;
    }
    if let Some(path) = &args.output {
        emit::file(path, &out, true, None)?;
    } else {
        streams.out.write_all(&out)?;
        streams.out.flush()?;
    }
    Ok(())
}
