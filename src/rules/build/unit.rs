//! The view that a rule for build files has of a unit, besides the file and its text.

use super::TreeScripts;
use crate::{Outcome, Rule, Unit};
use torchada_mapping::files::BuildLanguage;
use torchada_mapping::python::INIT;
use torchada_syntax::cmake::Cmake;
use torchada_text::TextRange;

/// A file that says how a tree is built, shipped or set up.
pub type BuildUnit<'a> = Unit<'a, BuildCode<'a>>;

/// A rule for such files.
pub type BuildRule = Rule<fn(&BuildUnit<'_>, &mut Outcome)>;

/// The language of a build file, and what the tree's scripts share.
#[derive(Clone, Copy)]
pub struct BuildCode<'a> {
    /// Its language.
    pub language: BuildLanguage,
    /// Its comments, by place.
    pub comments: &'a [TextRange],
    /// Its commands, where it is `CMake`'s.
    pub cmake: Option<&'a Cmake>,
    /// What all scripts of the project share.
    pub scripts: &'a TreeScripts,
}

impl BuildCode<'_> {
    /// Whether a place lies in a comment.
    pub fn is_comment(&self, offset: usize) -> bool {
        let behind = self.comments.partition_point(|one| one.start <= offset);
        behind
            .checked_sub(1)
            .and_then(|at| self.comments.get(at))
            .is_some_and(|comment| offset < comment.end)
    }
}

impl BuildUnit<'_> {
    /// Whether an address is that of the project that is ported: `https://github.com/NVIDIA/Engine`, where the package
    /// `Engine` is in the tree.
    pub fn is_original(&self, address: &str) -> bool {
        let end = |one: char| matches!(one, '"' | '\'' | '@' | '#' | '?' | ' ');
        let address = address.split_once("://").map_or(address, |(_, rest)| rest);
        let address = address.split(end).next().unwrap_or_default();
        let mut parts = address.trim_end_matches('/').split('/').skip(2);
        let name = parts.next().unwrap_or_default();
        let name = name.strip_suffix(".git").unwrap_or(name);
        let places = &self.project.places;
        let is_package = |folder: &str| {
            let path = format!("{folder}{name}/{INIT}");
            places.file_at(&path).is_some()
        };
        !name.is_empty() && parts.next().is_none() && (is_package("") || is_package("src/"))
    }
}
