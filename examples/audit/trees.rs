//! The two trees: which output stands for which input, and what the report says of it.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde::Deserialize;
use serde_json::Value;

use crate::python::lines::Lines;

/// The folder of an output that belongs to the translator.
pub(crate) const STATE: &str = ".torchada";

/// A file of the input and its output, relative to their roots.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Pair {
    /// In the input.
    pub(crate) source: String,
    /// In the output.
    pub(crate) output: String,
}

/// What lies where.
#[derive(Debug, Default)]
pub(crate) struct Trees {
    /// The input's root.
    pub(crate) input: PathBuf,
    /// The output's root.
    pub(crate) output: PathBuf,
    /// Files with an output, by source.
    pub(crate) pairs: Vec<Pair>,
    /// Files that the manifest promises and the output lacks.
    pub(crate) missing: Vec<String>,
    /// Files of the input without an output.
    pub(crate) unported: Vec<String>,
    /// The dialect of the port, where its manifest tells.
    pub(crate) dialect: Option<String>,
}

impl Trees {
    /// Pair the files of two trees, by the manifest where there is one, else by their paths.
    pub(crate) fn read(input: &Path, output: &Path) -> Result<Self> {
        let inputs = list(input, output)?;
        let outputs = list(output, input)?;
        let manifest = output.join(STATE).join("manifest.json");
        let mut dialect = None;
        let listed = if manifest.is_file() {
            let bytes = std::fs::read(&manifest)
                .with_context(|| format!("can't read {}", manifest.display()))?;
            let manifest: Value =
                serde_json::from_slice(&bytes).context("the manifest is no JSON")?;
            let named = manifest.get("settings").and_then(|all| all.get("dialect"));
            dialect = named.and_then(Value::as_str).map(str::to_owned);
            pairs_of(&manifest).context("the manifest lists no files")?
        } else {
            let guess = inputs.iter().filter_map(|path| guess(path, &outputs));
            guess.collect()
        };
        let (mut pairs, missing): (Vec<_>, Vec<_>) = listed
            .into_iter()
            .partition(|pair| outputs.contains(&pair.output));
        pairs.sort();
        let paired: BTreeSet<&str> = pairs.iter().map(|pair| pair.source.as_str()).collect();
        let unported = inputs.iter().filter(|path| !paired.contains(path.as_str()));
        Ok(Self {
            input: input.to_owned(),
            output: output.to_owned(),
            unported: unported.cloned().collect(),
            missing: missing.into_iter().map(|pair| pair.output).collect(),
            pairs,
            dialect,
        })
    }

    /// Whether names stay CUDA's in the port: then code for the compiler stays as it is.
    pub(crate) fn keeps_names(&self) -> bool {
        self.dialect.as_deref() == Some("portable")
    }
}

/// All files and links below `root`, without version control, the translator's own folder and
/// `other`, which may lie inside.
pub(crate) fn list(root: &Path, other: &Path) -> Result<BTreeSet<String>> {
    let skip = [OsStr::new(".git"), OsStr::new(STATE)];
    let inside = other
        .strip_prefix(root)
        .is_ok_and(|rest| rest != Path::new(""));
    let walk = walkdir::WalkDir::new(root)
        .into_iter()
        .filter_entry(|entry| {
            let apart = entry.depth() > 0 && skip.contains(&entry.file_name());
            !(apart || (inside && entry.path() == other))
        });
    let mut files = BTreeSet::new();
    for entry in walk {
        let entry = entry.with_context(|| format!("can't list {}", root.display()))?;
        if !entry.file_type().is_dir() {
            let path = entry.path().strip_prefix(root).unwrap_or(entry.path());
            files.insert(path.to_string_lossy().into_owned());
        }
    }
    Ok(files)
}

/// The output of a file in a tree without a manifest.
fn guess(path: &str, outputs: &BTreeSet<String>) -> Option<Pair> {
    let renamed = match path.rsplit_once('.') {
        Some((stem, "cu")) => format!("{stem}.mu"),
        Some((stem, "cuh")) => format!("{stem}.muh"),
        _ => path.to_owned(),
    };
    let output = [path.to_owned(), renamed];
    let output = output.into_iter().find(|path| outputs.contains(path))?;
    Some(Pair {
        source: path.to_owned(),
        output,
    })
}

/// The files of a manifest.
fn pairs_of(manifest: &Value) -> Option<Vec<Pair>> {
    let text = |value: &Value, key: &str| value.get(key)?.as_str().map(str::to_owned);
    let files = manifest.get("files")?.as_array()?;
    let pairs = files.iter().filter_map(|file| {
        Some(Pair {
            output: text(file, "path")?,
            source: text(file, "source")?,
        })
    });
    Some(pairs.collect())
}

/// A span in a file: line, column, end line, end column.
pub(crate) type Span = (usize, usize, usize, usize);

/// The span of the bytes from `start` to `end`.
pub(crate) fn span(lines: &Lines<'_>, start: usize, end: usize) -> Span {
    let ((line, column), (end_line, end_column)) = (lines.at(start), lines.at(end));
    (line, column, end_line, end_column)
}

/// What the report says of a reference.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Word {
    /// A declared reason to leave it.
    Kept(String),
    /// A finding with this code.
    Finding(String),
}

impl Word {
    /// Codes of findings that say why a reference with a known counterpart stays: the alias
    /// header of the file lacks it, or the user's own line of evidence forbids it.
    const DECLARED: [&str; 2] = ["CPP020", "CPP005"];

    /// Whether the word is a reason to leave a reference whose counterpart is confirmed.
    pub(crate) fn declares_why(&self) -> bool {
        match self {
            Self::Kept(_) => true,
            Self::Finding(code) => Self::DECLARED.contains(&code.as_str()),
        }
    }
}

/// The port's report.
#[derive(Debug, Default)]
pub(crate) struct Report {
    spans: BTreeMap<String, Vec<(Span, Word)>>,
    whole: Vec<(String, String)>,
    claims: BTreeMap<String, Vec<(Span, String)>>,
    /// How often each code was raised.
    pub(crate) codes: BTreeMap<String, usize>,
    /// How many edits the port says it took back.
    pub(crate) withdrawn: usize,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Raw {
    findings: Vec<Entry>,
    not_built: Vec<Entry>,
    suppressed: Vec<Entry>,
    kept: Vec<Entry>,
    kept_paths: Vec<Entry>,
    summary: Summary,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Summary {
    withdrawn: usize,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Entry {
    code: String,
    reason: String,
    path: String,
    name: String,
    line: usize,
    column: usize,
    end_line: usize,
    end_column: usize,
}

impl Entry {
    fn span(&self) -> Span {
        (self.line, self.column, self.end_line, self.end_column)
    }
}

impl Report {
    /// Read the report that lies in an output; an empty one where there is none.
    pub(crate) fn read(output: &Path) -> Result<Self> {
        let path = output.join(STATE).join("report.json");
        if !path.is_file() {
            return Ok(Self::default());
        }
        let bytes =
            std::fs::read(&path).with_context(|| format!("can't read {}", path.display()))?;
        let raw: Raw = serde_json::from_slice(&bytes)
            .with_context(|| format!("{} is no report", path.display()))?;
        let mut report = Self::default();
        for entry in raw.findings.into_iter().chain(raw.not_built) {
            *report.codes.entry(entry.code.clone()).or_default() += 1;
            let word = Word::Finding(entry.code.clone());
            report.add(&entry, word);
        }
        // A finding that a comment hides counts as reported: whoever wrote the comment knows of it.
        for entry in raw.suppressed {
            report.add(&entry, Word::Finding(entry.code.clone()));
        }
        report.withdrawn = raw.summary.withdrawn;
        for entry in raw.kept {
            if entry.reason == "project-declared" {
                let claims = report.claims.entry(entry.path.clone()).or_default();
                claims.push((entry.span(), entry.name.clone()));
            }
            report.add(&entry, Word::Kept(entry.reason.clone()));
        }
        for entries in report.spans.values_mut() {
            entries.sort();
        }
        report.whole = raw
            .kept_paths
            .into_iter()
            .map(|entry| (entry.path.trim_end_matches('/').to_owned(), entry.reason))
            .collect();
        report.whole.sort();
        Ok(report)
    }

    fn add(&mut self, entry: &Entry, word: Word) {
        let spans = self.spans.entry(entry.path.clone()).or_default();
        spans.push((entry.span(), word));
    }

    /// What the port's report has about a reference: a reason before a finding, its own span before a wider one
    /// that lies within `reach`, and last the reason for the whole file. With it comes whether it is
    /// about the very token.
    pub(crate) fn word(&self, path: &str, token: Span, reach: Span) -> Option<(Word, bool)> {
        let entries = self.spans.get(path).map_or(&[][..], Vec::as_slice);
        // Spans start within the reach; the list is sorted by start.
        let from = entries.partition_point(|(span, _)| (span.0, span.1) < (reach.0, reach.1));
        let near = entries[from..]
            .iter()
            .take_while(|(span, _)| (span.0, span.1) <= (token.2, token.3));
        let about = near.filter(|(span, _)| {
            let (start, end) = ((span.0, span.1), (span.2, span.3));
            let within = end <= (reach.2, reach.3) && start < end;
            within && start < (token.2, token.3) && end > (token.0, token.1)
        });
        let best = about.min_by_key(|(span, word)| (*span != token, word.clone()));
        best.map(|(span, word)| (word.clone(), *span == token))
            .or_else(|| Some((Word::Kept(self.whole(path)?), true)))
    }

    /// Whether the port's report has an entry for exactly this place, or for the whole file.
    pub(crate) fn reports(&self, path: &str, place: Span) -> bool {
        let mut entries = self.spans.get(path).map_or(&[][..], Vec::as_slice).iter();
        entries.any(|(span, _)| *span == place) || self.whole(path).is_some()
    }

    /// Whether the port's report has an entry for a place that meets this one, or for the whole file.
    pub(crate) fn reports_near(&self, path: &str, place: Span) -> bool {
        let mut entries = self.spans.get(path).map_or(&[][..], Vec::as_slice).iter();
        let meets = entries.any(|(span, _)| {
            (span.0, span.1) < (place.2, place.3) && (place.0, place.1) < (span.2, span.3)
        });
        meets || self.whole(path).is_some()
    }

    /// The names in a file that the report calls the project's own.
    pub(crate) fn claims(&self, path: &str) -> &[(Span, String)] {
        self.claims.get(path).map_or(&[], Vec::as_slice)
    }

    /// Why a whole file, or a folder that it is in, was left.
    pub(crate) fn whole(&self, path: &str) -> Option<String> {
        let mut whole = self.whole.iter();
        let found = whole.find(|(kept, _)| {
            path.strip_prefix(kept.as_str())
                .is_some_and(|rest| kept.is_empty() || rest.is_empty() || rest.starts_with('/'))
        });
        found.map(|(_, reason)| reason.clone())
    }
}
