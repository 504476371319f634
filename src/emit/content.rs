//! What one output file holds, and how its bytes come about when it is written.

use std::io;
use std::path::PathBuf;

use blake3::Hash;

use super::record::{self, source_of};
use super::{OutputFile, Plan};
use crate::edit::Edits;
use crate::files;
use crate::mapping::safety;

/// What one output file holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Content {
    /// The bytes and the mode of the source, unchanged.
    Copy,
    /// The source with edits; the mode is the source's.
    Edited(Edited),
    /// These bytes; the mode is the source's, where there is one.
    Text(Vec<u8>),
    /// A symbolic link with this target, as it is to be written.
    Link(PathBuf),
}

/// Edits to a source, which is read again when they are applied: so no run keeps all its texts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edited {
    edits: Edits,
    source: Hash,
    result: Hash,
}

impl Edited {
    /// Edits to `source`.
    pub fn new(edits: Edits, source: &[u8]) -> Self {
        Self {
            source: blake3::hash(source),
            result: blake3::hash(&edits.apply(source).text),
            edits,
        }
    }

    /// The hash of the bytes that come of it.
    pub(super) fn result(&self) -> Hash {
        self.result
    }

    /// Apply the edits.
    ///
    /// # Errors
    /// Where `source` is not what the edits were made for.
    pub fn apply(&self, source: &[u8]) -> io::Result<Vec<u8>> {
        if blake3::hash(source) != self.source {
            return Err(io::Error::new(
                io::ErrorKind::InvalidData,
                "the source was changed while it was ported; port again",
            ));
        }
        Ok(self.edits.apply(source).text)
    }
}

/// The hash of a file's source, where the file's own is another; `None` for a copy or a link, for a
/// file without a source, and where it can't be read.
pub(super) fn source_hash(plan: &Plan, file: &OutputFile) -> Option<Hash> {
    match &file.content {
        Content::Edited(edited) => Some(edited.source),
        Content::Text(_) => record::hash_file(&source_of(plan, file).ok()?).ok(),
        Content::Copy | Content::Link(_) => None,
    }
}

/// The bytes of a file of the plan, as far as a port takes it into memory; of a link, its target.
///
/// # Errors
/// Where its source can't be read, or changed since it was translated.
pub fn bytes(plan: &Plan, file: &OutputFile) -> io::Result<Vec<u8>> {
    match &file.content {
        Content::Copy => source(plan, file),
        Content::Edited(edited) => edited.apply(&source(plan, file)?),
        Content::Text(bytes) => Ok(bytes.clone()),
        Content::Link(target) => Ok(target.as_os_str().as_encoded_bytes().to_vec()),
    }
}

/// The bytes of a file's source, as many as a port takes into memory.
fn source(plan: &Plan, file: &OutputFile) -> io::Result<Vec<u8>> {
    files::read(&source_of(plan, file)?, safety::BYTES_SOURCE)
}

/// The bytes of a file of the plan; `None` for a copy that is too large to be somebody's text.
pub(super) fn text(plan: &Plan, file: &OutputFile) -> io::Result<Option<Vec<u8>>> {
    let is_large = file.content == Content::Copy
        && source_of(plan, file)?.symlink_metadata()?.len() > record::WHOLE;
    if is_large {
        return Ok(None);
    }
    bytes(plan, file).map(Some)
}
