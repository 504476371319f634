//! Which lines of a file changed since a revision.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

use super::compare::{is_kept, text_at, without_returns};
use super::object::Id;
use super::repository::{self, ObjectKind, Repository};
use crate::mapping::knowledge::Knowledge;
use crate::mapping::{safety, starts_with_one};
use crate::text::stretches;

/// The lines that are not as they were. A file is compared when somebody asks about it first.
#[derive(Debug, Default)]
pub struct ChangedLines {
    trees: Vec<WorkTree>,
    /// The changed lines of each file, by its canonical path: ranges of lines from 1, the end exclusive; `None` for a file that
    /// did not change.
    compared: RefCell<BTreeMap<PathBuf, Option<Vec<Range<usize>>>>>,
}

/// A work tree, as it is today and as it was.
#[derive(Debug)]
struct WorkTree {
    repository: Repository,
    /// The files that git tracks today.
    today: BTreeMap<PathBuf, ObjectKind>,
    /// The files that git tracked at the revision.
    then: BTreeMap<PathBuf, (Id, ObjectKind)>,
}

impl ChangedLines {
    /// Add what changed in the work tree around `folder` since its line and the revision's parted.
    ///
    /// # Errors
    /// Git's message, or why git could not be run.
    pub fn add(&mut self, folder: &Path, revision: &str) -> Result<(), String> {
        let repository = Repository::containing(folder)?;
        if self
            .trees
            .iter()
            .any(|tree| tree.repository.top == repository.top)
        {
            return Ok(());
        }
        let base = repository.parted(&repository.commit(revision)?)?;
        let top = &repository.top;
        let today = repository::index(top)?.into_iter();
        let then = repository::tree(top, &base)?.into_iter();
        self.trees.push(WorkTree {
            today: today.map(|one| (one.path, one.kind)).collect(),
            then: then.map(|(path, id, kind)| (path, (id, kind))).collect(),
            repository,
        });
        Ok(())
    }

    /// Whether some lines of a file changed, by its canonical path. Without lines: whether the file did at all.
    pub fn touches(&self, path: &Path, lines: Option<Range<usize>>) -> bool {
        let mut compared = self.compared.borrow_mut();
        let changed = compared
            .entry(path.to_owned())
            .or_insert_with(|| self.changed(path));
        changed.as_ref().is_some_and(|changed| match lines {
            Some(lines) => changed
                .iter()
                .any(|one| one.start < lines.end && lines.start < one.end),
            None => true,
        })
    }

    /// The files below a folder that are not as they were, each with its text at the revision; `None` for one that came
    /// since. What can't be read, and what is no file, is left out.
    pub fn texts_before(&self, folder: &Path) -> BTreeMap<PathBuf, Option<Vec<u8>>> {
        let mut texts = BTreeMap::new();
        for tree in &self.trees {
            let top = &tree.repository.top;
            for (path, (id, kind)) in &tree.then {
                let whole = top.join(path);
                if !whole.starts_with(folder) || *kind != ObjectKind::File {
                    continue;
                }
                let is_there = tree.today.contains_key(path);
                if is_there && is_kept(id, &whole, *kind).unwrap_or(true) {
                    continue;
                }
                if let Ok(old) = tree.repository.object(id, safety::GIT_BLOB) {
                    texts.insert(whole, Some(old));
                }
            }
            let came = tree
                .today
                .keys()
                .filter(|path| !tree.then.contains_key(*path));
            let came = came.map(|path| top.join(path));
            texts.extend(
                came.filter(|path| path.starts_with(folder))
                    .map(|path| (path, None)),
            );
        }
        texts
    }

    /// The lines of a file that changed; `None` where it did not, or git does not track it.
    fn changed(&self, path: &Path) -> Option<Vec<Range<usize>>> {
        // The innermost work tree has the file.
        let trees = self.trees.iter();
        let tree = trees
            .filter(|tree| path.starts_with(&tree.repository.top))
            .max_by_key(|tree| tree.repository.top.as_os_str().len())?;
        let inside = path.strip_prefix(&tree.repository.top).ok()?;
        let kind = *tree.today.get(inside)?;
        let whole = || Some(std::iter::once(1..usize::MAX).collect());
        let Some((id, was)) = tree.then.get(inside) else {
            return whole();
        };
        if *was != kind {
            return whole();
        }
        // What can't be compared counts as changed.
        if is_kept(id, path, kind).unwrap_or(false) {
            return None;
        }
        let Ok(Some(text)) = text_at(path, kind) else {
            return whole();
        };
        let Ok(old) = tree.repository.object(id, safety::GIT_BLOB) else {
            return whole();
        };
        Some(added(&without_returns(&old), &without_returns(&text)))
    }
}

/// Whether a line is a directive of the preprocessor's: without it, other lines of the file mean something else.
fn is_directive(line: &[u8]) -> bool {
    let rest = line.trim_ascii_start().strip_prefix(b"#");
    let word = rest.map(<[u8]>::trim_ascii_start);
    let begins = &Knowledge::builtin().files.directives.begin;
    word.is_some_and(|word| starts_with_one(word, begins))
}

/// The lines of `new` that `old` does not have at their place. Where lines are gone, none, but all of the file where one
/// of them was a directive.
fn added(old: &[u8], new: &[u8]) -> Vec<Range<usize>> {
    fn lines(text: &[u8]) -> Vec<&[u8]> {
        text.split_inclusive(|&byte| byte == b'\n').collect()
    }
    let (old, new) = (lines(old), lines(new));
    let front = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let (old, new) = (old.split_at(front).1, new.split_at(front).1);
    let back = old
        .iter()
        .rev()
        .zip(new.iter().rev())
        .take_while(|(a, b)| a == b)
        .count();
    let (old, new) = (
        old.split_at(old.len() - back).0,
        new.split_at(new.len() - back).0,
    );
    let whole = || std::iter::once(1..usize::MAX).collect();
    if (old.len() + new.len()) as u64 > safety::GIT_COMPARED {
        if old.iter().any(|line| is_directive(line)) {
            return whole();
        }
        return std::iter::once(front + 1..front + 1 + new.len()).collect();
    }
    let mut changed = stretches(old, new);
    changed.retain(|one| !one.is_same);
    let gone = changed.iter().filter_map(|one| old.get(one.old.clone()));
    if gone.flatten().any(|line| is_directive(line)) {
        return whole();
    }
    let came = changed.into_iter().filter(|one| !one.new.is_empty());
    came.map(|one| front + one.new.start + 1..front + one.new.end + 1)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_came_or_changed_are_found() {
        let old = b"a\nb\nc\nd\n";
        let new = b"a\nB\nc\nx\ny\nd\n";
        assert_eq!(added(old, new), [2..3, 4..6]);
        assert!(added(old, b"a\nd\n").is_empty());
        // A directive that is gone changes the meaning of lines elsewhere in the file, so all lines count as changed.
        let without = added(b"a\n# ifdef X\nb\n#endif\n", b"a\nb\n");
        assert_eq!(without.as_slice(), std::slice::from_ref(&(1..usize::MAX)));
        assert!(added(b"a\n# a comment\n", b"a\n").is_empty());
    }
}
