//! The kind of a file by its name: `mappings/files.toml`.

use crate::word_list::ends_with_one;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

pub use crate::build_language::BuildLanguage;
use crate::file_contents::ContentTable;
use crate::file_patterns::{ManifestTable, PatternTable};
use crate::untranslated_files::{CopiedTable, UnexaminedTable};

/// What ends of file names mean.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileTable {
    /// CUDA endings and their MUSA counterparts.
    pub rename: BTreeMap<String, String>,
    /// Endings by kind.
    pub kinds: BTreeMap<String, Vec<String>>,
    /// Whole file names by kind.
    pub names: BTreeMap<String, Vec<String>>,
    /// Patterns of files that say how a tree is built, shipped or set up, by their language.
    pub languages: BTreeMap<BuildLanguage, Vec<String>>,
    /// The files that are known by what they hold.
    pub contents: ContentTable,
    /// Templates.
    pub templates: TemplateTable,
    /// CUDA source in strings.
    pub generated: Markers,
    /// How much of a file is taken apart.
    pub limits: Limits,
    /// Where patterns of sources choose what is built.
    pub patterns: PatternTable,
    /// Packaging manifests.
    pub manifest: ManifestTable,
    /// What this program writes about a tree.
    pub results: MarkedTexts,
    /// Files whose strings may be texts of several lines.
    pub quoting: QuotingTable,
    /// Symbols of objects that hold the texts of files.
    pub embedding: Vec<EmbeddingTable>,
    /// Scripts that a tool makes of another file.
    #[serde(rename = "made-scripts")]
    pub made_scripts: MarkedTexts,
    /// Folders that a tool fills.
    pub filled: FilledTable,
    /// Files that are copied as they are.
    pub copied: CopiedTable,
    /// Files in languages that are not translated.
    pub unexamined: UnexaminedTable,
    /// Directives of the preprocessor's.
    pub directives: DirectiveTable,
}

/// Folders that a tool fills: environments, packages, builds.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FilledTable {
    /// Their names.
    pub folders: Vec<String>,
    /// Files that lie in them.
    pub marks: Vec<String>,
    /// The names of folders that hold copies of Python.
    pub copies: Vec<String>,
}

/// Directives of the preprocessor's: lines without which other lines of a file mean something else.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DirectiveTable {
    /// How they begin behind their `#`.
    pub begin: Vec<String>,
    /// How a header begins behind its comments.
    pub header: Vec<String>,
    /// Endings of other languages whose files may begin so.
    pub others: Vec<String>,
}

/// How large a file may be, and how deep, to be taken apart.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limits {
    /// Bytes, by kind.
    pub bytes: KindLimits,
    /// How many brackets may stand inside each other.
    pub brackets: usize,
    /// How many `#if`s, or blocks of a build file, may stand inside each other.
    pub blocks: usize,
    /// How many lines of a file may begin, part or end such blocks.
    pub branches: usize,
    /// How many bytes one of these lines may have.
    pub condition: usize,
    /// How many files of the tree one file is taken to see through its includes.
    pub includes: usize,
}

/// One number for each kind that is translated.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KindLimits {
    /// C++.
    pub cpp: usize,
    /// Python.
    pub python: usize,
    /// What says how a tree is built.
    pub build: usize,
}

impl FileTable {
    /// Whether a name ends as sources of CUDA's do.
    pub fn is_cuda(&self, name: &str) -> bool {
        let mut endings = self.kinds.get("cuda").into_iter().flatten();
        endings.any(|ending| name.ends_with(ending.as_str()))
    }

    /// Whether a name ends as sources and headers of C++ and CUDA do.
    pub fn is_code(&self, name: &str) -> bool {
        let kinds = ["cpp", "cuda", "cuda-header"].iter();
        let mut endings = kinds.filter_map(|kind| self.kinds.get(*kind)).flatten();
        endings.any(|ending| name.ends_with(ending.as_str()))
    }

    /// Whether a name ends as Python does.
    pub fn is_python(&self, name: &str) -> bool {
        let mut endings = self.kinds.get("python").into_iter().flatten();
        endings.any(|ending| name.ends_with(ending.as_str()))
    }

    /// Whether a name ends as sources of MUSA's do.
    pub fn is_musa(&self, name: &str) -> bool {
        let endings = self.kinds.get("cuda").into_iter().flatten();
        let mut endings = endings.filter_map(|ending| self.rename.get(ending));
        endings.any(|ending| name.ends_with(ending.as_str()))
    }

    /// A path with MUSA's ending in place of CUDA's; `None` for a path without CUDA's.
    pub fn with_musa_ending(&self, path: &str) -> Option<String> {
        let mut endings = self.rename.iter();
        endings.find_map(|(cuda, musa)| Some(format!("{}{musa}", path.strip_suffix(&**cuda)?)))
    }

    /// A path with CUDA's ending in place of MUSA's; `None` for a path without MUSA's.
    pub fn with_cuda_ending(&self, path: &str) -> Option<String> {
        let mut endings = self.rename.iter();
        endings.find_map(|(cuda, musa)| Some(format!("{}{cuda}", path.strip_suffix(&**musa)?)))
    }

    /// The language of the file at `path`, where it says how a tree is built.
    pub fn language(&self, path: &str) -> Option<BuildLanguage> {
        let name = path.rsplit('/').next().unwrap_or(path);
        let is_it = |pattern: &String| {
            // Almost all are out by these alone.
            let ends = |text: &str| text.as_bytes().last().copied();
            if ends(pattern) != Some(b'*') && ends(pattern) != ends(name) {
                return false;
            }
            let last = pattern.rsplit('/').next().unwrap_or(pattern).as_bytes();
            if last.first() != Some(&b'*') && last.first() != name.as_bytes().first() {
                return false;
            }
            let mut names = path.rsplit('/');
            let mut parts = pattern.rsplit('/');
            parts.all(|part| names.next().is_some_and(|name| matches(part, name)))
        };
        // What a folder is for tells more than a name (`.github/workflows/conda-tests.yaml` is a pipeline), and how a name
        // begins more than how it ends: `Dockerfile.deps` is a recipe of an image.
        let rank = |pattern: &str| match pattern {
            one if one.contains('/') => 0,
            one if !one.starts_with('*') => 1,
            _ => 2,
        };
        let of = |wanted: usize| {
            let mut rows = self.languages.iter();
            let row = rows.find(|(_, patterns)| {
                let mut patterns = patterns.iter();
                patterns.any(|one| rank(one) == wanted && is_it(one))
            });
            row.map(|(language, _)| *language)
        };
        (0..3).find_map(of)
    }
}

/// Whether a name is one that a pattern with at most one `*` gives. Behind a letter at the end, the `*` stands for no dot:
/// `Makefile*` is for `MakefileCUDA`, and not for `MakefileParser.py`.
fn matches(pattern: &str, name: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == name,
        Some((front, back)) => name.strip_prefix(front).is_some_and(|rest| {
            let is_word = back.is_empty() && front.ends_with(|one: char| one.is_alphanumeric());
            rest.ends_with(back) && !(is_word && rest.contains('.'))
        }),
    }
}

/// Texts that nobody writes by hand.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MarkedTexts {
    /// What such a text holds.
    pub marker: String,
    /// Among how many of its first bytes.
    pub within: usize,
}

/// The symbols of an object that holds the text of a file, made of the file's path.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct EmbeddingTable {
    /// What they begin with.
    pub front: String,
    /// What stands behind the path.
    pub tails: Vec<String>,
}

/// Files whose strings may be texts of several lines.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct QuotingTable {
    /// The ends of their names.
    endings: Vec<String>,
    /// How a line ends in a string.
    line_break: String,
}

impl QuotingTable {
    /// How a line ends in the strings of a file, where its strings may have several.
    pub fn line_break(&self, path: &str) -> Option<&[u8]> {
        let has = ends_with_one(path, &self.endings);
        has.then_some(self.line_break.as_bytes())
    }
}

impl MarkedTexts {
    /// Whether a text is one of them.
    pub fn has(&self, text: &[u8]) -> bool {
        let head = text.get(..self.within).unwrap_or(text);
        memchr::memmem::find(head, self.marker.as_bytes()).is_some()
    }
}

/// Which files are templates.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TemplateTable {
    /// Endings that stand behind the real one.
    pub endings: Vec<String>,
    /// Endings of `CMake`'s that stand behind that of a header.
    pub configured: Vec<String>,
    /// What makes a template without a real ending C++.
    pub markers: Vec<String>,
    /// The words with which a statement of a template (`{% … %}`) names another one.
    pub naming: Vec<String>,
}

/// Texts that tell something by being there.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Markers {
    /// Any one of them is enough.
    pub markers: Vec<String>,
}
