//! Globs of the configuration that name no file: a misspelt one would leave nothing out without a word.

use std::path::Path;

use ignore::gitignore::{Gitignore, GitignoreBuilder};

use crate::config::{Settings, display_path};
use crate::diagnostic::Finding;
use crate::diagnostic::codes::project::MATCHES_NOTHING;
use crate::walk::Walk;

/// A finding for each glob that no path of the tree matches, where the configuration lies at its root: elsewhere globs
/// may be for what this run does not see.
pub(super) fn findings(settings: &Settings, walk: &Walk) -> Vec<Finding> {
    if settings.base != walk.root {
        return Vec::new();
    }
    let file = settings.config_file.as_deref();
    let file = file.and_then(|file| file.strip_prefix(&walk.root).ok());
    let file = display_path(file.unwrap_or(Path::new(".")));
    let excluded = settings.exclude.value.iter();
    let excluded = excluded.map(|glob| ("exclude", glob.as_str()));
    let ignored = settings.per_file_ignores.value.rows();
    let globs = excluded.chain(ignored.map(|(glob, _)| ("per-file-ignores", glob)));
    globs
        .filter(|(_, glob)| !matches_something(glob, walk))
        .map(|(key, glob)| {
            let message = format!("`{key}` has `{glob}`, which nothing in the tree matches");
            Finding::whole(MATCHES_NOTHING, &file, message).help(
                "correct it, or take it out: globs are as in a `.gitignore`, seen from the configuration's folder",
            )
        })
        .collect()
}

/// Whether a path that was listed or left out matches. A glob that takes paths back needs none.
fn matches_something(glob: &str, walk: &Walk) -> bool {
    let mut builder = GitignoreBuilder::new("");
    let matcher = builder.add_line(None, glob).and_then(|one| one.build());
    // A text that is no glob, such as `[`, matches nothing.
    let matcher = matcher.unwrap_or_else(|_| Gitignore::empty());
    let matches = |path: &Path, is_folder| {
        let found = matcher.matched_path_or_any_parents(path, is_folder);
        found.is_ignore()
    };
    matcher.num_whitelists() > 0
        || walk.files.iter().any(|entry| matches(&entry.path, false))
        || walk
            .skipped
            .iter()
            .any(|one| matches(&one.path, one.folder))
}
