//! What the names of a file stand for that other files define. A file that names nothing of another's is not parsed for it.

use std::sync::Arc;

use super::places::{places, whole_name};
use super::shared_answers::is_member_of_another;
use crate::python::ModuleView;
use torchada_project::python::Definition;
use torchada_syntax::python::NodeId;

/// The expressions of a file that end with a word and stand for something of the tree's, with what they stand for.
pub(in crate::python::inference) fn references(
    view: &ModuleView<'_>,
    file: usize,
    word: &[u8],
) -> Arc<[(NodeId, Definition)]> {
    if !may_refer(view, file, word) {
        return Arc::default();
    }
    let find = || {
        let Some(other) = view.other(file) else {
            return Vec::new();
        };
        let wholes = places(&other, word).iter();
        let wholes = wholes.filter_map(|&node| whole_name(&other, node));
        let found = wholes.filter_map(|whole| {
            let path = other.module.resolve(whole)?;
            let found = other.modules.lookup(file, &path.name)?;
            (!matches!(found, Definition::Outside(_))).then_some((whole, found))
        });
        found.collect()
    };
    let known = &view.summaries.elsewhere.references;
    known.once((file, word.into()), find)
}

/// Whether a word may stand for something of another file, by what the file imports and how the word is written.
fn may_refer(view: &ModuleView<'_>, file: usize, word: &[u8]) -> bool {
    let is_imported = |word: &str| {
        view.modules.outline(file).is_some_and(|outline| {
            let mut imports = outline.imports.iter();
            !outline.stars.is_empty()
                || imports.any(|one| one.member == Some(word) || one.alias == word)
        })
    };
    view.modules.has(file, word)
        && (std::str::from_utf8(word).is_ok_and(is_imported)
            || is_member_of_another(&view.modules.text_once(file), word))
}
