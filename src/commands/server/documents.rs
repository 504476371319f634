//! The documents that the editor has open.

use std::path::PathBuf;
use std::sync::Arc;

use lsp_types::{TextDocumentContentChangeEvent, Uri};

use super::lines::Lines;
use super::worker::Looked;

/// A document.
#[derive(Debug)]
pub(super) struct Document {
    /// Its name in the protocol.
    pub(super) uri: Uri,
    /// Its file.
    pub(super) path: PathBuf,
    /// The tree that it belongs to, by the tree's key.
    pub(super) tree: PathBuf,
    /// The number of its text.
    pub(super) version: i32,
    /// Its text.
    pub(super) text: Arc<str>,
    /// The lines of the text.
    pub(super) lines: Lines,
    /// What was found in it last, perhaps in an earlier text.
    pub(super) looked: Option<Looked>,
}

impl Document {
    /// Take over what the editor changed, one change after the other.
    pub(super) fn change(&mut self, version: i32, changes: Vec<TextDocumentContentChangeEvent>) {
        let mut text = String::from(&*self.text);
        for change in changes {
            match change.range {
                None => text = change.text,
                Some(range) => {
                    let bytes = self.lines.bytes(&text, range);
                    text.replace_range(bytes.start..bytes.end, &change.text);
                }
            }
            self.lines = Lines::new(&text);
        }
        self.text = text.into();
        self.version = version;
    }

    /// What was found in its text as it is now.
    pub(super) fn current(&self) -> Option<&Looked> {
        self.looked
            .as_ref()
            .filter(|looked| looked.version == self.version)
    }
}
