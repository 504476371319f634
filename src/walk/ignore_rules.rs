//! The rules of the tree's own ignore files.

use std::io::ErrorKind;
use std::path::Path;

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use crate::files;
use crate::mapping::safety;

/// Whether ignore files have a say.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum IgnoreFiles {
    /// Every file is taken.
    Off,
    /// `.gitignore` and `.ignore` files inside the tree hold; those above it or of the user's
    /// account do not, so that the same tree gives the same input everywhere.
    On,
}

/// The ignore rules that stand in one folder.
pub(super) struct Rules {
    /// `.ignore`, which goes before `.gitignore`, and that.
    matchers: Vec<Gitignore>,
    /// The bytes that they were made of.
    bytes: u64,
}

impl Rules {
    /// The rules of a folder. Its ignore files may have as many bytes as those of the folders above it leave: compiled
    /// rules take some hundred times the room. `left` hears of a file whose rules do not hold, and why.
    pub(super) fn of(
        folder: &Path,
        ignore_files: IgnoreFiles,
        above: &[Self],
        left: &mut dyn FnMut(&Path, &str),
    ) -> Self {
        let mut rules = Self {
            matchers: Vec::new(),
            bytes: 0,
        };
        let names: &[&str] = match ignore_files {
            IgnoreFiles::On => &[".ignore", ".gitignore"],
            IgnoreFiles::Off => &[],
        };
        let above: u64 = above.iter().map(|rules| rules.bytes).sum();
        for file in names.iter().map(|name| folder.join(name)) {
            let room = safety::BYTES_IGNORE_FILE.saturating_sub(above + rules.bytes);
            // A link could make a file from outside of the tree decide: one is not read.
            let text = match files::read(&file, room) {
                Ok(text) => text,
                Err(error) => {
                    // In a folder that can't be searched, the folder or its files have the finding.
                    if error.kind() != ErrorKind::NotFound && file.symlink_metadata().is_ok() {
                        left(&file, &error.to_string());
                    }
                    continue;
                }
            };
            rules.bytes += text.len() as u64;
            let mut builder = GitignoreBuilder::new(folder);
            for line in String::from_utf8_lossy(&text).lines() {
                // A malformed line is left out by itself, as git does.
                let _ = builder.add_line(None, line);
            }
            rules.matchers.extend(builder.build());
        }
        rules
    }
}

/// The nearest rule that speaks of a path decides.
pub(super) fn is_ignored(rules: &[Rules], path: &Path, is_folder: bool) -> bool {
    rules
        .iter()
        .rev()
        .flat_map(|rules| &rules.matchers)
        .map(|matcher| matcher.matched(path, is_folder))
        .find_map(|found| match found {
            Match::None => None,
            Match::Ignore(_) => Some(true),
            Match::Whitelist(_) => Some(false),
        })
        .unwrap_or(false)
}
