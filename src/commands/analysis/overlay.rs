//! Texts that replace the contents of files on the disk.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::config::display_path;
use crate::walk::{Entry, EntryKind, Trace, Walk};

/// Texts that count in place of what the disk has, by paths relative to the root.
#[derive(Clone, Default, Debug)]
pub struct FileOverlay {
    /// The text of a file; `None` for one that counts as not there.
    pub texts: BTreeMap<String, Option<Vec<u8>>>,
    /// Whether a file that the disk lacks counts as there.
    pub adds: bool,
}

impl FileOverlay {
    /// List what it changes.
    pub(super) fn lay(&self, walk: &mut Walk) {
        if !self.adds {
            return;
        }
        let texts = &self.texts;
        walk.files
            .retain(|entry| !matches!(texts.get(&display_path(&entry.path)), Some(None)));
        for (path, text) in texts {
            if let Some(text) = text {
                walk.take(Entry {
                    path: PathBuf::from(path),
                    kind: EntryKind::File,
                    mode: 0o644,
                    size: text.len() as u64,
                    trace: Trace::default(),
                });
            }
        }
    }
}
