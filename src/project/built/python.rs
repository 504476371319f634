//! What the Python of a tree hands to compilers, and in which builds.

use super::sources::NamedSources;
use super::tree::Tree;
use crate::cmake::replay::{Absence, Cause, Excluded};
use crate::python_builds::HandedList;

/// Take in the sources that calls hand on.
pub(super) fn take(tree: Tree<'_>, named: &mut NamedSources) {
    take_without(tree, named, &|_| None);
}

/// Take in the sources that calls hand on, where `left_out` says why a build leaves some of these calls out.
pub(super) fn take_without(
    tree: Tree<'_>,
    named: &mut NamedSources,
    left_out: &dyn Fn(&HandedList) -> Absence,
) {
    for list in &tree.python.lists {
        let of_list = left_out(list);
        for source in &list.sources {
            let newer = source.only.map(|only| (Cause::Newer(only.lowest), only.at));
            let newer = newer.map(|(cause, at)| Excluded::at(cause, at));
            let absence = newer.or_else(|| of_list.clone());
            if absence.is_some() && !source.is_sure {
                continue;
            }
            for &file in &source.files {
                named.put(file, absence.clone());
            }
        }
    }
}
