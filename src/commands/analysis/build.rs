//! One file that says how a tree is built: its rules, its edits, its verification.

use super::translate::{Translated, finish};
use crate::mapping::files::BuildLanguage;
use crate::project::{Lore, Project, Source};
use crate::rules::build::{self, BuildUnit};
use crate::rules::{Outcome, RuleSettings, suppression};
use crate::syntax::{cmake_errors, hash_comments};
use crate::text::LineIndex;
use crate::verify::apply_verified_build;

/// Translate a build file.
pub(super) fn translate(
    project: &Project,
    index: usize,
    file: &Source,
    language: BuildLanguage,
    lore: Lore<'_>,
    settings: &RuleSettings,
) -> Translated {
    let Some(text) = file.text.as_deref() else {
        return Translated::default();
    };
    let lines = LineIndex::new(text);
    let is_cmake = language == BuildLanguage::CMake;
    let cmake = project.cmake(index).filter(|_| is_cmake);
    let hashed = cmake.is_none().then(|| hash_comments(text));
    let comments = cmake.map(|file| &file.comments);
    let unit = BuildUnit {
        file,
        index,
        text,
        lines: &lines,
        language,
        comments: comments.or(hashed.as_ref()).map_or(&[], Vec::as_slice),
        cmake,
        project,
        lore,
        settings,
    };
    let mut out = Outcome::default();
    build::check(&unit, &mut out);
    let suppressed = suppression::apply_build(&unit, &mut out);
    Translated {
        suppressed,
        ..finish(file, text, &lines, out, settings, |text, edits| {
            apply_verified_build(text, edits, cmake.is_some().then_some(cmake_errors))
        })
    }
}
