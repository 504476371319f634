//! What the Python of a tree hands to compilers, and in which builds.

use rustc_hash::FxHashMap;

use super::cause::{Absence, Cause, Causes};
use super::sources::Named;
use super::tree::Tree;
use crate::text::LineIndex;

/// Take in the sources that calls hand on.
pub(super) fn take(tree: Tree<'_>, named: &mut Named, causes: &mut Causes) {
    let mut lines: FxHashMap<usize, LineIndex> = FxHashMap::default();
    for list in &tree.python.lists {
        for source in &list.sources {
            let absence: Absence = source.only.map(|only| {
                let (file, at) = only.at;
                let text = tree.files.get(file).and_then(|file| file.text.as_deref());
                let text = text.unwrap_or_default();
                let lines = lines.entry(file).or_insert_with(|| LineIndex::new(text));
                let line = lines.position(text, at).line;
                causes.id(Cause::Newer(only.lowest), Some((file, line)))
            });
            if absence.is_some() && !source.is_sure {
                continue;
            }
            for &file in &source.files {
                named.put(file, absence, causes);
            }
        }
    }
}
