//! The port that was built: its files by the names that a log has for them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

use anyhow::Result;
use rustc_hash::FxHashMap;

use super::names::words;
use crate::buildlog::{BuildLog, LogPlace};
use crate::cli::LogArgs;
use crate::config::{ConfigError, display_path, facts_of_arguments};
use crate::emit::{self, ManifestEntry, PortedTree};
use crate::files;
use crate::machine::Environment;
use crate::mapping::build_log::BuildLogTable;
use crate::mapping::{FactTable, Row, Section, safety};
use crate::report::PlacedLists;

/// A port, and what its report says.
pub(in crate::commands) struct PortTree {
    /// The port.
    pub(super) port: PortedTree,
    /// The input, as the report names it.
    pub(super) input: String,
    /// What the port found, and what it kept.
    pub(super) lists: PlacedLists,
    /// The facts of the SDK.
    facts: Option<FactTable>,
    /// The rows of the manifest, by path.
    rows: BTreeMap<String, usize>,
    /// The rows by the last part of their paths.
    by_name: FxHashMap<String, Vec<usize>>,
    /// The port's own folder, as paths of a log may begin with it.
    folders: Vec<String>,
    /// The words that the port wrote, with the replacements that have them.
    words: FxHashMap<Vec<u8>, Vec<usize>>,
}

impl PortTree {
    /// Open the output of a port, with the facts of the SDK that are named, or known of this machine's.
    ///
    /// # Errors
    /// Where it is none, or none of this version; facts that can't be read.
    pub(in crate::commands) fn open(args: &LogArgs, environment: &Environment) -> Result<Self> {
        let folder = args.port.as_path();
        let facts = facts_of_arguments(args.facts.as_deref(), args.no_facts, environment)?.value;
        let port = PortedTree::open(folder).map_err(|error| {
            ConfigError::usage(
                format!("{} is no port that can be read: {error}", display_path(folder)),
                "name the output of the port that was built: --port DIR; if it is one, port again to have its map anew",
            )
        })?;
        let mut rows = BTreeMap::new();
        let mut by_name: FxHashMap<String, Vec<usize>> = FxHashMap::default();
        for (at, row) in port.manifest.files.iter().enumerate() {
            if let Some(path) = row.path.to_path() {
                let path = display_path(&path);
                let name = path.rsplit('/').next().unwrap_or_default().to_owned();
                by_name.entry(name).or_default().push(at);
                rows.insert(path, at);
            }
        }
        let mut all: FxHashMap<Vec<u8>, Vec<usize>> = FxHashMap::default();
        for (at, one) in port.map.replaced().iter().enumerate() {
            let old: BTreeSet<&[u8]> = words(&one.old).collect();
            let new: BTreeSet<&[u8]> = words(&one.new).chain([whole(&one.new)]).collect();
            for word in new {
                if !old.contains(word) && word != whole(&one.old) {
                    all.entry(word.to_vec()).or_default().push(at);
                }
            }
        }
        let report = files::read(&folder.join(emit::REPORT), safety::BYTES_REPORT);
        let report = report.unwrap_or_default();
        let absolute = std::path::absolute(folder).ok();
        let canonical = folder.canonicalize().ok();
        let folders = absolute.into_iter().chain(canonical);
        let mut folders: Vec<String> = folders
            .map(|folder| normal(&display_path(&folder)))
            .collect();
        folders.dedup();
        Ok(Self {
            facts: facts.map(|facts| facts.table),
            input: input(&report),
            lists: PlacedLists::read(&report).unwrap_or_default(),
            port,
            rows,
            by_name,
            folders,
            words: all,
        })
    }

    /// What the facts of the SDK have for a name of CUDA's.
    pub(super) fn fact(&self, name: &str) -> Option<&'static Row> {
        let facts = self.facts?;
        let mut rows = Section::ALL
            .into_iter()
            .map(|section| facts.get(section, name.as_bytes()));
        rows.find_map(|row| row)
    }

    /// Where each file of the original went.
    pub(super) fn outputs(&self) -> BTreeMap<String, String> {
        let rows = self.port.manifest.files.iter();
        let pairs = rows.filter_map(|row| {
            let source = row.source.as_ref()?.to_path()?;
            Some((display_path(&source), display_path(&row.path.to_path()?)))
        });
        pairs.collect()
    }

    /// A row of the manifest.
    pub(super) fn row(&self, at: usize) -> Option<&ManifestEntry> {
        self.port.manifest.files.get(at)
    }

    /// The replacements that wrote a word.
    pub(super) fn that_wrote(&self, word: &str) -> &[usize] {
        self.words
            .get(word.as_bytes())
            .map_or(&[][..], Vec::as_slice)
    }

    /// The file of the port that a place of a log is in.
    pub(super) fn find(&self, place: &LogPlace, log: &BuildLog) -> Option<usize> {
        let path = normal(&place.path);
        let below = |path: &str| {
            let mut folders = self.folders.iter();
            let rest = folders.find_map(|folder| path.strip_prefix(folder)?.strip_prefix('/'))?;
            self.rows.get(rest).copied()
        };
        if path.starts_with('/') {
            return below(&path).or_else(|| self.by_end(&path));
        }
        let folders = log.folders.iter().rev();
        let mut seen = folders.filter_map(|folder| {
            let path = normal(&format!("{folder}/{path}"));
            let here = below(&path).or_else(|| self.rows.get(&path).copied());
            here.or_else(|| self.by_end(&path).filter(|_| path.starts_with('/')))
        });
        seen.next()
            .or_else(|| self.rows.get(&path).copied())
            .or_else(|| self.by_end(&path))
    }

    /// The file whose path a path of another machine, or one seen from another folder, ends with.
    fn by_end(&self, path: &str) -> Option<usize> {
        let outside = &BuildLogTable::builtin().outside;
        let is_absolute = path.starts_with('/');
        let mut outside = outside.iter();
        if outside.any(|part| path.starts_with(part.as_str()) || path.contains(&format!("/{part}")))
        {
            return None;
        }
        let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
        let up = parts.iter().take_while(|part| **part == "..").count();
        let parts = parts.get(up..).unwrap_or_default();
        for start in 0..parts.len() {
            let rest = parts.get(start..).unwrap_or_default();
            if let Some(row) = self.rows.get(&rest.join("/")) {
                let above = start.checked_sub(1).and_then(|above| parts.get(above));
                let is_port = above.is_some_and(|above| self.is_called(above));
                let is_sure = rest.len() > 1 || is_port || (start == 0 && !is_absolute);
                return is_sure.then_some(*row);
            }
        }
        None
    }

    /// Whether the port's folder has this name.
    fn is_called(&self, name: &str) -> bool {
        let mut folders = self.folders.iter();
        folders.any(|folder| folder.rsplit('/').next() == Some(name))
    }

    /// The source that an object file was made of, or that has this name without its folder, if only one can be meant.
    pub(super) fn source_of(&self, object: &str) -> Option<usize> {
        // `libx.a(k.mu.o)` is the object in an archive.
        let object = object.trim_end_matches(')').rsplit('(').next()?;
        let endings = &BuildLogTable::builtin().objects;
        let stem = endings.iter().find_map(|end| object.strip_suffix(&**end));
        let stem = normal(stem.unwrap_or(object));
        let name = stem.rsplit('/').next()?;
        if let Some(rows) = self.by_name.get(name) {
            return self.nearest(rows, &stem);
        }
        let rows = self.by_name.iter().filter(|(file, _)| {
            let front = file.rsplit_once('.').map(|(front, _)| front);
            front == Some(name)
        });
        let rows: Vec<usize> = rows.flat_map(|(_, rows)| rows.iter().copied()).collect();
        self.nearest(&rows, &stem)
    }

    /// Of some files the one whose folders an object's path ends with; `None` if several can be meant.
    fn nearest(&self, rows: &[usize], stem: &str) -> Option<usize> {
        let shared = |at: usize| {
            let path = self.row(at)?.path.to_path()?;
            let path = display_path(&path);
            let mut pairs = path.rsplit('/').skip(1).zip(stem.rsplit('/').skip(1));
            let mut count = 0;
            while pairs.next().is_some_and(|(one, other)| one == other) {
                count += 1;
            }
            Some(count)
        };
        let mut best: Vec<(usize, usize)> = rows
            .iter()
            .filter_map(|&at| Some((shared(at)?, at)))
            .collect();
        best.sort_unstable_by(|a, b| b.cmp(a));
        match best.as_slice() {
            [(_, only)] => Some(*only),
            [(first, row), (second, _), ..] if first > second => Some(*row),
            _ => None,
        }
    }

    /// The files with edits, in the order of their paths.
    pub(super) fn edited(&self) -> impl Iterator<Item = usize> {
        let paths = self.port.map.paths();
        paths.filter_map(|path| {
            let path = String::from_utf8_lossy(path);
            self.rows.get(&*path).copied()
        })
    }
}

/// A text without the quotes and brackets around it.
fn whole(text: &[u8]) -> &[u8] {
    let is_mark = |byte: &u8| b"<>\"' ".contains(byte);
    let start = text.iter().position(|byte| !is_mark(byte));
    let end = text.iter().rposition(|byte| !is_mark(byte));
    match (start, end) {
        (Some(start), Some(end)) => text.get(start..=end).unwrap_or_default(),
        _ => &[],
    }
}

/// The input that a report names.
fn input(report: &[u8]) -> String {
    #[derive(serde::Deserialize)]
    struct Head {
        input: String,
    }
    serde_json::from_slice(report).map_or_else(|_| String::new(), |head: Head| head.input)
}

/// A path without `.`, and without `..` where a folder stands before it.
fn normal(path: &str) -> String {
    let mut out = PathBuf::new();
    for part in Path::new(path).components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir
                if matches!(out.components().next_back(), Some(Component::Normal(_))) =>
            {
                out.pop();
            }
            part => out.push(part),
        }
    }
    out.display().to_string()
}
