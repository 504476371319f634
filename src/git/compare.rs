//! Compares a file of the work tree with git's version of it.

use crate::text::contains;
use std::borrow::Cow;
use std::io::{self, ErrorKind};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use super::object::Id;
use super::repository::ObjectKind;
use crate::files;
use crate::mapping::safety;

/// What lies at a path of the work tree: the text of a file, or the target of a link; `None` where neither is.
///
/// # Errors
/// What the system says.
pub(super) fn text_at(path: &Path, kind: ObjectKind) -> io::Result<Option<Vec<u8>>> {
    let found = match path.symlink_metadata() {
        Ok(found) => found,
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            return Ok(None);
        }
        Err(error) => return Err(error),
    };
    match kind {
        ObjectKind::Link if found.is_symlink() => {
            Ok(Some(path.read_link()?.as_os_str().as_bytes().to_vec()))
        }
        ObjectKind::File if found.is_file() => files::read(path, safety::GIT_BLOB).map(Some),
        _ => Ok(None),
    }
}

/// Whether what lies at a path is what git keeps under this name. One that nobody can tell in reasonable time is not.
///
/// # Errors
/// What the system says.
pub(super) fn is_kept(id: &Id, path: &Path, kind: ObjectKind) -> io::Result<bool> {
    let found = path.symlink_metadata();
    let size = found.map_or(0, |found| if found.is_file() { found.len() } else { 0 });
    match size {
        _ if size <= safety::GIT_BLOB => {
            let text = text_at(path, kind)?;
            Ok(text.is_some_and(|text| is_same(id, &text)))
        }
        _ if size > safety::BYTES_DECOMPRESSED || kind != ObjectKind::File => Ok(false),
        _ => id.is_of_all(files::open(path)?.file, size),
    }
}

/// Whether a text is the one of this name, as it is or with the line ends that git keeps.
fn is_same(id: &Id, text: &[u8]) -> bool {
    if id.is_of(text) {
        return true;
    }
    match without_returns(text) {
        Cow::Owned(plain) => id.is_of(&plain),
        Cow::Borrowed(_) => false,
    }
}

/// A text with `\n` for each `\r\n`.
pub(super) fn without_returns(text: &[u8]) -> Cow<'_, [u8]> {
    if !contains(text, b"\r\n") {
        return Cow::Borrowed(text);
    }
    let mut plain = Vec::with_capacity(text.len());
    let mut bytes = text.iter().peekable();
    while let Some(&byte) = bytes.next() {
        if byte != b'\r' || bytes.peek() != Some(&&b'\n') {
            plain.push(byte);
        }
    }
    Cow::Owned(plain)
}
