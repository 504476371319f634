//! Where includes lead, and what can be seen through them.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use crate::align::Scanned;
use crate::scan::Kind;
use crate::vocabulary::header_path;

/// The files of a tree, by path and by name.
#[derive(Default)]
pub(crate) struct Folder {
    paths: BTreeSet<String>,
    by_name: BTreeMap<String, Vec<String>>,
}

impl Folder {
    /// A folder with these files.
    pub(crate) fn new(paths: impl IntoIterator<Item = String>) -> Self {
        let mut folder = Self::default();
        for path in paths {
            let name = path.rsplit('/').next().unwrap_or_default().to_owned();
            folder.by_name.entry(name).or_default().push(path.clone());
            folder.paths.insert(path);
        }
        folder
    }

    /// The files that an include of the file `from` can mean: the one beside it, else all whose
    /// path ends like it, since include roots are not known.
    pub(crate) fn resolve(&self, from: &str, include: &Include) -> Vec<&str> {
        if include.quoted {
            let folder = from.rsplit_once('/').map_or("", |(folder, _)| folder);
            let beside = normalise(&format!("{folder}/{}", include.path));
            if let Some(path) = beside.and_then(|path| self.paths.get(&path)) {
                return vec![path];
            }
        }
        let mut path = include.path.as_str();
        while let Some(rest) = path.strip_prefix("../").or_else(|| path.strip_prefix("./")) {
            path = rest;
        }
        let Some(path) = normalise(path) else {
            return Vec::new();
        };
        let name = path.rsplit('/').next().unwrap_or_default();
        let candidates = self.by_name.get(name).map_or(&[][..], Vec::as_slice);
        let ends = |candidate: &&String| {
            candidate
                .strip_suffix(path.as_str())
                .is_some_and(|root| root.is_empty() || root.ends_with('/'))
        };
        candidates.iter().filter(ends).map(String::as_str).collect()
    }
}

/// A path without `.` and `..`; none where it leaves the tree.
fn normalise(path: &str) -> Option<String> {
    let mut parts = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            _ => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// What one include names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Include {
    /// The path as it is written.
    pub(crate) path: String,
    /// Whether it stands in quotes.
    pub(crate) quoted: bool,
}

impl Include {
    /// The include that a header token makes.
    pub(crate) fn new(token: &[u8]) -> Self {
        Self {
            path: String::from_utf8_lossy(header_path(token)).into_owned(),
            quoted: token.starts_with(b"\""),
        }
    }
}

/// The includes of a file.
pub(crate) fn includes(file: &Scanned) -> Vec<Include> {
    let headers = (0..file.tokens.len()).filter(|at| file.kind(*at) == Some(Kind::Header));
    headers.map(|at| Include::new(file.bytes(at))).collect()
}

/// Who includes what.
#[derive(Default)]
pub(crate) struct Graph {
    /// The headers that each file names, and the files of the tree that they are.
    edges: BTreeMap<String, (Vec<String>, Vec<String>)>,
}

impl Graph {
    /// The graph of a folder's files and their includes.
    pub(crate) fn new(folder: &Folder, includes: &[(String, Vec<Include>)]) -> Self {
        let edges = includes.iter().map(|(path, includes)| {
            let named = includes.iter().map(|include| include.path.clone());
            let files = includes
                .iter()
                .flat_map(|include| folder.resolve(path, include));
            let files: BTreeSet<&str> = files.collect();
            let files = files.into_iter().map(str::to_owned).collect();
            (path.clone(), (named.collect(), files))
        });
        Self {
            edges: edges.collect(),
        }
    }

    /// What a file sees through its includes, itself included.
    pub(crate) fn seen<'g>(&'g self, from: &'g str) -> Seen<'g> {
        let mut files = BTreeSet::from([from]);
        let mut todo = vec![from];
        let mut headers = BTreeSet::new();
        // The compiler includes this one for CUDA sources by itself.
        if matches!(from.rsplit('.').next(), Some("cu" | "cuh")) {
            headers.insert("cuda_runtime.h");
        }
        while let Some(file) = todo.pop() {
            let Some((named, reached)) = self.edges.get(file) else {
                continue;
            };
            headers.extend(named.iter().map(String::as_str));
            for file in reached {
                if files.insert(file) {
                    todo.push(file);
                }
            }
        }
        Seen { headers, files }
    }
}

/// What can be seen from a file.
pub(crate) struct Seen<'g> {
    /// Headers, as they are named.
    headers: BTreeSet<&'g str>,
    /// Files of the tree.
    pub(crate) files: BTreeSet<&'g str>,
}

impl Seen<'_> {
    /// Whether one of the headers that a name needs is seen. A need that ends in `/` stands for
    /// every header below it.
    pub(crate) fn header(&self, needs: &[Cow<'static, str>]) -> bool {
        needs.iter().any(|need| {
            let first = self.headers.range(need.as_ref()..).next();
            first.is_some_and(|name| {
                *name == need.as_ref() || (need.ends_with('/') && name.starts_with(need.as_ref()))
            })
        })
    }
}
