//! The repository around a folder.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use super::ask::ask;
use super::object::Id;
use crate::files;
use crate::mapping::safety;

/// What git itself opens in its folder before it answers anything. Where one of them is a pipe, git would wait
/// for ever; where one has no end, git would read until memory is full.
const OPENED: [&str; 7] = [
    "HEAD",
    "commondir",
    "config",
    "config.worktree",
    "index",
    "packed-refs",
    "shallow",
];

/// A work tree of git's.
#[derive(Clone, Debug)]
pub(super) struct Repository {
    /// The folder that has the `.git`.
    pub(super) top: PathBuf,
}

/// A file in the index.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Indexed {
    /// Relative to the folder of the query.
    pub(super) path: PathBuf,
    /// Git's name for the content.
    pub(super) id: Id,
    /// A file, a link or a submodule.
    pub(super) kind: ObjectKind,
    /// Whether the index keeps two sides of a merge for it.
    pub(super) is_conflict: bool,
    /// Whether it is left out of the work tree on purpose (a sparse checkout).
    pub(super) is_left_out: bool,
}

/// The kinds of objects at a path of a revision or of the index.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ObjectKind {
    File,
    Link,
    Submodule,
}

impl ObjectKind {
    /// The kind of object that has a mode, as git writes modes.
    fn of(mode: &[u8]) -> Option<Self> {
        match mode {
            b"100644" | b"100755" | b"100664" => Some(Self::File),
            b"120000" => Some(Self::Link),
            b"160000" => Some(Self::Submodule),
            _ => None,
        }
    }
}

/// The folder at or above `root` that has a `.git`. Git need not be there.
pub fn top(root: &Path) -> Option<&Path> {
    root.ancestors()
        .find(|folder| folder.join(".git").symlink_metadata().is_ok())
}

/// Whether `root` lies in a git work tree, by the `.git` at or above it. Git need not be there.
pub fn covers(root: &Path) -> bool {
    top(root).is_some()
}

impl Repository {
    /// The one around a folder, whose path is canonical.
    ///
    /// # Errors
    /// Why git can't be run for the folder.
    pub(super) fn containing(folder: &Path) -> Result<Self, String> {
        let top = top(folder).ok_or("there is no .git at or above it")?;
        let own = top.join(".git");
        for name in OPENED {
            let Ok(found) = own.join(name).metadata() else {
                continue;
            };
            if !found.is_file() {
                return Err(format!(".git/{name} is no regular file"));
            }
            if found.len() > safety::GIT_OPENED {
                let most = safety::GIT_OPENED;
                return Err(format!(".git/{name} has more than {most} bytes"));
            }
        }
        // The configuration of a repository can name another folder as its work tree.
        let answer = ask(top, &["rev-parse", "--show-toplevel"])?;
        let answer = answer.strip_suffix(b"\n").unwrap_or(&answer);
        if Path::new(OsStr::from_bytes(answer)) != top {
            return Err("its .git belongs to another work tree".to_owned());
        }
        Ok(Self {
            top: top.to_owned(),
        })
    }

    /// The commit that a revision names; `None` where nothing is called so.
    pub(super) fn commit(&self, revision: &str) -> Result<String, String> {
        let name = format!("{revision}^{{commit}}");
        let unknown = || format!("`{revision}` is no revision");
        let question = ["rev-parse", "--verify", "--end-of-options", &name];
        let answer = ask(&self.top, &question).map_err(|message| {
            let is_unknown = message.contains("Needed a single revision");
            if is_unknown { unknown() } else { message }
        })?;
        // Some versions of git repeat the option.
        let text = String::from_utf8_lossy(&answer);
        let commit = text.lines().last().unwrap_or_default();
        if commit.is_empty() || !commit.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(unknown());
        }
        Ok(commit.to_owned())
    }

    /// The commit at which the line of a commit and today's parted.
    pub(super) fn parted(&self, commit: &str) -> Result<String, String> {
        let answer = ask(&self.top, &["merge-base", commit, "HEAD"]).map_err(|message| {
            if message.starts_with("it failed") {
                "the two have no commit in common".to_owned()
            } else {
                message
            }
        })?;
        Ok(String::from_utf8_lossy(&answer).trim().to_owned())
    }

    /// The bytes of an object, at most `limit` of them.
    pub(super) fn object(&self, id: &Id, limit: u64) -> Result<Vec<u8>, String> {
        let name = id.to_string();
        let size = ask(&self.top, &["cat-file", "-s", &name])?;
        let size = String::from_utf8_lossy(&size).trim().parse::<u64>();
        if size.map_err(|error| error.to_string())? > limit {
            return Err(format!("{name} has more than {limit} bytes"));
        }
        ask(&self.top, &["cat-file", "blob", &name])
    }
}

/// The entries of the index below a folder in a work tree that [`Repository::containing`] found sound. Entries that lead
/// out of the folder are left out.
pub(super) fn index(folder: &Path) -> Result<Vec<Indexed>, String> {
    let answer = ask(folder, &["ls-files", "-z", "-s", "-t"])?;
    Ok(entries(&answer).filter_map(indexed).collect())
}

/// The files of a revision, with their paths relative to the folder.
pub(super) fn tree(
    folder: &Path,
    revision: &str,
) -> Result<Vec<(PathBuf, Id, ObjectKind)>, String> {
    let answer = ask(folder, &["ls-tree", "-r", "-z", revision])?;
    Ok(entries(&answer).filter_map(listed).collect())
}

fn entries(answer: &[u8]) -> impl Iterator<Item = &[u8]> {
    answer
        .split(|&byte| byte == 0)
        .filter(|entry| !entry.is_empty())
}

/// `H 100644 OID 0<tab>path`.
fn indexed(entry: &[u8]) -> Option<Indexed> {
    let (head, path) = split(entry)?;
    let mut words = head.split(|&byte| byte == b' ');
    let (tag, mode, id, stage) = (words.next()?, words.next()?, words.next()?, words.next()?);
    Some(Indexed {
        path,
        id: Id::read(id)?,
        kind: ObjectKind::of(mode)?,
        is_conflict: stage != b"0",
        is_left_out: tag == b"S",
    })
}

/// `100644 blob OID<tab>path`.
fn listed(entry: &[u8]) -> Option<(PathBuf, Id, ObjectKind)> {
    let (head, path) = split(entry)?;
    let mut words = head.split(|&byte| byte == b' ');
    let (mode, _, id) = (words.next()?, words.next()?, words.next()?);
    Some((path, Id::read(id)?, ObjectKind::of(mode)?))
}

/// The words before the tab, and the path, where that is one below the folder: git does not look at the paths of
/// an index that somebody else wrote.
fn split(entry: &[u8]) -> Option<(&[u8], PathBuf)> {
    let tab = entry.iter().position(|&byte| byte == b'\t')?;
    let (head, path) = entry.split_at(tab);
    let path = Path::new(OsStr::from_bytes(path.get(1..)?));
    files::is_plain(path).then(|| (head, path.to_owned()))
}
