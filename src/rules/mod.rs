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

use std::mem;

use torchada_mapping::Dialect;

pub use choices::{RuleSettings, StubImport};
pub use outcome::Outcome;
pub use times::Times;
pub use unit::{Change, Unit};

/// One rule: its name in reports, in kebab-case, and the function that looks at a unit.
#[derive(Clone, Copy)]
pub struct Rule<Check> {
    /// The name.
    pub name: &'static str,
    check: Check,
    /// The dialect of the results that it is for, where it is not for all.
    dialect: Option<Dialect>,
}

impl<Check> Rule<Check> {
    const fn new(name: &'static str, check: Check) -> Self {
        Self {
            name,
            check,
            dialect: None,
        }
    }

    /// A rule for results in MUSA's dialect alone.
    const fn for_musa(name: &'static str, check: Check) -> Self {
        Self {
            name,
            check,
            dialect: Some(Dialect::Musa),
        }
    }

    /// A rule for results in the portable dialect alone.
    const fn for_portable(name: &'static str, check: Check) -> Self {
        Self {
            name,
            check,
            dialect: Some(Dialect::Portable),
        }
    }
}

/// The function of a rule for units of type `U`.
type Check<U> = fn(&U, &mut Outcome);

/// Let rules look at a unit, in their order.
pub fn run<U>(rules: &[Rule<Check<U>>], settings: &RuleSettings, unit: &U, out: &mut Outcome) {
    let is_for = |one: Option<Dialect>| one.is_none_or(|dialect| dialect == settings.dialect);
    let rules = rules.iter().filter(|rule| is_for(rule.dialect));
    for rule in rules.filter(|rule| settings.runs(rule.name)) {
        settings.timed(rule.name, || look(*rule, unit, out));
    }
}

/// Let one rule look at a unit: the edits that it makes bear its name.
fn look<U>(rule: Rule<Check<U>>, unit: &U, out: &mut Outcome) {
    let outer = mem::replace(&mut out.rule, rule.name);
    (rule.check)(unit, out);
    out.rule = outer;
}
