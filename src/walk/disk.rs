//! Lists folders of the disk, without the files that the tree's own ignore files name.

use std::io::ErrorKind;
use std::path::Path;

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use walkdir::{DirEntry, WalkDir};

use super::SkipReason;
use super::collect::Collector;
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

/// Hand every file of the tree to the collector.
pub(super) fn list(collector: &mut Collector, ignore_files: IgnoreFiles) {
    let root = collector.root().to_owned();
    // The rules of each folder from the root to the current one, by depth.
    let mut rules = Vec::new();
    rules.push(Rules::of(&root, ignore_files, &rules, collector));
    let mut walk = WalkDir::new(&root)
        .min_depth(1)
        .follow_links(false)
        .into_iter();
    while let Some(found) = walk.next() {
        let entry = match found {
            Ok(entry) => entry,
            Err(error) => {
                let path = error.path().and_then(|path| path.strip_prefix(&root).ok());
                // The walk's own words name the place on this machine; the finding names the path.
                let why = match error.io_error() {
                    Some(why) => why.to_string(),
                    None => error.to_string(),
                };
                collector.unreadable(path.unwrap_or(Path::new(".")), &why);
                continue;
            }
        };
        let Ok(path) = entry.path().strip_prefix(&root) else {
            continue;
        };
        let is_folder = entry.file_type().is_dir();
        if collector.leaves_out(path, is_folder) {
            if is_folder {
                walk.skip_current_dir();
            }
            continue;
        }
        rules.truncate(entry.depth());
        if is_ignored(&rules, &entry) {
            collector.skip(path, SkipReason::Ignored, is_folder);
            if is_folder {
                walk.skip_current_dir();
            }
        } else if is_folder {
            rules.push(Rules::of(entry.path(), ignore_files, &rules, collector));
        } else {
            collector.take(path);
        }
    }
}

/// The ignore rules that stand in one folder.
struct Rules {
    /// `.ignore`, which goes before `.gitignore`, and that.
    matchers: Vec<Gitignore>,
    /// The bytes that they were made of.
    bytes: u64,
}

impl Rules {
    /// The rules of a folder. Its ignore files may have as many bytes as those of the folders above it leave: compiled
    /// rules take some hundred times the room.
    fn of(
        folder: &Path,
        ignore_files: IgnoreFiles,
        above: &[Self],
        collector: &mut Collector,
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
                        collector.rules_left(&file, &error.to_string());
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

/// The nearest rule that speaks of an entry decides.
fn is_ignored(rules: &[Rules], entry: &DirEntry) -> bool {
    rules
        .iter()
        .rev()
        .flat_map(|rules| &rules.matchers)
        .map(|matcher| matcher.matched(entry.path(), entry.file_type().is_dir()))
        .find_map(|found| match found {
            Match::None => None,
            Match::Ignore(_) => Some(true),
            Match::Whitelist(_) => Some(false),
        })
        .unwrap_or(false)
}
