//! `torchada port --check`: compares the output with the port that a run would write now.

use std::collections::BTreeSet;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use anyhow::Result;

use super::reporting::as_typed;
use super::shown;
use crate::cli::{Exit, PortArgs};
use crate::commands::Streams;
use crate::commands::analysis::{self, TranslatedTree};
use crate::config::{ConfigError, Mode, Settings, display_path};
use crate::diagnostic::codes::project::UNREADABLE;
use crate::emit::{self, Compared, Content, Differs, FileChange, New, Plan};
use crate::files;
use crate::mapping::safety;
use crate::report::{self, InStep, OutOfStep};
use crate::walk::{WalkOptions, walk};

/// Show how the output differs from a port made now.
///
/// # Errors
/// When there is no output, or it can't be looked at.
pub(super) fn run(
    args: &PortArgs,
    settings: &Settings,
    done: &TranslatedTree,
    plan: &Plan,
    streams: &mut Streams<'_>,
) -> Result<Exit> {
    let shown = as_typed(args, &plan.output);
    if !plan.output.is_dir() {
        return Err(nothing_there(&shown));
    }
    let compared = emit::compare(plan, &there(settings, &plan.output)?)?;
    let unseen = done.walk.findings.iter();
    let unread = done.unread.iter();
    let mut failed: Vec<_> = unread
        .map(analysis::UnreadableFile::finding)
        .chain(unseen.filter(|one| one.code.id == UNREADABLE.id).cloned())
        .chain(compared.failed.iter().map(|failed| {
            let path = failed.source.as_ref().unwrap_or(&failed.path);
            analysis::failed(&display_path(path), &failed.message)
        }))
        .chain(
            done.translated
                .iter()
                .filter(|one| one.failed)
                .flat_map(|one| one.findings.iter().cloned()),
        )
        .collect();
    // What can't be read to be translated can't be read to be compared either.
    let mut named = BTreeSet::new();
    failed.retain(|one| named.insert((one.code.id, one.path.clone())));
    let clean = compared.differs.is_empty()
        && compared.manifest.is_none()
        && compared.edits.conflicts == 0
        && (!args.strict || compared.edited.is_empty());
    if !settings.quiet {
        for differs in &compared.differs {
            diff(plan, differs, streams)?;
        }
        if let Some((old, new)) = &compared.manifest {
            let path = Path::new(emit::MANIFEST);
            emit::diff(&FileChange::of_text(path, path, old, new), streams.out)?;
        }
        // Both may be one terminal.
        streams.out.flush()?;
        report::concise(&failed, streams.err)?;
        report::concise(&compared.findings, streams.err)?;
        let mut step = summary(args, &shown, &compared);
        step.failed = failed.len();
        report::in_step(&step, streams.err)?;
    }
    Ok(match (failed.is_empty(), clean) {
        (false, _) => Exit::Failed,
        (true, false) => Exit::Found,
        (true, true) => Exit::Done,
    })
}

/// Compare an output with its port where nothing changed since the last port, which wrote `files`.
///
/// # Errors
/// When the output can't be listed.
pub(super) fn unchanged(
    args: &PortArgs,
    settings: &Settings,
    output: &Path,
    files: &[PathBuf],
    streams: &mut Streams<'_>,
) -> Result<Exit> {
    if settings.quiet {
        return Ok(Exit::Done);
    }
    let known: BTreeSet<&PathBuf> = files.iter().collect();
    let there = there(settings, output)?;
    let step = InStep {
        input: display_path(&args.path),
        output: as_typed(args, output),
        same: files.len(),
        own: there.iter().filter(|path| !known.contains(path)).count(),
        manifest: true,
        is_listed: true,
        ..InStep::default()
    };
    report::in_step(&step, streams.err)?;
    Ok(Exit::Done)
}

/// Compare the output of one file with its port.
///
/// # Errors
/// When the output is not there, or can't be read.
pub(super) fn file(
    quiet: bool,
    name: &str,
    output: &Path,
    new: &[u8],
    streams: &mut Streams<'_>,
) -> Result<Exit> {
    let shown = display_path(output);
    let old = files::read_named(output, safety::BYTES_SOURCE).map_err(|_| nothing_there(&shown))?;
    if quiet || old == new {
        if !quiet {
            writeln!(streams.err, "{shown} is in step with {name}")?;
        }
        return Ok(if old == new { Exit::Done } else { Exit::Found });
    }
    let path = output.file_name().map_or(output, Path::new);
    emit::diff(&FileChange::of_text(path, path, &old, new), streams.out)?;
    streams.out.flush()?;
    writeln!(
        streams.err,
        "{shown} is not what a port of {name} gives now: the diff brings it in step"
    )?;
    Ok(Exit::Found)
}

fn nothing_there(shown: &str) -> anyhow::Error {
    ConfigError::usage(
        format!("there is no port at {shown} to be checked"),
        "port first, without --check, and commit the result; -o names another place",
    )
    .into()
}

/// The files of the output: what git tracks, or what its ignore files leave.
fn there(settings: &Settings, output: &Path) -> Result<Vec<PathBuf>> {
    // In a layout most files of the tree are the project's own.
    if matches!(settings.mode, Mode::Layout { .. }) {
        return Ok(Vec::new());
    }
    let listed = walk(&WalkOptions {
        root: output,
        output: None,
        exclude: &[],
        exclude_base: output,
        no_ignore: settings.no_ignore,
    })?;
    Ok(listed.files.into_iter().map(|entry| entry.path).collect())
}

/// A file's content as a diff shows it, and whether it is a link.
struct DiffSide {
    bytes: Vec<u8>,
    mode: u32,
    link: bool,
}

impl DiffSide {
    /// The side of a diff that the file on the disk makes.
    fn of(path: &Path) -> Result<Self> {
        let found = path.symlink_metadata()?;
        let link = found.is_symlink();
        Ok(Self {
            bytes: if link {
                path.read_link()?.as_os_str().as_encoded_bytes().to_vec()
            } else {
                shown::content(path)?
            },
            mode: found.permissions().mode(),
            link,
        })
    }

    /// The side of a diff that a port would write. A file that the port adds has the mode of the one that is there.
    fn planned(plan: &Plan, new: &New<'_>, old: Option<&Self>) -> Result<Self> {
        let file = new.file;
        let source = file.source.as_ref();
        let source = source.map(|source| Self::of(&plan.input.join(source)));
        let source = source.transpose()?;
        let mode = source.as_ref().or(old).map_or(0o644, |found| found.mode);
        if let Some(merged) = &new.merged {
            return Ok(Self {
                bytes: merged.clone(),
                mode: old.map_or(mode, |found| found.mode),
                link: false,
            });
        }
        match (&file.content, source) {
            (Content::Copy, Some(source)) => Ok(source),
            (content, _) => Ok(Self {
                bytes: emit::bytes(plan, file)?,
                mode,
                link: matches!(content, Content::Link(_)),
            }),
        }
    }
}

/// One file's diff, from the output's file to the file that a port would write.
fn diff(plan: &Plan, differs: &Differs<'_>, streams: &mut Streams<'_>) -> Result<()> {
    let old = differs.old.as_deref();
    let old_shown = old
        .map(|path| DiffSide::of(&plan.output.join(path)))
        .transpose()?;
    let new = differs.new.as_ref().map(|new| new.path.as_path());
    let new_shown = differs
        .new
        .as_ref()
        .map(|new| DiffSide::planned(plan, new, old_shown.as_ref()))
        .transpose()?;
    let mut one = |old: Option<(&Path, &DiffSide)>, new: Option<(&Path, &DiffSide)>| {
        let either = new.or(old).map(|(_, shown)| shown);
        let change = FileChange {
            old_path: old.map(|(path, _)| path),
            new_path: new.map(|(path, _)| path),
            old: old.map_or(&[], |(_, shown)| &shown.bytes),
            new: new.map_or(&[], |(_, shown)| &shown.bytes),
            old_mode: old.map_or(0o644, |(_, shown)| shown.mode),
            mode: new.map_or(0o644, |(_, shown)| shown.mode),
            link: either.is_some_and(|shown| shown.link),
        };
        emit::diff(&change, streams.out)
    };
    let old = old.zip(old_shown.as_ref());
    let new = new.zip(new_shown.as_ref());
    match (old, new) {
        // As git does it: a file that becomes a link goes, and the link comes.
        (Some((_, before)), Some((_, after))) if before.link != after.link => {
            one(old, None)?;
            one(None, new)?;
        }
        _ => one(old, new)?,
    }
    Ok(())
}

/// The counts of a person's edits, for the report.
pub(super) fn edits(edits: emit::EditCounts) -> report::EditCounts {
    report::EditCounts {
        kept: edits.kept,
        merged: edits.merged,
        conflicts: edits.conflicts,
    }
}

/// The summary of a comparison.
fn summary(args: &PortArgs, shown: &str, compared: &Compared<'_>) -> InStep {
    let mut step = InStep {
        input: display_path(&args.path),
        output: shown.to_owned(),
        same: compared.same,
        own: compared.own,
        edits: edits(compared.edits),
        edited: compared
            .edited
            .iter()
            .map(|path| display_path(path))
            .collect(),
        strict: args.strict,
        failed: 0,
        manifest: compared.has_manifest,
        other_program: compared.other_program.clone(),
        program: emit::TOOL,
        is_listed: compared.manifest.is_none(),
        differs: Vec::new(),
    };
    for differs in &compared.differs {
        let path = display_path(differs.path());
        let source = differs.new.as_ref();
        let source = source.and_then(|new| new.file.source.as_deref());
        let source = source.map(display_path).filter(|source| *source != path);
        let what = match (&differs.old, &differs.new) {
            _ if differs.in_the_way => OutOfStep::InTheWay,
            (Some(old), Some(_)) if differs.is_renamed() => OutOfStep::Renamed(display_path(old)),
            (Some(_), Some(_)) => OutOfStep::Changed,
            (None, _) => OutOfStep::New,
            (Some(_), None) => OutOfStep::Gone,
        };
        step.differs.push(report::Differing {
            path,
            source,
            what,
            edited: differs.edited,
        });
    }
    step
}
