//! What the Python of a tree hands to compilers, and in which builds.

use super::sources::Named;
use super::tree::Tree;
use crate::project::replay::{Cause, Excluded};

/// Take in the sources that calls hand on.
pub(super) fn take(tree: Tree<'_>, named: &mut Named) {
    for list in &tree.python.lists {
        for source in &list.sources {
            let newer = source.only.map(|only| (Cause::Newer(only.lowest), only.at));
            if newer.is_some() && !source.is_sure {
                continue;
            }
            let absence = newer.map(|(cause, at)| Excluded::at(cause, at));
            for &file in &source.files {
                named.put(file, absence.clone());
            }
        }
    }
}
