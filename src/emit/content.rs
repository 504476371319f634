//! The content of one output file, and how its bytes are made when it is written.

use std::io;

use blake3::Hash;

use super::plan::Content;
use super::record::source_of;
use super::{OutputFile, Plan, record};
use crate::files;
use crate::mapping::safety;

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
