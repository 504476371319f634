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
pub(super) struct Uses<'t> {
    /// The places.
    pub(super) places: Vec<PackageUse<'t>>,
    /// The names that become those of counterparts.
    pub(super) changes: Vec<(TextRange, String, &'t Package, Applicability)>,
    /// The requirements of a version of torch that no release of `torch_musa` is built for.
    pub(super) pins: Vec<(TextRange, String)>,
}

impl<'t> Uses<'t> {
    /// Note a place where a package is asked for.
    pub(super) fn add(
        &mut self,
        unit: &PythonUnit<'_>,
        place: NodeId,
        package: &'t Package,
        known: &'t str,
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
pub(super) fn holding<'t>(
    unit: &PythonUnit<'_>,
    table: &'t Table,
    path: &str,
) -> Option<(&'t Package, &'t str)> {
    let root = first_part(path);
    table
        .holding(path)
        .filter(|_| !unit.project.python_packages.contains(root))
}

/// The package that a requirement names. `None` where the tree is that package. The name of a package in lists of
/// requirements is most often the name in imports.
pub(super) fn required_package<'t>(
    unit: &PythonUnit<'_>,
    table: &'t Table,
    requirement: &str,
) -> Option<(&'t Package, &'t str)> {
    let mut own = unit.project.python_packages.iter();
    table
        .required(requirement)
        .filter(|(_, known)| !own.any(|one| one.replace('_', "-") == **known))
}
