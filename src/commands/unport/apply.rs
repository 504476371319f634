//! Applies a patch to the port.

use std::path::PathBuf;

use anyhow::{Context as _, Result};
use diffy::patch_set::{FileMode, FileOperation, ParseOptions, PatchSet};

use super::line_ends;
use crate::commands::analysis::TranslatedTree;
use crate::config::ConfigError;
use crate::files;
use crate::mapping::safety;
use crate::stub;
use crate::walk::EntryKind;

/// A file that the patch changes.
#[derive(Debug)]
pub(super) struct Patched {
    /// The file of the tree that it was made of, in the order of the listing; `None` for a new one.
    pub(super) source: Option<usize>,
    /// Its path in the port, after the patch.
    pub(super) path: String,
    /// Its text in the port before; empty for a new one.
    pub(super) old: Vec<u8>,
    /// Its text in the port after; `None` where the patch removes it.
    pub(super) new: Option<Vec<u8>>,
    /// Whether the file that it was made of stays, too.
    pub(super) is_copy: bool,
    /// Whether the file can be run, where the patch says so.
    executable: Option<bool>,
}

impl Patched {
    /// Permission bits before and after.
    pub(super) fn mode(&self, before: &TranslatedTree) -> (u32, u32) {
        let entry = self.source.and_then(|at| before.walk.files.get(at));
        let old = entry.map_or(0o644, |entry| entry.mode);
        let new = match self.executable {
            Some(true) => 0o755,
            Some(false) => 0o644,
            None => old,
        };
        (old, new)
    }
}

/// Apply a patch. `name` is what messages call it.
///
/// # Errors
/// A patch that can't be read, or names or changes what is not in the port.
pub(super) fn apply(patch: &[u8], name: &str, before: &TranslatedTree) -> Result<Vec<Patched>> {
    if patch.trim_ascii().is_empty() {
        return Ok(Vec::new());
    }
    let outputs = before.project.by_output();
    let patches: Vec<_> = PatchSet::parse_bytes(patch, notation(patch))
        .collect::<Result<_, _>>()
        .map_err(|fault| {
            ConfigError::usage(
                format!("{name} can't be read as a patch: {fault}"),
                "hand in what `git diff` or `diff -u` writes",
            )
        })?;
    let mut paths: Vec<Paths> = patches
        .iter()
        .map(|one| Paths::of(one.operation()))
        .collect();
    let folder = folder_of_port(&paths, |path| outputs.contains_key(path)).to_owned();
    for one in &mut paths {
        for path in [&mut one.from, &mut one.to].into_iter().flatten() {
            // One that lies elsewhere keeps its name, and is none of the port's.
            if let Some(inside) = path.strip_prefix(&folder) {
                *path = inside.to_owned();
            }
        }
    }
    let mut found: Vec<Patched> = Vec::new();
    for (one, Paths { from, to, is_copy }) in patches.iter().zip(paths) {
        let shown = to.as_ref().or(from.as_ref()).cloned().unwrap_or_default();
        let source = from.as_ref().map(|from| {
            let at = outputs.get(from.as_str()).copied();
            at.ok_or_else(|| not_there(from))
        });
        let source = source.transpose()?;
        let old = source.map_or(Ok(Vec::new()), |at| ported(before, at))?;
        let Some(text) = one.patch().as_text() else {
            return Err(ConfigError::usage(
                format!("{name} changes {shown}, which is binary"),
                "bring this file over by hand, and leave it out of the patch",
            )
            .into());
        };
        let new = line_ends::applied(&old, text).map_err(|fault| {
            let hunks = text.hunks().iter();
            let line = hunks.map(|hunk| hunk.old_range().start()).nth(number(&fault.to_string()));
            ConfigError::usage(
                format!(
                    "{name} does not fit the port: {shown}:{}: {fault}",
                    line.unwrap_or(1)
                ),
                "make the patch against a port of TREE as it is now, with the same settings and the same torchada; where \
                 edits of yours stand beside the change, leave them out of what stands around it (`git diff -U1`)",
            )
        })?;
        found.push(Patched {
            source,
            path: shown,
            old,
            new: to.is_some().then_some(new),
            is_copy,
            executable: one.new_mode().map(|mode| *mode == FileMode::Executable),
        });
    }
    Ok(found)
}

/// The notation of a patch: git's, or that of `diff -u`.
fn notation(patch: &[u8]) -> ParseOptions {
    let mut lines = patch.split(|&byte| byte == b'\n');
    if lines.any(|line| line.starts_with(b"diff --git ")) {
        ParseOptions::gitdiff()
    } else {
        ParseOptions::unidiff()
    }
}

/// The paths of a file in a patch.
struct Paths {
    from: Option<String>,
    to: Option<String>,
    is_copy: bool,
}

impl Paths {
    fn of(operation: &FileOperation<'_, [u8]>) -> Self {
        let (from, to, is_copy) = match &operation.strip_prefix(usize::from(!is_moved(operation))) {
            FileOperation::Delete(path) => (Some(path_of(path)), None, false),
            FileOperation::Create(path) => (None, Some(path_of(path)), false),
            FileOperation::Modify { original, modified } => {
                (Some(path_of(original)), Some(path_of(modified)), false)
            }
            FileOperation::Rename { from, to } => (Some(path_of(from)), Some(path_of(to)), false),
            FileOperation::Copy { from, to } => (Some(path_of(from)), Some(path_of(to)), true),
        };
        Self { from, to, is_copy }
    }
}

/// The folder that a port lies in, with a slash, where the patch names files from the top of a repository around it;
/// empty where it names them from the port's own folder.
fn folder_of_port(paths: &[Paths], is_there: impl Fn(&str) -> bool) -> &str {
    let known = paths.iter().filter_map(|one| one.from.as_deref());
    if known.clone().any(&is_there) {
        return "";
    }
    let folder = |path: &'_ str| {
        let mut ends = path.match_indices('/').map(|(at, _)| at + 1);
        ends.find(|&end| path.get(end..).is_some_and(&is_there))
    };
    let mut found = known.filter_map(|path| path.get(..folder(path)?));
    found.next().unwrap_or("")
}

/// Whether git writes the paths of an operation without `a/` and `b/`.
fn is_moved(operation: &FileOperation<'_, [u8]>) -> bool {
    matches!(
        operation,
        FileOperation::Rename { .. } | FileOperation::Copy { .. }
    )
}

fn path_of(path: &[u8]) -> String {
    String::from_utf8_lossy(path).into_owned()
}

/// The place of a hunk in its list, from the message that names it, such as `error applying hunk #1`.
fn number(message: &str) -> usize {
    let digits = message.chars().filter(char::is_ascii_digit);
    let number: String = digits.collect();
    number.parse::<usize>().unwrap_or(1).saturating_sub(1)
}

fn not_there(path: &str) -> ConfigError {
    if path.starts_with(&format!("{}/", stub::FOLDER)) {
        return ConfigError::usage(
            format!("{path} is not of the tree: the port itself writes it"),
            "bring changes of the package for run time to torchada, and leave them out of the patch",
        );
    }
    ConfigError::usage(
        format!("the port has no file {path}"),
        "make the patch of the port's own folder alone (`git -C PORT diff --relative`), against a port of TREE with \
         the same settings",
    )
}

/// The text of a file in the port.
pub(super) fn ported(before: &TranslatedTree, at: usize) -> Result<Vec<u8>> {
    let old = original(before, at)?;
    let done = before.translated.get(at);
    Ok(done.map_or_else(|| old.clone(), |done| done.text(&old).into_owned()))
}

/// The text of a file in the tree.
pub(super) fn original(before: &TranslatedTree, at: usize) -> Result<Vec<u8>> {
    if let Some(text) = before
        .project
        .files
        .get(at)
        .and_then(|file| file.text.as_ref())
    {
        return Ok(text.to_vec());
    }
    let Some(entry) = before.walk.files.get(at) else {
        return Ok(Vec::new());
    };
    if let EntryKind::Link(target) = &entry.kind {
        return Err(ConfigError::usage(
            format!(
                "{} is a link, to {}",
                entry.path.display(),
                target.display()
            ),
            "change the file that it leads to, or bring the link over by hand",
        )
        .into());
    }
    let path: PathBuf = before.walk.root.join(&entry.path);
    files::read(&path, safety::BYTES_SOURCE)
        .with_context(|| format!("can't read {}", path.display()))
}
