//! Collects paths, and applies the rules that all ways of listing share.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use ignore::gitignore::{Gitignore, GitignoreBuilder};

use super::untracked::sources_not_ignored;
use super::{Entry, EntryKind, SkipReason, Skipped, Walk, WalkError, WalkOptions};
use crate::config::{display_path, normalized};
use crate::diagnostic::codes::project::{
    EARLIER_OUTPUT, EMPTY_SUBMODULE, LINK_LEAVES_TREE, SPECIAL_FILE, UNREADABLE,
};
use crate::diagnostic::{Code, Finding};
use crate::git::Listing;
use crate::mapping::safety;
use crate::parallel;

/// The folders above the files that were listed so far.
pub(super) type Folders = HashMap<PathBuf, ParentKind>;

/// The state of the folders above a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ParentKind {
    /// Folders of the tree.
    Plain,
    /// A folder that is left out as a whole.
    LeftOut,
    /// Something that is no folder, or a link to one: the path is not really there.
    NoFolder,
}

pub(super) struct Collector {
    pub(super) walk: Walk,
    /// The files and links that are taken, before anybody looked at them.
    listed: Vec<PathBuf>,
    /// The output, relative to the root, where it lies in it.
    output: Option<PathBuf>,
    exclude: Gitignore,
    /// The path from the folder that the globs are relative to, to the root.
    exclude_prefix: PathBuf,
}

impl Collector {
    pub(super) fn new(root: PathBuf, options: &WalkOptions<'_>) -> Result<Self, WalkError> {
        let output = options
            .output
            .and_then(|output| output.strip_prefix(&root).ok())
            .filter(|output| !output.as_os_str().is_empty())
            .map(Path::to_owned);
        // Globs of a configuration from somewhere else are relative to the root.
        let base = Some(options.exclude_base).filter(|base| root.starts_with(base));
        let exclude_prefix = base
            .and_then(|base| root.strip_prefix(base).ok())
            .map(Path::to_owned)
            .unwrap_or_default();
        let mut builder = GitignoreBuilder::new("");
        let bad_glob = |glob: &str, error: &ignore::Error| WalkError::Glob {
            glob: glob.to_owned(),
            message: error.to_string(),
        };
        for glob in options.exclude {
            builder
                .add_line(None, glob)
                .map_err(|error| bad_glob(glob, &error))?;
        }
        let exclude = builder.build().map_err(|error| bad_glob("", &error))?;
        Ok(Self {
            walk: Walk {
                root,
                ..Walk::default()
            },
            listed: Vec::new(),
            output,
            exclude,
            exclude_prefix,
        })
    }

    pub(super) fn root(&self) -> &Path {
        &self.walk.root
    }

    /// Take what git lists.
    pub(super) fn take_git(&mut self, listing: &Listing) {
        let mut missing = Vec::new();
        let mut tracked: Vec<&PathBuf> = listing.tracked.iter().collect();
        tracked.sort_by(|a, b| a.as_os_str().as_bytes().cmp(b.as_os_str().as_bytes()));
        tracked.dedup();
        let mut folders = Folders::default();
        for path in tracked {
            match self.look_above(path, &mut folders) {
                ParentKind::LeftOut => continue,
                ParentKind::NoFolder => {
                    self.skip(path, SkipReason::Missing, false);
                    missing.push(path);
                    continue;
                }
                ParentKind::Plain if self.leaves_out(path, false) => continue,
                ParentKind::Plain => {}
            }
            match self.walk.root.join(path).symlink_metadata() {
                Ok(found) if found.is_dir() => {
                    self.skip(path, SkipReason::Submodule, true);
                    self.finding(
                        EMPTY_SUBMODULE,
                        path,
                        "this submodule is not checked out, so nothing of it is ported",
                        "run `git submodule update --init` and port again",
                    );
                }
                Ok(_) => self.take(path),
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                    self.skip(path, SkipReason::Missing, false);
                    missing.push(path);
                }
                Err(error) => self.unreadable(path, &error.to_string()),
            }
        }
        for path in &listing.others {
            let is_folder = self.is_folder(path);
            let above = self.look_above(path, &mut folders);
            if above == ParentKind::Plain && !self.leaves_out(path, is_folder) {
                self.skip(path, SkipReason::Untracked, is_folder);
            }
        }
        let forgotten = sources_not_ignored(self.root(), &listing.others);
        self.about_forgotten(&forgotten, &mut folders);
        self.about_missing(&missing, &listing.others);
    }

    /// Take one file or link.
    pub(super) fn take(&mut self, path: &Path) {
        self.listed.push(path.to_owned());
    }

    /// Look at what was taken, on all threads: files and links are entries, and of the rest it is said why they are none.
    fn look_at_listed(&mut self) {
        let listed = std::mem::take(&mut self.listed);
        let looked = parallel::map(&listed, |path| Entry::look(&self.walk.root, path));
        for (path, found) in listed.iter().zip(looked) {
            match found {
                Ok(Some(entry)) => {
                    if let EntryKind::Link(target) = &entry.kind
                        && leaves(path, target)
                    {
                        let message = format!(
                            "this link points out of the tree, to {}: it is kept as it is and not \
                             followed",
                            display_path(target)
                        );
                        let help = "check that its target will be there where the port is used";
                        self.finding(LINK_LEAVES_TREE, path, &message, help);
                    }
                    self.walk.files.push(entry);
                }
                Ok(None) => {
                    self.skip(path, SkipReason::Special, false);
                    self.finding(
                        SPECIAL_FILE,
                        path,
                        "a pipe, socket or device is left out",
                        "make it anew beside the port, if it is needed there",
                    );
                }
                Err(error) => self.unreadable(path, &error.to_string()),
            }
        }
    }

    /// Leave out what can't be read.
    pub(super) fn unreadable(&mut self, path: &Path, error: &str) {
        self.skip(path, SkipReason::Unreadable, false);
        let message = format!("can't be read, so it is not ported: {error}");
        let help = "make it readable and port again";
        self.finding(UNREADABLE, path, &message, help);
    }

    /// An ignore file that does not hold. `file` is its whole path.
    pub(super) fn rules_left(&mut self, file: &Path, why: &str) {
        let path = file
            .strip_prefix(&self.walk.root)
            .unwrap_or(file)
            .to_owned();
        let message = format!("the rules of this ignore file do not hold: {why}");
        let help = "files that it names may be in the output; name them in `exclude`";
        self.finding(UNREADABLE, &path, &message, help);
    }

    /// Leave out.
    pub(super) fn skip(&mut self, path: &Path, reason: SkipReason, folder: bool) {
        self.walk.skipped.push(Skipped {
            path: path.to_owned(),
            reason,
            folder,
        });
    }

    /// The state of the folders above `path`. A folder that is left out is noted once.
    pub(super) fn look_above(&mut self, path: &Path, known: &mut Folders) -> ParentKind {
        let Some(parent) = path
            .parent()
            .filter(|parent| !parent.as_os_str().is_empty())
        else {
            return ParentKind::Plain;
        };
        if let Some(above) = known.get(parent) {
            return *above;
        }
        let above = match self.look_above(parent, known) {
            ParentKind::Plain if self.leaves_out(parent, true) => ParentKind::LeftOut,
            ParentKind::Plain if !self.is_folder(parent) => ParentKind::NoFolder,
            above => above,
        };
        known.insert(parent.to_owned(), above);
        above
    }

    /// Leave out what no way of listing takes: version control, outputs, what the user excludes.
    /// Returns whether it did.
    pub(super) fn leaves_out(&mut self, path: &Path, is_folder: bool) -> bool {
        let name = path.file_name().unwrap_or_default();
        let reason = if safety::VERSION_CONTROL
            .iter()
            .any(|own| name.eq_ignore_ascii_case(own))
        {
            SkipReason::VersionControl
        } else if self.is_output(path, name, is_folder) {
            SkipReason::Output
        } else if self.is_excluded(path, is_folder) {
            SkipReason::Excluded
        } else {
            return false;
        };
        if reason == SkipReason::Output && self.is_earlier_output(path) {
            self.finding(
                EARLIER_OUTPUT,
                path,
                "an earlier port wrote this folder, so it is not input",
                "name it as PATH if it is to be ported again",
            );
        }
        self.skip(path, reason, is_folder);
        true
    }

    /// Whether a glob of the settings leaves a path out.
    pub(super) fn is_excluded(&self, path: &Path, is_folder: bool) -> bool {
        let matched = || {
            self.exclude
                .matched(self.exclude_prefix.join(path), is_folder)
        };
        !self.exclude.is_empty() && matched().is_ignore()
    }

    fn is_output(&self, path: &Path, name: &OsStr, is_folder: bool) -> bool {
        self.output.as_deref() == Some(path)
            || (is_folder
                && (name == safety::STATE
                    || name.as_bytes().starts_with(safety::TEMPORARY.as_bytes())
                    || self.has_manifest(path)))
    }

    /// Whether the folder is the output of another run than this one.
    fn is_earlier_output(&self, path: &Path) -> bool {
        self.output.as_deref() != Some(path) && self.has_manifest(path)
    }

    fn has_manifest(&self, path: &Path) -> bool {
        has_manifest(&self.walk.root.join(path))
    }

    /// Whether `path` is a folder itself, and no link to one.
    fn is_folder(&self, path: &Path) -> bool {
        let full = self.walk.root.join(path);
        full.symlink_metadata().is_ok_and(|found| found.is_dir())
    }

    /// A finding about the tree as a whole.
    pub(super) fn about_tree(&mut self, code: Code, message: &str, help: &str) {
        self.finding(code, Path::new("."), message, help);
    }

    pub(super) fn finding(&mut self, code: Code, path: &Path, message: &str, help: &str) {
        let finding = Finding::whole(code, &display_path(path), message).help(help);
        self.walk.findings.push(finding);
    }

    /// Everything in its order.
    pub(super) fn finish(mut self) -> Walk {
        self.look_at_listed();
        let by_bytes = |a: &Path, b: &Path| a.as_os_str().as_bytes().cmp(b.as_os_str().as_bytes());
        self.walk.files.sort_by(|a, b| by_bytes(&a.path, &b.path));
        self.walk.skipped.sort_by(|a, b| by_bytes(&a.path, &b.path));
        // Git names a folder once for what it tracks in it and once for what it does not.
        self.walk.skipped.dedup();
        self.walk.findings.sort_by(|a, b| {
            (&a.path, a.code.id, &a.message).cmp(&(&b.path, b.code.id, &b.message))
        });
        self.walk.findings.dedup();
        self.walk
    }
}

/// Whether a port wrote a folder.
pub(super) fn has_manifest(folder: &Path) -> bool {
    let manifest = folder.join(safety::MANIFEST).symlink_metadata();
    manifest.is_ok_and(|found| found.is_file())
}

/// Whether a link at `path` with this target points out of the tree, by spelling.
fn leaves(path: &Path, target: &Path) -> bool {
    let parent = path.parent().unwrap_or(Path::new(""));
    target.is_absolute() || normalized(&parent.join(target)).is_none()
}
