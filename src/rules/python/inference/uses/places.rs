//! Where words stand in the files of a tree.

use crate::python::ModuleView;
use crate::python::inference::limits::{IMPORTERS, USES_IN_FILE};
use torchada_syntax::python::{Field, Kind, NodeId};

/// The places where a word stands in a file as a name; none, where there are more of them than are looked at.
pub fn places<'v>(view: &'v ModuleView<'_>, word: &[u8]) -> &'v [NodeId] {
    let places = view.module.places_of(word);
    if places.len() > USES_IN_FILE {
        &[]
    } else {
        places
    }
}

/// The expression that a name from another module is the end of: `config.NAME`, or `NAME` that was
/// imported. `None` for the name of a keyword, of an import and of the front of a longer name.
pub fn whole_name(view: &ModuleView<'_>, node: NodeId) -> Option<NodeId> {
    let tree = &view.module.tree;
    let Some(up) = tree.parent(node) else {
        return Some(node);
    };
    match (tree.kind(up), tree.field(node)) {
        (Kind::Attribute, field) => (field == Field::Attribute).then_some(up),
        (Kind::DottedName | Kind::KeywordArgument, field) if field != Field::Value => None,
        _ => Some(node),
    }
}

/// The files that have a word by itself, the first ones in the order of their paths.
pub fn files_with(view: &ModuleView<'_>, word: &[u8]) -> Vec<usize> {
    let mut files = view.modules.files_with(word);
    files.truncate(IMPORTERS);
    files
}
