//! Compressed texts in one file: a pack.

use std::collections::BTreeMap;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use crate::emit::compressed::{compress, decompressed};
use crate::emit::record::WHOLE;
use crate::mapping::stub::FOLDER;
use blake3::Hash;

/// The first bytes of a pack: its kind and the version of its form. The zero byte makes it binary for git and
/// others.
const MAGIC: &[u8] = b"torchada bases 3\n\0";

/// One text, compressed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::emit) struct Frame {
    /// The hash of the text.
    pub(super) hash: Hash,
    /// The text, compressed.
    bytes: Vec<u8>,
}

impl Frame {
    /// The frame of a text with a hash; `None` for a file that is no text or is too large to be somebody's work. Such
    /// files are not merged.
    pub(in crate::emit) fn of(bytes: &[u8], hash: Hash) -> Option<Self> {
        is_text(bytes).then(|| Self {
            hash,
            bytes: compress(bytes),
        })
    }

    /// The text; `None` where the frame is damaged.
    pub(super) fn text(&self) -> Option<Vec<u8>> {
        let limit = usize::try_from(WHOLE).ok()?;
        let text = decompressed(&self.bytes, limit)?;
        (blake3::hash(&text) == self.hash).then_some(text)
    }
}

/// Whether a file can be merged line by line.
pub(in crate::emit) fn is_text(bytes: &[u8]) -> bool {
    bytes.len() as u64 <= WHOLE && !bytes.contains(&0)
}

/// The texts of a pack, by their paths.
pub(super) type Pack = BTreeMap<PathBuf, Frame>;

/// The bytes of a pack: for each text in the order of the paths the length of the path, the path, the
/// hash of the text, the length of the frame and the frame, with lengths in four bytes, the lowest
/// first.
pub(super) fn bytes(pack: &Pack) -> Vec<u8> {
    let mut out = MAGIC.to_vec();
    for (path, frame) in pack {
        let path = path.as_os_str().as_bytes();
        out.extend((path.len() as u32).to_le_bytes());
        out.extend_from_slice(path);
        out.extend_from_slice(frame.hash.as_bytes());
        out.extend((frame.bytes.len() as u32).to_le_bytes());
        out.extend_from_slice(&frame.bytes);
    }
    out
}

/// The texts of a pack's bytes; `None` where they are damaged or of another form.
pub(super) fn read(bytes: &[u8]) -> Option<Pack> {
    let mut rest = bytes.strip_prefix(MAGIC)?;
    let mut pack = Pack::new();
    while !rest.is_empty() {
        let path = sized(&mut rest)?;
        let (hash, behind) = rest.split_at_checked(blake3::OUT_LEN)?;
        rest = behind;
        let frame = Frame {
            hash: Hash::from_slice(hash).ok()?,
            bytes: sized(&mut rest)?.to_vec(),
        };
        pack.insert(path_of(path), frame);
    }
    Some(pack)
}

fn sized<'a>(rest: &mut &'a [u8]) -> Option<&'a [u8]> {
    let (length, behind) = rest.split_first_chunk()?;
    let (found, behind) = behind.split_at_checked(u32::from_le_bytes(*length) as usize)?;
    *rest = behind;
    Some(found)
}

fn path_of(bytes: &[u8]) -> PathBuf {
    PathBuf::from(std::ffi::OsString::from_vec(bytes.to_vec()))
}

/// The number of the pack that holds a path: so each change of a file is one of a small part of
/// what is kept, and files of one folder are spread over all. Those of the package for run time, which change together,
/// have one: most ports have fewer files of their own than the package.
pub(in crate::emit) fn number(path: &Path) -> u8 {
    let package = Path::new(FOLDER);
    let key = if path.starts_with(package) {
        package
    } else {
        path
    };
    let hash = blake3::hash(key.as_os_str().as_bytes());
    hash.as_bytes().first().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pack_reads_what_it_wrote_and_nothing_damaged() {
        let frame = |text: &[u8]| Frame::of(text, blake3::hash(text)).expect("text");
        let pack = Pack::from([
            (path_of(b"a/\xff"), frame(b"one\n")),
            (path_of(b"b"), frame(b"")),
        ]);
        let written = bytes(&pack);
        assert_eq!(read(&written).as_ref(), Some(&pack));
        assert_eq!(pack[Path::new("b")].text().as_deref(), Some(&b""[..]));
        for length in 1..written.len() {
            let cut = read(&written[..length]);
            assert!(cut.is_none_or(|cut| cut.len() < 2), "{length}");
        }
        let mut damaged = pack[&path_of(b"a/\xff")].clone();
        damaged.bytes.reverse();
        assert_eq!(damaged.text(), None);
        assert_eq!(Frame::of(b"a\0b", blake3::hash(b"a\0b")), None);
    }
}
