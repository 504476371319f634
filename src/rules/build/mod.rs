//! Rules for files that say how a tree is built, shipped or set up.

mod arch;
mod bazel;
mod cmake;
mod codes;
mod grouped_findings;
mod leftovers;
mod lists;
mod script;
mod sources;
pub mod toolkit;
mod unit;

pub use script::Makefiles;
pub use unit::BuildUnit;

use super::Outcome;
use crate::diagnostic::Code;
use crate::mapping::files::BuildLanguage;

/// One rule for such files.
pub trait BuildRule: Sync {
    /// Its name in reports, in kebab-case.
    fn name(&self) -> &'static str;

    /// The codes of the findings that it can raise.
    fn codes(&self) -> &'static [Code];

    /// Whether it looks at files of a language.
    fn reads(&self, language: BuildLanguage) -> bool;

    /// Look at a file.
    fn check(&self, unit: &BuildUnit<'_>, out: &mut Outcome);
}

/// The rules in the order in which they look at a file: the one that knows most of a place comes first and claims
/// it.
pub const RULES: &[&dyn BuildRule] = &[
    &sources::RenamedSources,
    &cmake::CMakeRules,
    &script::Scripts,
    &lists::Lists,
    &bazel::Bazel,
    &leftovers::Leftovers,
];

/// Let all rules of its language look at a file.
pub fn check(unit: &BuildUnit<'_>, out: &mut Outcome) {
    for rule in RULES.iter().filter(|rule| rule.reads(unit.language)) {
        rule.check(unit, out);
    }
}
