//! The packages that a module asks for, as they are found, and which package a name means.

use super::findings::PackageUse;
use super::need::Need;
use crate::python::PythonUnit;
use torchada_diagnostic::Applicability;
use torchada_mapping::python::packages::{Package, Packages as Table};
use torchada_syntax::python::NodeId;
use torchada_text::{TextRange, first_part};

/// What was found in a module.
#[derive(Default)]
pub(super) struct Uses {
    /// The places.
    pub(super) places: Vec<PackageUse<'static>>,
    /// The names that become those of counterparts.
    pub(super) changes: Vec<(TextRange, String, &'static Package, Applicability)>,
    /// The requirements of a version of torch that no release of `torch_musa` is built for.
    pub(super) pins: Vec<(TextRange, String)>,
}

impl Uses {
    /// Note a place where a package is asked for.
    pub(super) fn add(
        &mut self,
        unit: &PythonUnit<'_>,
        place: NodeId,
        package: &'static Package,
        known: &'static str,
        need: Need,
    ) {
        self.places.push(PackageUse {
            range: unit.module.tree.range(place),
            package,
            known,
            need,
        });
    }
}

/// The package that a dotted name belongs to. `None` for a package that the tree itself contains.
pub(super) fn holding(
    unit: &PythonUnit<'_>,
    path: &str,
) -> Option<(&'static Package, &'static str)> {
    let table = Table::builtin();
    let root = first_part(path);
    table
        .holding(path)
        .filter(|_| !unit.project.python_packages.contains(root))
}

/// The package that a requirement names. `None` where the tree is that package. The name of a package in lists of
/// requirements is most often the name in imports.
pub(super) fn required_package(
    unit: &PythonUnit<'_>,
    requirement: &str,
) -> Option<(&'static Package, &'static str)> {
    let table = Table::builtin();
    let mut own = unit.project.python_packages.iter();
    table
        .required(requirement)
        .filter(|(_, known)| !own.any(|one| one.replace('_', "-") == **known))
}
