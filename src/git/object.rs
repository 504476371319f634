//! Git's name for a text: the hash of its kind, its length and its bytes.

use std::fmt;
use std::io::{self, Read};

use sha1::{Digest, Sha1};
use sha2::Sha256;

/// The name of an object.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Id {
    /// The name in a repository whose objects are named by SHA-1.
    Sha1([u8; 20]),
    /// The name in a repository whose objects are named by SHA-256.
    Sha256([u8; 32]),
}

impl Id {
    /// Read an id from hexadecimal digits.
    pub(super) fn read(digits: &[u8]) -> Option<Self> {
        let mut bytes = Vec::with_capacity(32);
        for pair in digits.chunks(2) {
            let digits = std::str::from_utf8(pair).ok()?;
            bytes.push(u8::from_str_radix(digits, 16).ok()?);
        }
        match bytes.len() {
            20 => bytes.try_into().ok().map(Self::Sha1),
            32 => bytes.try_into().ok().map(Self::Sha256),
            _ => None,
        }
    }

    /// Whether it is the name of a file with these bytes.
    pub(super) fn is_of(&self, text: &[u8]) -> bool {
        self.is_of_all(text, text.len() as u64).unwrap_or(false)
    }

    /// Whether it is the name of a file with all the bytes that come, which are so many.
    pub(super) fn is_of_all(&self, text: impl Read, size: u64) -> io::Result<bool> {
        match self {
            Self::Sha1(own) => Ok(hash::<Sha1>(text, size)? == own),
            Self::Sha256(own) => Ok(hash::<Sha256>(text, size)? == own),
        }
    }
}

fn hash<D: Digest>(mut text: impl Read, size: u64) -> io::Result<Vec<u8>> {
    let mut hasher = D::new_with_prefix(format!("blob {size}\0"));
    let mut part = vec![0; 64 * 1024];
    loop {
        match text.read(&mut part)? {
            0 => return Ok(hasher.finalize().to_vec()),
            length => hasher.update(part.get(..length).unwrap_or_default()),
        }
    }
}

impl fmt::Display for Id {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes: &[u8] = match self {
            Self::Sha1(bytes) => bytes,
            Self::Sha256(bytes) => bytes,
        };
        bytes.iter().try_for_each(|byte| write!(out, "{byte:02x}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_has_the_name_that_git_gives_it() {
        let id = Id::read(b"ce013625030ba8dba906f756967f9e9ca394464a").expect("digits");
        assert!(id.is_of(b"hello\n"));
        assert!(!id.is_of(b"hello"));
        assert_eq!(id.to_string(), "ce013625030ba8dba906f756967f9e9ca394464a");
        let id = Id::read(b"2cf8d83d9ee29543b34a87727421fdecb7e3f3a183d337639025de576db9ebb4");
        assert!(id.expect("digits").is_of(b"hello\n"));
    }
}
