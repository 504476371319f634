//! What code finds in a dictionary under a key that is not there.

use super::dictionaries::value_looked_up;
use crate::python::ModuleView;
use crate::python::inference::uses::name_uses::{each_use, each_use_of};
use crate::python::inference::values::steps::destinations;
use torchada_mapping::has;
use torchada_syntax::python::{Kind, NodeId};
use torchada_text::TextRange;

/// A place where code looks a key up in a dictionary.
pub struct LookUpWithoutKey {
    /// The file, by its place in the order of all files.
    pub file: usize,
    /// The place in the file.
    pub range: TextRange,
    /// What the code gets for a key that is not there, as it is written; `None` where it raises.
    pub gives: Option<String>,
}

/// The places where code looks a key up in the dictionary that a name has, in the order of files and places; those among them
/// where a function looks it up that gets the dictionary as an argument. A key that is written at the place, as another
/// platform's is, does not count.
pub fn missing(
    view: &ModuleView<'_>,
    name: NodeId,
    is_written: &dyn Fn(&ModuleView<'_>, NodeId) -> bool,
) -> Vec<LookUpWithoutKey> {
    let mut found = Vec::new();
    let mut handed = Vec::new();
    each_use(view, name, &mut |other, node| {
        handed.extend(destinations(other, &other.module.use_of(node)));
        found.extend(at(other, node, is_written));
    });
    for slot in handed {
        if let Some(home) = view.other(slot.file) {
            each_use_of(&home, &slot, &mut |other, node| {
                found.extend(at(other, node, is_written));
            });
        }
    }
    found.sort_by_key(|one| (one.file, one.range.start));
    found
}

fn at(
    view: &ModuleView<'_>,
    node: NodeId,
    is_written: &dyn Fn(&ModuleView<'_>, NodeId) -> bool,
) -> Option<LookUpWithoutKey> {
    let tree = &view.module.tree;
    let (key, value) = value_looked_up(view, node)?;
    if is_written(view, key) {
        return None;
    }
    let is_set = tree.assigned_value(value).is_some();
    let gives = match tree.kind(value) {
        Kind::Call => {
            let words = &view.python_values().words_of_calls;
            if !has(&words.keyed, view.module.callee_word(value)) {
                return None;
            }
            let default = tree.argument(value, 1);
            Some(default.map_or_else(|| "None".to_owned(), |one| tree.shown(one)))
        }
        _ => None,
    };
    (!is_set).then(|| LookUpWithoutKey {
        file: view.index,
        range: tree.range(value),
        gives,
    })
}
