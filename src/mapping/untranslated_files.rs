//! Files that a port only copies, and what it reports of them: in `mappings/files.toml`.

use std::collections::BTreeMap;

use crate::word_list::{contains_one, has, starts_with_one};
use serde::{Deserialize, Serialize};

/// Files that are copied as they are.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CopiedTable {
    /// What tells that such a file is about CUDA.
    pub words: Vec<String>,
    /// The names of build files that may look for sources by their endings.
    scanning: Vec<String>,
    /// What to do about build files, by the ends of their names.
    advice: BTreeMap<String, String>,
}

impl CopiedTable {
    /// Whether a build file that is about CUDA may look for sources by their endings.
    pub fn scans(&self, file_name: &str, text: &[u8]) -> bool {
        has(&self.scanning, file_name) && contains_one(text, &self.words)
    }

    /// What to do about a build file.
    pub fn advice(&self, path: &str) -> Option<&str> {
        let mut all = self.advice.iter();
        let found = all.find(|(ending, _)| path.ends_with(ending.as_str()));
        found.map(|(_, advice)| advice.as_str())
    }
}

/// Files in languages that are not translated.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UnexaminedTable {
    /// What tells that such a file calls CUDA.
    calls: Vec<String>,
    /// What tells so in one language, by its name.
    #[serde(rename = "calls-of")]
    calls_of: BTreeMap<String, Vec<String>>,
    /// What tells that such a file is about CUDA.
    pub words: Vec<String>,
    /// What begins as one of them and is none.
    others: Vec<String>,
    /// Languages with comments behind `// `.
    slashes: Vec<String>,
    /// How files begin that a program makes of the documentation of other files.
    indexes: Vec<String>,
    /// What the languages are called, by the ends of names.
    languages: BTreeMap<String, String>,
}

impl UnexaminedTable {
    /// What tells that a file in a language calls CUDA.
    pub fn calls_in(&self, language: &str) -> impl Iterator<Item = &str> {
        let own = self.calls_of.get(language).into_iter().flatten();
        self.calls.iter().chain(own).map(String::as_str)
    }

    /// Whether a text has one of the words that tell that it is about CUDA.
    pub fn speaks(&self, text: &[u8]) -> bool {
        let is_other = |rest: &[u8]| starts_with_one(rest, &self.others);
        self.words.iter().any(|word| {
            let mut places = memchr::memmem::find_iter(text, word.as_bytes());
            places.any(|at| text.get(at..).is_some_and(|rest| !is_other(rest)))
        })
    }

    /// Whether a program made a file of what other files say.
    pub fn is_generated(&self, text: &[u8]) -> bool {
        starts_with_one(text, &self.indexes)
    }

    /// Whether what stands behind `// ` in a file is a comment.
    pub fn has_slashes(&self, path: &str) -> bool {
        let language = self.language(path);
        language.is_some_and(|language| has(&self.slashes, language))
    }

    /// What the language of a file is called.
    pub fn language(&self, path: &str) -> Option<&str> {
        let mut languages = self.languages.iter();
        let found = languages.find(|(ending, _)| path.ends_with(ending.as_str()));
        found.map(|(_, language)| language.as_str())
    }
}
