//! Which lines a change touches, asked of git itself.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::ops::Range;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use super::git::asked;

/// The lines that are not as they were: for each file, ranges of 1-based lines, the end exclusive.
#[derive(Clone, Debug, Default)]
pub struct ChangedLines {
    files: BTreeMap<PathBuf, Vec<Range<usize>>>,
}

impl ChangedLines {
    /// What changed in the work tree around `folder` since it parted from the revision.
    ///
    /// # Errors
    /// What git said, or why it could not be run.
    pub fn since(folder: &Path, revision: &str) -> Result<Self, String> {
        let top = asked(folder, &["rev-parse", "--show-toplevel"])?;
        let top = top.strip_suffix(b"\n").unwrap_or(&top);
        let top = PathBuf::from(OsStr::from_bytes(top));
        // Both list the same files in the same order. The patch puts some names into quotes; the list does not.
        let diff = |how: &[&str]| {
            let fixed = [
                "diff",
                "--no-color",
                "--no-ext-diff",
                "--no-textconv",
                "--no-renames",
                "--unified=0",
                "--diff-filter=d",
                "--ignore-submodules=all",
                "--no-relative",
                "--merge-base",
            ];
            let all = [&fixed, how, &["--end-of-options", revision, "--"]].concat();
            asked(&top, &all)
        };
        let names = diff(&["--name-only", "-z"])?;
        let patch = diff(&["--patch"])?;
        let mut names = names.split(|&byte| byte == 0);
        let mut files: BTreeMap<PathBuf, Vec<Range<usize>>> = BTreeMap::new();
        let mut ranges: Option<&mut Vec<Range<usize>>> = None;
        for line in patch.split(|&byte| byte == b'\n') {
            // What a file holds stands behind `+`, `-` or a blank.
            if line.starts_with(b"diff --git ") {
                let name = OsStr::from_bytes(names.next().unwrap_or_default());
                ranges = Some(files.entry(top.join(name)).or_default());
            } else if line.starts_with(b"@@ ")
                && let Some(ranges) = ranges.as_mut()
            {
                ranges.extend(added(line));
            }
        }
        Ok(Self { files })
    }

    /// Take over what changed around another folder.
    pub fn add(&mut self, other: Self) {
        self.files.extend(other.files);
    }

    /// Whether some lines of a file changed, by its canonical path. Without lines: whether the file did at all.
    pub fn touches(&self, path: &Path, lines: Option<Range<usize>>) -> bool {
        self.files.get(path).is_some_and(|changed| match lines {
            Some(lines) => changed
                .iter()
                .any(|one| one.start < lines.end && lines.start < one.end),
            None => true,
        })
    }
}

/// The lines that a hunk adds: `@@ -3,2 +7,4 @@` adds 7 to 10.
fn added(head: &[u8]) -> Option<Range<usize>> {
    let head = std::str::from_utf8(head.get(..head.len().min(64))?).ok()?;
    let place = head.split(' ').find_map(|part| part.strip_prefix('+'))?;
    let (start, count) = place.split_once(',').unwrap_or((place, "1"));
    let (start, count): (usize, usize) = (start.parse().ok()?, count.parse().ok()?);
    Some(start..start + count)
}
