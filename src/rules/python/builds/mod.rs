//! Builds of extensions in Python: `torch_musa`'s builders take the place of `PyTorch`'s, and flags, libraries and
//! sources follow.

mod added_flags;
pub mod arguments;
mod counterparts;
mod diagnostics;
pub mod extensions;
mod flag_edits;
mod flag_lists;
pub mod flags;
mod follow;
pub mod gates;
mod grouped_edits;
pub mod hosts;
mod lines;
mod modules;
pub mod names;
mod options;
pub mod unchanged_flags;
pub mod unconnected_options;

pub use counterparts::BUILDER_NAMES;
pub use gates::{forces_other_build, opens_build, picks_builder};

use super::ModuleView;
use torchada_syntax::python::NodeId;
use torchada_text::{contains, last_part};

/// Whether a module names what builds extensions, and none of `torch_musa`'s: one that does is done.
fn names_builders(unit: &ModuleView<'_>) -> bool {
    mentions_builders(unit, |word| unit.contains(word)) && !is_done(unit)
}

/// Whether a module has `torch_musa`'s builder already.
pub fn is_done(unit: &ModuleView<'_>) -> bool {
    let home = &unit.context.knowledge.builds.extensions.home;
    unit.contains(home)
}

/// Whether the code at a node has the dotted name of a module that builds extensions.
fn names_module(unit: &ModuleView<'_>, node: NodeId) -> bool {
    let mut modules = unit.python_values().builds.modules.iter();
    modules.any(|one| contains(unit.module.tree.word(node), one))
}

fn mentions_builders(unit: &ModuleView<'_>, contains: impl Fn(&str) -> bool) -> bool {
    let mut modules = unit.python_values().builds.modules.iter();
    modules.any(|module| {
        let last = last_part(module);
        contains(last)
    })
}

/// Whether a module is a part of such a build: it names what builds extensions, or what its flags are called, or
/// imports a module of the tree that does.
pub(super) fn is_of_build(unit: &ModuleView<'_>) -> bool {
    unit.memo.is_of_build(|| mentions_build(unit))
}

fn mentions_build(unit: &ModuleView<'_>) -> bool {
    if is_done(unit) {
        return false;
    }
    let marks = &unit.context.knowledge.builds.extensions.marks;
    if names_builders(unit) || marks.iter().any(|one| unit.contains(one)) {
        return true;
    }
    let Some(outline) = unit.modules.outline(unit.index) else {
        return false;
    };
    let mut files = outline
        .imports
        .iter()
        .flat_map(|one| unit.modules.files_of(unit.index, one.module));
    files.any(|file| mentions_builders(unit, |word| unit.modules.has(file, word.as_bytes())))
}
