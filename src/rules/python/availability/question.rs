//! Which names ask whether there is a GPU.

use crate::python::ModuleView;
use torchada_mapping::{PlatformName, PlatformReport};

/// Whether a dotted name asks for a GPU.
pub fn is_question(unit: &ModuleView<'_>, name: &str) -> bool {
    questions(unit).any(|one| one.name == name)
}

/// The names that ask for a GPU. They tell the platform only where the code asks for other platforms, too.
pub(super) fn questions<'a>(unit: &ModuleView<'a>) -> impl Iterator<Item = &'a PlatformName> {
    let names = unit.python_values().platforms.iter();
    names.filter(|one| one.report == PlatformReport::BesideOthers)
}

/// How many nodes of the code that an answer decides are looked at.
pub(super) const NODES: usize = 600;
