//! Files with patterns of other files' names, and what the patterns choose: in `mappings/files.toml`.

use crate::word_list::{contains_one, ends_with_one};
use serde::{Deserialize, Serialize};

use crate::build_language::BuildLanguage;

/// Files whose patterns of sources don't choose what is built.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct PatternTable {
    /// The languages of the files.
    pub languages: Vec<BuildLanguage>,
    /// The ends of the names of files that name no compiler.
    pub endings: Vec<String>,
    /// The compilers by which a file of such an ending builds something.
    pub compilers: Vec<String>,
    /// The ends of paths of files that only choose what is checked, or tell an editor about the tree.
    pub checks: Vec<String>,
    /// Pages of documentation.
    pub pages: PageTable,
    /// Names of build files that name sources by their places seen from the file's own folder.
    pub from_own_folder: Vec<String>,
    /// Endings of projects of Windows' tools.
    pub windows: Vec<String>,
    /// Tables of `pyproject.toml` that do so, with those in them.
    pub check_tables: Vec<String>,
}

impl PatternTable {
    /// Whether what the file at `path` names is for people or for their tools, and no build looks for it.
    pub fn is_for_people(&self, path: &str) -> bool {
        let is_end = |end: &String| {
            let front = path.strip_suffix(end.as_str());
            front.is_some_and(|front| front.is_empty() || front.ends_with('/'))
        };
        self.checks.iter().any(is_end) || self.is_windows(path) || self.pages.has(path)
    }

    /// Whether the file at `path` is a project of Windows' tools.
    pub fn is_windows(&self, path: &str) -> bool {
        ends_with_one(path, &self.windows)
    }

    /// Whether a table of `pyproject.toml` only chooses what is checked.
    pub fn is_check_table(&self, name: &str) -> bool {
        self.check_tables.iter().any(|one| {
            name.strip_prefix(one.as_str())
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        })
    }

    /// Whether the file at `path`, in a language, chooses something else than what is built.
    pub fn are_loose(&self, path: &str, language: Option<BuildLanguage>, text: &[u8]) -> bool {
        match language {
            Some(language) => self.languages.contains(&language),
            None => ends_with_one(path, &self.endings) && !contains_one(text, &self.compilers),
        }
    }
}

/// Pages of documentation, and what goes with them: nothing builds what they name.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PageTable {
    /// The folders that they lie in, in small letters.
    pub folders: Vec<String>,
    /// How their names end.
    pub endings: Vec<String>,
}

impl PageTable {
    /// Whether the file at `path` is one of them.
    pub fn has(&self, path: &str) -> bool {
        let (folders, _) = path.rsplit_once('/').unwrap_or_default();
        let is_folder = |part: &str| {
            let part = part.to_ascii_lowercase();
            self.folders.contains(&part)
        };
        ends_with_one(path, &self.endings) && folders.split('/').any(is_folder)
    }
}

/// Files that say what a package takes along: a command with its patterns on each line.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct ManifestTable {
    /// Whole file names.
    pub names: Vec<String>,
    /// Commands whose patterns are paths.
    pub at_path: Vec<String>,
    /// Commands whose first word is a folder; the patterns are for files anywhere below it.
    pub below_folder: Vec<String>,
    /// Commands whose patterns are for files anywhere.
    pub anywhere: Vec<String>,
    /// Tables of `pyproject.toml` whose patterns are for files of a package.
    pub package_data: Vec<String>,
}
