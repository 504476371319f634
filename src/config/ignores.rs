//! Findings that the configuration suppresses in some files.

use crate::mapping::starts_with_one;
use std::path::{Path, PathBuf};

use ignore::gitignore::{Gitignore, GitignoreBuilder};

/// Globs, each with the codes that it suppresses.
#[derive(Clone, Debug, Default)]
pub struct PerFileIgnores {
    /// The folder that the globs are relative to.
    base: PathBuf,
    rows: Vec<IgnoreRule>,
}

#[derive(Clone, Debug)]
struct IgnoreRule {
    glob: String,
    matcher: Gitignore,
    codes: Vec<String>,
}

impl PerFileIgnores {
    /// Add a glob, as in a `.gitignore`, and the fronts of the codes that it suppresses.
    ///
    /// # Errors
    /// What is wrong with the glob.
    pub(super) fn add(&mut self, glob: &str, codes: Vec<String>) -> Result<(), String> {
        let mut builder = GitignoreBuilder::new("");
        builder
            .add_line(None, glob)
            .and_then(|builder| builder.build())
            .map(|matcher| {
                self.rows.push(IgnoreRule {
                    glob: glob.to_owned(),
                    matcher,
                    codes,
                });
            })
            .map_err(|error| error.to_string())
    }

    /// The same patterns, as those of a file that lies in a folder.
    #[must_use]
    pub(super) fn below(mut self, base: &Path) -> Self {
        base.clone_into(&mut self.base);
        self
    }

    /// Whether there is nothing to suppress.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Whether findings of a code are suppressed in a file, by its absolute path.
    pub fn suppresses(&self, path: &Path, code: &str) -> bool {
        let Ok(path) = path.strip_prefix(&self.base) else {
            return false;
        };
        let mut rows = self.rows.iter();
        rows.any(|row| {
            starts_with_one(code, &row.codes)
                && row
                    .matcher
                    .matched_path_or_any_parents(path, false)
                    .is_ignore()
        })
    }

    /// The globs and their codes.
    pub fn rows(&self) -> impl Iterator<Item = (&str, &[String])> {
        self.rows.iter().map(|row| (&*row.glob, &*row.codes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_glob_is_as_in_a_gitignore() {
        let mut ignores = PerFileIgnores::default();
        ignores.add("tests/", vec!["PY".to_owned()]).expect("sound");
        ignores
            .add("*.cu", vec!["CPP056".to_owned()])
            .expect("sound");
        let ignores = ignores.below(Path::new("/p"));
        let suppresses = |path: &str, code| ignores.suppresses(Path::new(path), code);
        assert!(suppresses("/p/tests/a.py", "PY020"));
        assert!(suppresses("/p/x/tests/sub/a.py", "PY020"));
        assert!(!suppresses("/p/tests/a.py", "CPP056"));
        assert!(suppresses("/p/x/k.cu", "CPP056"));
        assert!(!suppresses("/other/tests/a.py", "PY020"));
    }
}
