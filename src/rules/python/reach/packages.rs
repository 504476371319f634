//! The packages that some platforms alone have, and the modules that import one of them whatever happens.

use super::names::cause;
use super::reached::Reason;
use crate::python::ModuleView;
use torchada_mapping::knowledge::Knowledge;
use torchada_project::replay::Cause;
use torchada_syntax::python::{Guard, Imported, ModuleOutline};
use torchada_text::{is_within, line_of};

/// A package with the platform that it belongs to.
pub(super) type Package<'k> = (Cause, &'k str);

/// The packages that some platforms alone have.
pub(super) struct PlatformPackages<'k> {
    pub(super) vendors: Vec<Package<'k>>,
    pub(super) nvidias: Vec<Package<'k>>,
}

impl<'k> PlatformPackages<'k> {
    pub(super) fn of(knowledge: &'k Knowledge) -> Self {
        Self {
            vendors: vendor_packages(knowledge),
            nvidias: nvidia_packages(knowledge),
        }
    }
}

/// The packages that only other vendors' machines have.
fn vendor_packages(knowledge: &Knowledge) -> Vec<Package<'_>> {
    let vendors = knowledge.vendors.iter().enumerate();
    let all = vendors.flat_map(|(at, vendor)| {
        let packages = vendor.python.iter().flat_map(|marks| &marks.packages);
        packages.filter_map(move |package| Some((cause(knowledge, at)?, package.as_str())))
    });
    all.collect()
}

/// The packages that only NVIDIA's GPUs have.
fn nvidia_packages(knowledge: &Knowledge) -> Vec<Package<'_>> {
    let all = knowledge.nvidia_only.iter().flat_map(|row| {
        let packages = row.packages.iter();
        packages.map(|package| (Cause::Needs(row.what.clone()), package.as_str()))
    });
    all.collect()
}

/// The platform whose package a module imports whatever happens.
pub(super) fn by_package(
    view: &ModuleView<'_>,
    outline: &ModuleOutline<'_>,
    packages: &[Package<'_>],
) -> Option<Reason> {
    let imports = outline.imports.iter().chain(&outline.stars);
    let mut always =
        imports.filter(|one| one.guard == Guard::Nothing && !one.module.starts_with('.'));
    always.find_map(|import| {
        let (cause, package) = packages
            .iter()
            .find(|(_, one)| is_brought_by(one, import))?;
        let line = line_of(view.text, import.at);
        let why = match cause {
            Cause::Vendor(name) => format!("line {line} imports `{package}`, which is for {name}"),
            _ => format!("line {line} imports `{package}`"),
        };
        Some(Reason {
            cause: cause.clone(),
            why,
        })
    })
}

/// Whether a package, or something in it, is what an import brings.
fn is_brought_by(package: &str, import: &Imported<'_>) -> bool {
    let is_member = |member: &str| {
        let rest = package.strip_prefix(import.module);
        rest.and_then(|rest| rest.strip_prefix('.')) == Some(member)
    };
    is_within(import.module, package) || import.member.is_some_and(is_member)
}
