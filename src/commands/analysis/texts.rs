//! The texts of a tree that are read a second time, so that a run need not hold all of a large tree.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Result, bail};

use crate::files::{self, Stamp};
use crate::mapping::safety;
use crate::project::{FileText, ReadAgain};

/// How many bytes of texts are kept where a run holds all of a tree's, in place of [`safety::BYTES_TEXTS_KEPT`].
pub(super) const KEEP_ALL: u64 = u64::MAX;

/// The texts of a tree.
#[derive(Debug)]
pub(in crate::commands) struct TreeTexts {
    root: PathBuf,
    /// How many bytes are kept at most.
    most: u64,
    /// How many bytes there are.
    all: AtomicU64,
    /// Files that were changed between two readings.
    changed: Mutex<BTreeSet<String>>,
}

impl TreeTexts {
    /// The texts of the tree at `root`, of which at most so many bytes are kept.
    pub(super) fn new(root: PathBuf, most: u64) -> Arc<Self> {
        Arc::new(Self {
            root,
            most,
            all: AtomicU64::new(0),
            changed: Mutex::default(),
        })
    }

    /// The text that the file at a path of the tree has, which was read with a stamp.
    pub(super) fn take(
        self: &Arc<Self>,
        path: &str,
        text: Vec<u8>,
        stamp: Option<Stamp>,
    ) -> FileText {
        if self.most == KEEP_ALL {
            return text.into();
        }
        let length = text.len() as u64;
        let is_kept = self.all.fetch_add(length, Ordering::Relaxed) + length <= self.most;
        let file = TreeFile {
            path: path.into(),
            hash: blake3::hash(&text).into(),
            stamp,
            texts: Arc::clone(self),
        };
        FileText::of_file(text, Arc::new(file), is_kept)
    }

    /// Whether the tree has more text than a run holds.
    pub(super) fn are_forgotten(&self) -> bool {
        self.all.load(Ordering::Relaxed) > self.most
    }

    /// Say which files were changed between two readings.
    ///
    /// # Errors
    /// When one was: the facts that were found in the first reading are not those of the second.
    pub(in crate::commands) fn check(&self) -> Result<()> {
        let changed = self.changed.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(first) = changed.first() {
            let more = match changed.len() - 1 {
                0 => String::new(),
                1 => " and another file".to_owned(),
                others => format!(" and {others} other files"),
            };
            bail!(
                "`{first}`{more} changed while the tree was read; run again once nobody writes to it"
            );
        }
        Ok(())
    }
}

/// A file of a tree.
#[derive(Debug)]
struct TreeFile {
    path: Box<str>,
    hash: [u8; 32],
    stamp: Option<Stamp>,
    texts: Arc<TreeTexts>,
}

impl ReadAgain for TreeFile {
    fn read(&self) -> Vec<u8> {
        let path = self.texts.root.join(&*self.path);
        let read = files::read_stamped(&path, safety::BYTES_SOURCE);
        let is_same = |text: &[u8], stamp: Option<Stamp>| {
            // A file whose stamp is another one may have the same text all the same.
            stamp.is_some() && stamp == self.stamp || blake3::hash(text) == self.hash
        };
        match read {
            Ok((text, stamp)) if is_same(&text, stamp) => text,
            _ => {
                let changed = self.texts.changed.lock();
                let mut changed = changed.unwrap_or_else(PoisonError::into_inner);
                changed.insert(self.path.to_string());
                Vec::new()
            }
        }
    }

    fn hash(&self) -> [u8; 32] {
        self.hash
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use tempfile::TempDir;

    use super::*;

    #[test]
    fn a_file_that_was_changed_ends_the_run() {
        let place = TempDir::new().expect("a temporary folder");
        let (a, b) = (place.path().join("a.py"), place.path().join("b.py"));
        for path in [&a, &b] {
            fs::write(path, "x = 1\n").expect("written");
        }
        let texts = TreeTexts::new(place.path().to_owned(), 6);
        let [first, second] =
            ["a.py", "b.py"].map(|path| texts.take(path, b"x = 1\n".to_vec(), None));
        assert!(texts.are_forgotten());
        assert_eq!(
            (first.in_memory(), second.in_memory()),
            (Some(&b"x = 1\n"[..]), None)
        );
        assert_eq!(&*second, b"x = 1\n");
        texts.check().expect("nothing changed");
        fs::write(&b, "x = 2\n").expect("written");
        assert_eq!(&*second.forgotten(), b"");
        fs::remove_file(&a).expect("removed");
        assert_eq!(
            (&*first, &*first.clone().forgotten()),
            (&b"x = 1\n"[..], &b""[..])
        );
        let fault = texts.check().expect_err("changed").to_string();
        assert!(fault.starts_with("`a.py` and another file changed while the tree was read"));
    }
}
