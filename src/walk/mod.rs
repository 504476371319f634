//! The input listing: which files a run takes, and why it left the others.
//!
//! In a git work tree the input is what git tracks, whatever `.gitignore` says. Elsewhere the
//! ignore files of the tree hold. Nothing is followed through a link, and the order is that of
//! the path bytes, whatever the locale and the order of the folders say.

mod collect;
mod disk;
mod entry;
mod ignore_rules;
mod ignored;
mod left_sources;
mod options;
mod submodules;
mod untracked;

pub use entry::{Entry, EntryKind, SkipReason, Skipped, Trace, Walk};

use std::path::Path;

use crate::diagnostic::codes::project::{GIT_UNAVAILABLE, NOTHING_TRACKED};
use crate::git;
use collect::Collector;
use ignore_rules::IgnoreFiles;

pub use options::{WalkError, WalkOptions};

/// Whether a file lies in a folder below `root` that a port wrote, so that no listing of the tree has it. Both paths
/// are canonical.
pub fn is_in_earlier_output(root: &Path, file: &Path) -> bool {
    let folders = file.ancestors().skip(1);
    let mut below = folders.take_while(|folder| *folder != root && folder.starts_with(root));
    below.any(collect::has_manifest)
}

/// List the input.
///
/// # Errors
/// When the root can't be read or a glob is malformed. Anything below the root that can't be
/// read becomes a finding of the result.
pub fn walk(options: &WalkOptions<'_>) -> Result<Walk, WalkError> {
    let unreadable = |source| WalkError::Root {
        path: options.root.to_owned(),
        source,
    };
    let root = options.root.canonicalize().map_err(unreadable)?;
    std::fs::read_dir(&root).map_err(unreadable)?;
    let mut collector = Collector::new(root, options)?;
    if options.no_ignore {
        disk::list(&mut collector, IgnoreFiles::Off);
    } else {
        let listed = git::covers(collector.root()).then(|| git::list(collector.root()));
        match listed {
            Some(Ok(listing)) if !listing.tracked.is_empty() => collector.take_git(&listing),
            Some(Ok(_)) => {
                collector.about_tree(
                    NOTHING_TRACKED,
                    "git tracks no file of this tree: its ignore files decide",
                    "run `git add` first if the tree is to be ported as git sees it",
                );
                disk::list(&mut collector, IgnoreFiles::On);
            }
            Some(Err(message)) => {
                collector.about_tree(
                    GIT_UNAVAILABLE,
                    &format!("git could not list the tree ({message}): its ignore files decide"),
                    "files that git does not track may be in the output",
                );
                disk::list(&mut collector, IgnoreFiles::On);
            }
            None => {
                disk::list(&mut collector, IgnoreFiles::On);
                collector.about_ignored();
                collector.about_submodules();
            }
        }
    }
    Ok(collector.finish())
}
