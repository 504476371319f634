//! Rules for C, C++ and CUDA.

mod arguments;
mod codes;
mod dialect;
mod embedded;
mod families;
mod guards;
mod hazards;
mod identifiers;
mod includes;
mod inline_ptx;
mod member_calls;
mod members;
mod names;
mod objects;
mod operators;
mod pasting;
mod placeholders;
mod qualified;
mod questions;
pub mod rule_names;
mod shield;
mod unit;
mod verdict;
mod versions;
mod written_code;

pub use embedded::EmbeddedCpp;
pub use hazards::code as hazard_code;
pub use pasting::PastingPlans;
pub use unit::{CppCode, CppRule, CppUnit};

use super::{Rule, renamed_sources};
use torchada_diagnostic::Code;
use torchada_diagnostic::codes::cpp::{
    ABSENT_HEADER, ABSENT_NAME, ALIAS_MISSING, UNKNOWN_HEADER, UNKNOWN_NAME,
};

/// The rules that find what a project's own build for MUSA lacks, and the codes that say so.
pub const LACKING: (&[CppRule], [Code; 5]) = (
    &[INCLUDES, QUALIFIED_NAMES, NAMES],
    [
        ALIAS_MISSING,
        UNKNOWN_NAME,
        ABSENT_NAME,
        UNKNOWN_HEADER,
        ABSENT_HEADER,
    ],
);

const INCLUDES: CppRule = Rule::new("include", includes::check);
const QUALIFIED_NAMES: CppRule = Rule::new(rule_names::QUALIFIED, qualified::check);
const NAMES: CppRule = Rule::new(rule_names::NAME, names::check);

/// The rules in the order in which they look at a file: the one that knows most of a token comes
/// first and claims it. Assembly is translated after names, because its operands hold them.
pub const RULES: &[CppRule] = &[
    Rule::new("asynchronous-copy", qualified::copies::check),
    INCLUDES,
    Rule::new("cpp-renamed-sources", |unit, out| {
        renamed_sources::check(unit, out);
    }),
    Rule::new(rule_names::PASTING, pasting::check),
    Rule::new(rule_names::ARGUMENT, arguments::check),
    QUALIFIED_NAMES,
    Rule::new(rule_names::GUARD, guards::check),
    Rule::new(rule_names::VERSION, versions::check),
    NAMES,
    Rule::new("operators", operators::check),
    Rule::new("dialect", dialect::check),
    Rule::new(rule_names::INLINE_PTX, inline_ptx::check),
    Rule::new("hazards", hazards::check),
    Rule::new("code-in-string", embedded::check),
];
