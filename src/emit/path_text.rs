//! Paths in JSON, without loss.

use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// A path: text where it is UTF-8, else its bytes in hexadecimal.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum PathText {
    /// A path that is UTF-8.
    Text(String),
    /// Any other.
    Bytes {
        /// Two digits for each byte.
        hex: String,
    },
}

impl From<&Path> for PathText {
    fn from(path: &Path) -> Self {
        match path.to_str() {
            Some(text) => Self::Text(text.to_owned()),
            None => Self::Bytes {
                hex: hex(path.as_os_str().as_bytes()),
            },
        }
    }
}

fn hex(bytes: &[u8]) -> String {
    const DIGITS: [char; 16] = [
        '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f',
    ];
    let halves = bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    halves
        .filter_map(|half| DIGITS.get(usize::from(half)))
        .collect()
}

impl PathText {
    /// The path as messages show it.
    pub(super) fn shown(&self) -> String {
        match self {
            Self::Text(text) => format!("`{}`", text.escape_debug()),
            Self::Bytes { hex } => format!("the bytes `{}`", hex.escape_debug()),
        }
    }

    /// The path; `None` for digits that are none.
    pub fn to_path(&self) -> Option<PathBuf> {
        match self {
            Self::Text(text) => Some(PathBuf::from(text)),
            Self::Bytes { hex } => {
                let pairs = hex.as_bytes().chunks(2);
                let bytes: Option<Vec<u8>> = pairs
                    .map(|pair| {
                        let digits = std::str::from_utf8(pair).ok()?;
                        u8::from_str_radix(digits, 16).ok()
                    })
                    .collect();
                Some(PathBuf::from(OsString::from_vec(bytes?)))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::ffi::OsStr;

    use super::*;

    #[test]
    fn paths_that_are_no_utf8_come_back_as_they_were() {
        let path = Path::new(OsStr::from_bytes(b"a/\xff\x00b"));
        assert_eq!(PathText::from(path).to_path().as_deref(), Some(path));
    }
}
