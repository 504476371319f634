//! Translates one build file: runs its rules, applies their edits and verifies the result.

use super::file_analysis::FileAnalysis;
use super::translated::{Translated, finish};
use crate::mapping::files::BuildLanguage;
use crate::rules::build::BuildCode;
use crate::rules::{Outcome, build, suppression};
use crate::syntax::hash_comments;
use crate::text::LineIndex;
use crate::verify::withdraw_broken_build;

/// Translate a build file.
pub(super) fn translate(file: FileAnalysis<'_, '_>, language: BuildLanguage) -> Translated {
    let (text, index, project) = (file.text, file.index, file.project);
    let lines = LineIndex::new(text);
    // The grammar takes longer than all the rest, so the file is parsed only if a rule may have something to do.
    let may_matter = || {
        file.context.knowledge.builds.words.is_cudas(text)
            || !project.renamed_mentions(index).is_empty()
            || project.names_cuda_sources(index)
            || suppression::may_have_markers(text)
    };
    let is_cmake = language == BuildLanguage::CMake && may_matter();
    let cmake = is_cmake.then(|| project.cmake(index)).flatten();
    let hashed = cmake.is_none().then(|| hash_comments(text));
    let comments = cmake.map(|file| &file.comments);
    let code = BuildCode {
        language,
        comments: comments.or(hashed.as_ref()).map_or(&[], Vec::as_slice),
        cmake,
        scripts: file.shared.scripts,
    };
    let unit = file.unit(text, &lines, code);
    let mut out = Outcome::default();
    build::check(&unit, &mut out);
    finish(&unit, out, |edits| {
        withdraw_broken_build(text, edits, cmake, file.settings.verify_all)
    })
}
