//! Files as the protocol names them.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use lsp_types::Uri;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, percent_encode};

/// What stands in a path of a URI as it is.
const KEPT: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'/')
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// The file that a URI names; `None` where it names none of this machine's.
pub(super) fn path_of(uri: &Uri) -> Option<PathBuf> {
    let path = uri.as_str().strip_prefix("file://")?;
    let path = path.strip_prefix("localhost").unwrap_or(path);
    let bytes: Vec<u8> = percent_decode_str(path).collect();
    let path = PathBuf::from(OsStr::from_bytes(&bytes));
    (path.is_absolute() && !bytes.contains(&0)).then_some(path)
}

/// The URI of a file.
pub(super) fn uri_of(path: &Path) -> Option<Uri> {
    let path = percent_encode(path.as_os_str().as_bytes(), KEPT);
    format!("file://{path}").parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_comes_back_from_its_uri() {
        let path = Path::new("/a b/\u{e9}%/k.cu");
        let uri = uri_of(path).expect("a URI");
        assert_eq!(uri.as_str(), "file:///a%20b/%C3%A9%25/k.cu");
        assert_eq!(path_of(&uri).as_deref(), Some(path));
        assert_eq!(path_of(&"untitled:k.cu".parse().expect("a URI")), None);
    }
}
