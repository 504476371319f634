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
mod shield;
mod unit;
mod verdict;
mod versions;
mod written_code;

pub use embedded::EmbeddedCpp;
pub use hazards::code as hazard_code;
pub use pasting::PastingPlans;
pub use unit::{CppCode, CppRule, CppUnit};

/// What rules are called, and what their edits are called after.
pub mod rule_names {
    pub use super::arguments::{ARGUMENT, DEVICE};
    pub use super::dialect::RULE as DIALECT;
    pub use super::embedded::NAME as CODE_IN_STRING;
    pub use super::guards::NAME as GUARD;
    pub use super::hazards::NAME as HAZARDS;
    pub use super::includes::HEADER;
    pub use super::inline_ptx::NAME as INLINE_PTX;
    pub use super::names::NAME;
    pub use super::objects::MEMBER;
    pub use super::pasting::PASTING;
    pub use super::qualified::QUALIFIED;
    pub use super::versions::NAME as VERSION;
}

use super::renamed_sources::RenamedSources;
use torchada_diagnostic::Code;
use torchada_diagnostic::codes::cpp::{
    ABSENT_HEADER, ABSENT_NAME, ALIAS_MISSING, UNKNOWN_HEADER, UNKNOWN_NAME,
};

/// The rules that find what a project's own build for MUSA lacks, and the codes that say so.
pub const LACKING: (&[&CppRule], [Code; 5]) = (
    &[&includes::Includes, &qualified::Qualified, &names::Names],
    [
        ALIAS_MISSING,
        UNKNOWN_NAME,
        ABSENT_NAME,
        UNKNOWN_HEADER,
        ABSENT_HEADER,
    ],
);

/// The rules in the order in which they look at a file: the one that knows most of a token comes
/// first and claims it. Assembly is translated after names, because its operands hold them.
pub const RULES: &[&CppRule] = &[
    &qualified::Copies,
    &includes::Includes,
    &RenamedSources("cpp-renamed-sources"),
    &pasting::Pasting,
    &arguments::Arguments,
    &qualified::Qualified,
    &guards::Guards,
    &versions::Versions,
    &names::Names,
    &operators::Operators,
    &dialect::Dialect,
    &inline_ptx::InlinePtx,
    &hazards::Hazards,
    &embedded::Embedded,
];
