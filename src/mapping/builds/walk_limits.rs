//! How far the files of `CMake`'s of a tree are walked through: `[limits]` of `mappings/build/cmake.toml`, which says what
//! holds beyond.

use serde::{Deserialize, Serialize};

/// The most of what a walk through the files of a tree takes in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct WalkLimits {
    /// Commands that are run; a long list counts as several.
    pub steps: usize,
    /// Calls and files inside each other, and parentheses of a condition.
    pub depth: usize,
    /// Calls of one function or macro inside its own calls.
    pub recursion: usize,
    /// References to variables inside each other.
    pub references: usize,
    /// Elements of a list.
    pub elements: usize,
    /// Bytes of the long texts of a variable.
    pub text_bytes: usize,
    /// Alternative texts that a variable may have at the same time.
    pub choices: usize,
    /// Ways in which a text is put together.
    pub ways: usize,
    /// Elements of a list that is put together in several ways.
    pub list_in_ways: usize,
    /// Rounds of a loop.
    pub rounds: usize,
    /// Targets, commands and properties of sources that are noted.
    pub notes: usize,
    /// Bytes of a compiled pattern.
    pub pattern_bytes: usize,
    /// Compiled patterns that are kept.
    pub patterns: usize,
    /// Patterns of files that are looked up.
    pub globs: usize,
}
