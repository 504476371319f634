//! Lists folders of the disk, without the files that the tree's own ignore files name.

use std::path::Path;

use walkdir::WalkDir;

use super::SkipReason;
use super::collect::Collector;
use super::ignore_rules::{IgnoreFiles, Rules, is_ignored};

/// Hand every file of the tree to the collector.
pub(super) fn list(collector: &mut Collector, ignore_files: IgnoreFiles) {
    let root = collector.root().to_owned();
    // The rules of each folder from the root to the current one, by depth.
    let mut rules = Vec::new();
    rules.push(Rules::of(&root, ignore_files, &rules, &mut |file, why| {
        collector.rules_left(file, why);
    }));
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
        if is_ignored(&rules, entry.path(), is_folder) {
            collector.skip(path, SkipReason::Ignored, is_folder);
            if is_folder {
                walk.skip_current_dir();
            }
        } else if is_folder {
            rules.push(Rules::of(
                entry.path(),
                ignore_files,
                &rules,
                &mut |file, why| {
                    collector.rules_left(file, why);
                },
            ));
        } else {
            collector.take(path);
        }
    }
}
