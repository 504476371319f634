//! The rules: each looks at one file and says what to change and what to report.
//!
//! Architecture invariant: a rule is a pure function of one file and the project's facts. It
//! reads no file and knows no argument, so files can be done in any order, on any core.

pub mod build;
mod choices;
pub mod cpp;
pub mod declarations;
mod flags;
pub mod lints;
mod outcome;
mod programs;
pub mod python;
mod renamed_sources;
pub mod settings;
pub mod suppression;
mod times;
mod unit;

pub use choices::{RuleSettings, StubImport};
pub use outcome::Outcome;
pub use times::Times;
pub use unit::Unit;

/// One rule for units of type `U`.
pub trait Rule<U: ?Sized>: Sync {
    /// Its name in reports, in kebab-case.
    fn name(&self) -> &'static str;

    /// Look at a unit.
    fn check(&self, unit: &U, out: &mut Outcome);
}

/// Let rules look at a unit, in their order.
pub fn run<U: ?Sized>(
    rules: &[&dyn Rule<U>],
    settings: &RuleSettings,
    unit: &U,
    out: &mut Outcome,
) {
    for rule in rules.iter().filter(|rule| settings.runs(rule.name())) {
        settings.timed(rule.name(), || rule.check(unit, out));
    }
}
