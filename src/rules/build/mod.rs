//! Rules for files that say how a tree is built, shipped or set up.

mod addresses;
pub mod arch;
mod bazel;
mod cmake;
mod codes;
mod grouped_findings;
mod leftovers;
mod lists;
mod script;
pub mod toolkit;
mod unit;

pub use codes::{CMAKE_OPTION_ADVICE, OTHER_GPUS};
pub use script::TreeScripts;
pub use torchada_diagnostic::codes::build::{DOWNLOAD, PACKAGE};
pub use unit::{BuildCode, BuildUnit};

use super::renamed_sources::RenamedSources;
use super::{Outcome, Rule, run};

/// The rules in the order in which they look at a file: the one that knows most of a place comes first and claims
/// it.
pub const RULES: &[&dyn for<'a> Rule<BuildUnit<'a>>] = &[
    &RenamedSources("build-renamed-sources"),
    &cmake::CMakeRules,
    &script::Scripts,
    &lists::Lists,
    &bazel::Bazel,
    &addresses::Addresses,
    &leftovers::Leftovers,
];

/// Let all rules look at a file.
pub fn check(unit: &BuildUnit<'_>, out: &mut Outcome) {
    run(RULES, unit.settings, unit, out);
}
