//! Suites that take minutes and depend on few files: one that passed is not run again before one of these changes.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use super::environments::cache;

/// A suite, and a digest of all that it depends on.
pub(crate) struct Suite {
    name: &'static str,
    digest: blake3::Hasher,
}

impl Suite {
    pub(crate) fn new(name: &'static str) -> Self {
        let digest = blake3::Hasher::new();
        Self { name, digest }
    }

    /// A text that the suite depends on.
    pub(crate) fn with(mut self, text: &str) -> Self {
        self.add(text.as_bytes());
        self
    }

    /// A file, or all files of a folder, by their paths and contents.
    pub(crate) fn with_files(mut self, root: &Path) -> Self {
        let walk = WalkDir::new(root).sort_by_file_name().into_iter();
        let walk = walk.filter_entry(|entry| entry.file_name() != OsStr::new("__pycache__"));
        for entry in walk {
            let entry = entry.expect("readable");
            if entry.file_type().is_file() {
                let path = entry.path().strip_prefix(root).expect("below");
                self.add(path.as_os_str().as_encoded_bytes());
                self.add(&fs::read(entry.path()).expect("readable"));
            }
        }
        self
    }

    fn add(&mut self, part: &[u8]) {
        self.digest.update(&(part.len() as u64).to_le_bytes());
        self.digest.update(part);
    }

    /// Run the suite, unless it passed with the same files. `suite` panics where it fails.
    pub(crate) fn run(self, suite: impl FnOnce()) {
        let mark = self.mark();
        if mark.exists() {
            return;
        }
        suite();
        fs::create_dir_all(mark.parent().expect("a folder")).expect("made");
        fs::write(&mark, "").expect("written");
    }

    /// The empty file that stands for a suite that passed; who wants to run the suite again removes it.
    fn mark(&self) -> PathBuf {
        let digest = self.digest.finalize().to_hex();
        cache()
            .join("passed")
            .join(format!("{}-{}", self.name, &digest[..16]))
    }
}
