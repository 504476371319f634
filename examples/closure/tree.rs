//! A tree in memory, and what a name in it leads to.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::Path;

use walkdir::WalkDir;

/// Endings of CUDA's and of MUSA's.
pub(crate) const ENDINGS: [(&str, &str); 2] = [(".cuh", ".muh"), (".cu", ".mu")];

/// A tree.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    /// The paths of its files, with `/`.
    pub(crate) files: BTreeSet<String>,
    /// The texts of those that are text.
    pub(crate) texts: BTreeMap<String, Vec<u8>>,
    /// The paths by their last component.
    by_name: BTreeMap<String, Vec<String>>,
}

impl Tree {
    /// Read all files below a folder, without those that git and ports keep for themselves.
    pub(crate) fn read(root: &Path) -> io::Result<Self> {
        let mut files = Vec::new();
        let own = [".git", ".torchada"];
        let entries = WalkDir::new(root).sort_by_file_name().into_iter();
        for entry in entries.filter_entry(|entry| !own.iter().any(|own| entry.file_name() == *own))
        {
            let entry = entry?;
            if entry.file_type().is_file()
                && let Ok(path) = entry.path().strip_prefix(root)
            {
                files.push((
                    path.to_string_lossy().into_owned(),
                    std::fs::read(entry.path())?,
                ));
            }
        }
        Ok(Self::of(files.into_iter()))
    }

    /// A tree of these files.
    pub(crate) fn of(files: impl Iterator<Item = (String, Vec<u8>)>) -> Self {
        let mut tree = Self::default();
        for (path, text) in files {
            let name = path.rsplit('/').next().unwrap_or(&path).to_owned();
            tree.by_name.entry(name).or_default().push(path.clone());
            if !text.iter().take(4096).any(|&byte| byte == 0) {
                tree.texts.insert(path.clone(), text);
            }
            tree.files.insert(path);
        }
        tree
    }

    /// The files that a name in the file `from` leads to: the one beside it, else all that end so.
    pub(crate) fn means(&self, from: &str, name: &str, is_include: bool) -> Vec<&str> {
        let folder = from.rsplit_once('/').map_or("", |(folder, _)| folder);
        if let Some(path) = join(folder, name).and_then(|path| self.files.get(&path)) {
            return vec![path.as_str()];
        }
        let parts: Vec<&str> = name.split('/').collect();
        let is_open = |part: &&str| part.contains(['$', '{', '}', '%', '@', '*', '?', '(', ')']);
        // What stands behind the last folder that is filled in later is what is known.
        let known = parts.len() - 1;
        let first = parts
            .iter()
            .take(known)
            .rposition(|part| is_open(part) || [".", "..", ""].contains(part))
            .map_or(0, |at| at + 1);
        let end: Vec<&str> = parts.get(first..).unwrap_or_default().to_vec();
        let last = end.last().copied().unwrap_or_default();
        if !is_open(&last)
            && !ENDINGS
                .iter()
                .any(|(cuda, musa)| last == *cuda || last == *musa)
        {
            let named = self.by_name.get(last).map_or(&[][..], Vec::as_slice);
            let suffix = end.join("/");
            let fits = |path: &&String| {
                path.strip_suffix(suffix.as_str())
                    .is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
            };
            return named.iter().filter(fits).map(String::as_str).collect();
        }
        if is_include {
            return Vec::new();
        }
        // A pattern without a folder means what lies below the file that holds it.
        let below = format!("{folder}/");
        let pattern = skeleton(last);
        let suffix = end.get(..end.len() - 1).unwrap_or_default().join("/");
        self.files
            .iter()
            .filter(|path| {
                let (around, name) = path.rsplit_once('/').unwrap_or(("", path));
                let is_around = if suffix.is_empty() {
                    folder.is_empty() || path.starts_with(&below)
                } else {
                    around == suffix || around.ends_with(&format!("/{suffix}"))
                };
                is_around && fits(&pattern, name)
            })
            .map(String::as_str)
            .collect()
    }
}

/// A name with everything that is filled in later as `*`.
fn skeleton(name: &str) -> String {
    let mut out = String::new();
    if ENDINGS
        .iter()
        .any(|(cuda, musa)| name == *cuda || name == *musa)
    {
        out.push('*');
    }
    let mut depth = 0;
    for one in name.chars() {
        match one {
            '{' | '(' => {
                depth += 1;
                out.push('*');
            }
            '}' | ')' => depth -= 1,
            _ if depth > 0 => {}
            '$' | '%' | '@' | '?' => out.push('*'),
            other => out.push(other),
        }
    }
    out
}

fn fits(pattern: &str, name: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut rest) = parts.next().and_then(|first| name.strip_prefix(first)) else {
        return false;
    };
    let parts: Vec<&str> = parts.collect();
    let Some((last, middle)) = parts.split_last() else {
        return rest.is_empty();
    };
    for part in middle {
        match rest.find(part) {
            Some(at) => rest = rest.get(at + part.len()..).unwrap_or_default(),
            None => return false,
        }
    }
    rest.ends_with(last)
}

fn join(folder: &str, name: &str) -> Option<String> {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in name.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// The path in the port of a file of the original.
pub(crate) fn counterpart(path: &str, before: &Tree, after: &Tree) -> Option<String> {
    let renamed = as_musa(path);
    let has_twin = before.files.contains(&renamed);
    let paths = if has_twin {
        vec![path.to_owned()]
    } else {
        vec![renamed, path.to_owned()]
    };
    paths.into_iter().find(|path| after.files.contains(path))
}

/// A name with MUSA's ending.
pub(crate) fn as_musa(name: &str) -> String {
    for (cuda, musa) in ENDINGS {
        if let Some(stem) = name.strip_suffix(cuda) {
            return format!("{stem}{musa}");
        }
    }
    name.to_owned()
}
