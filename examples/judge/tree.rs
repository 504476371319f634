//! The files of a project.

use std::path::Path;

use anyhow::{Context, Result};
use walkdir::WalkDir;

const ENDINGS: [&str; 3] = ["py", "pyi", "ipynb"];

/// The Python files and notebooks below a folder, sorted, as paths relative to it.
pub(crate) fn files(root: &Path) -> Result<Vec<String>> {
    let mut found = Vec::new();
    let walk = WalkDir::new(root).into_iter();
    // What git and the translator keep for themselves is no part of a project.
    for entry in walk.filter_entry(|entry| entry.depth() == 0 || !is_hidden(entry.path())) {
        let entry = entry.context("can't read a folder")?;
        let ending = entry.path().extension().and_then(|ending| ending.to_str());
        if !entry.file_type().is_file() || !ending.is_some_and(|it| ENDINGS.contains(&it)) {
            continue;
        }
        let path = entry.path().strip_prefix(root).unwrap_or(entry.path());
        found.extend(path.to_str().map(str::to_owned));
    }
    found.sort();
    Ok(found)
}

fn is_hidden(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str());
    name.is_some_and(|name| name == ".git" || name == ".torchada")
}

/// The bytes of a file.
pub(crate) fn read(root: &Path, path: &str) -> Result<Vec<u8>> {
    let path = root.join(path);
    std::fs::read(&path).with_context(|| format!("can't read {}", path.display()))
}
