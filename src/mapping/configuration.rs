//! The keys of a configuration file: `mappings/configuration.toml`, for the reader, the documents and the schema.

use serde::{Deserialize, Serialize};

use super::read_table::{builtin_table, table};

/// All keys.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ConfigurationKeys {
    /// The settings, sorted by name.
    #[serde(rename = "setting")]
    pub settings: Vec<Key>,
    /// The mapping tables, sorted by name: as in a table file.
    #[serde(rename = "table")]
    pub tables: Vec<Key>,
}

builtin_table!(ConfigurationKeys, table!("configuration.toml"));

impl ConfigurationKeys {
    /// The settings, then the tables.
    pub fn all(&self) -> impl Iterator<Item = &Key> {
        self.settings.iter().chain(&self.tables)
    }
}

/// A key of `torchada.toml` or `[tool.torchada]`.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Key {
    /// Its name.
    pub name: String,
    /// What its value is made of.
    pub holds: Holds,
    /// What it means, in Markdown.
    pub what: String,
    /// A value, in TOML.
    pub example: String,
}

/// What a value is made of.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Holds {
    /// A list of strings.
    Strings,
    /// A list of identifiers.
    Identifiers,
    /// A list of codes of findings, or of their fronts.
    Codes,
    /// `true` or `false`.
    Boolean,
    /// A release in quotes.
    Version,
    /// A release, or a word in its place.
    VersionOr(String),
    /// The path of a file, or a value in its place.
    PathOr(String),
    /// One of some words.
    Choice(Words),
    /// A table of folders and the folders beside them.
    Folders,
    /// A table of globs and the codes that they stand for.
    CodesByGlob,
    /// A mapping table: a row for each name.
    Rows,
    /// A table of texts.
    Texts,
    /// A table of lists of headers.
    Headers,
    /// A list of tables of a kind.
    Records(String),
}

/// A choice of words, by what is chosen.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Words {
    /// The names that Python is written in.
    Dialect,
    /// The kinds of evidence.
    Evidence,
    /// What becomes of inline PTX.
    InlinePtx,
    /// What happens if both changed the same lines.
    OnConflict,
    /// Whether sources are renamed.
    Rename,
    /// What happens to libraries that the tree carries along.
    Vendored,
}
