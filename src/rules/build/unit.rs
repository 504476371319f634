//! The view that a rule for build files has of a unit, besides the file and its text.

use crate::mapping::files::BuildLanguage;
use crate::rules::Unit;
use crate::rules::build::Makefiles;
use crate::syntax::cmake::Cmake;
use crate::text::TextRange;

/// A file that says how a tree is built, shipped or set up.
pub type BuildUnit<'a> = Unit<'a, BuildCode<'a>>;

/// The language of a build file, and the facts of the tree's makefiles.
#[derive(Clone, Copy)]
pub struct BuildCode<'a> {
    /// Its language.
    pub language: BuildLanguage,
    /// Its comments, by place.
    pub comments: &'a [TextRange],
    /// Its commands, where it is `CMake`'s.
    pub cmake: Option<&'a Cmake>,
    /// The combined facts of the project's makefiles.
    pub makefiles: &'a Makefiles,
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
