//! Paths as people see them, and as the run compares them.

use std::fmt::Write as _;
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};

/// A path as findings and reports show it: `/` between components, and `\xHH` for each byte
/// that is not valid UTF-8.
pub fn display_path(path: &Path) -> String {
    let bytes = path.as_os_str().as_bytes();
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        for byte in chunk.invalid() {
            // Writing to a string can't fail.
            let _ = write!(text, "\\x{byte:02x}");
        }
    }
    text
}

/// `path` without `.` and with each `..` taken back against the component before it. Purely by
/// spelling: links are not resolved. `None` when it climbs out of its start.
pub fn normalized(path: &Path) -> Option<PathBuf> {
    let mut out = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                if !out.pop() {
                    return None;
                }
            }
            other => out.push(other),
        }
    }
    Some(out)
}

/// The absolute path of something that need not be there: as much as is there is resolved
/// through the file system, the rest is kept as it is spelled.
///
/// # Errors
/// When the current folder is gone, or a part that is there can't be resolved.
pub fn absolute(path: &Path) -> std::io::Result<PathBuf> {
    let full = std::path::absolute(path)?;
    let mut rest = Vec::new();
    let mut there = full.as_path();
    loop {
        match there.canonicalize() {
            Ok(mut real) => {
                for part in rest.iter().rev() {
                    match part {
                        Component::ParentDir => {
                            real.pop();
                        }
                        other => real.push(other),
                    }
                }
                return Ok(real);
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                let (Some(last), Some(parent)) = (there.components().next_back(), there.parent())
                else {
                    return Err(error);
                };
                rest.push(last);
                there = parent;
            }
            Err(error) => return Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::ffi::OsStr;

    use super::*;

    #[test]
    fn undecodable_bytes_of_a_path_are_shown_as_escapes() {
        let path = Path::new(OsStr::from_bytes(b"a/\xff\xfeb"));
        assert_eq!(display_path(path), "a/\\xff\\xfeb");
    }

    #[test]
    fn a_path_that_climbs_out_has_no_normal_form() {
        assert_eq!(normalized(Path::new("a/./b/../c")), Some("a/c".into()));
        assert_eq!(normalized(Path::new("a/../../c")), None);
    }
}
