//! What a project asks for the platform that it runs on, where that is its own: a class with siblings for several vendors,
//! or a family of functions. All that asks it has one cause.

mod family;
mod proposal;
mod start;

use crate::Outcome;
use crate::python::PythonUnit;
use torchada_diagnostic::codes::python::NO_MUSA;
use torchada_mapping::python::gpus::Gpus;

/// The project's own platform object and the gate by which a program finds its device.
pub fn check(unit: &PythonUnit<'_>, out: &mut Outcome) {
    start::check(unit, out);
    for family in family::families(unit) {
        let tree = &unit.module.tree;
        let message = family.message(unit);
        let finding = unit.finding(NO_MUSA, tree.range(family.at), message);
        let members = &Gpus::builtin().members;
        let help = proposal::proposal(unit, &family, members);
        out.report(finding.help(help));
    }
}
