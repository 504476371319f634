//! Every code that a finding can have.

use super::{analysis, explain_log};
use crate::diagnostic::Code;
use crate::mapping::Tables;
use crate::rules::{build, cpp, python};
use crate::{emit, project, rules, verify, walk};

/// All codes, sorted. Each room lists its own, a rule those that it can raise, and the hazards'
/// come from their table.
pub fn all() -> Vec<Code> {
    let of_rules = cpp::RULES.iter().flat_map(|rule| rule.codes());
    let of_build = build::RULES.iter().flat_map(|rule| rule.codes());
    let of_python = python::RULES
        .iter()
        .chain(python::CLOSING)
        .flat_map(|rule| rule.codes());
    let mut codes: Vec<Code> = of_rules
        .chain(of_build)
        .chain(of_python)
        .chain(&python::reserved::find::CODES)
        .chain([
            &python::split_decisions::DECIDED_APART,
            &python::cython::NAME_LEFT,
        ])
        .chain(rules::suppression::CODES)
        .chain(rules::settings::CODES)
        .chain(rules::lints::CODES)
        .chain(walk::CODES)
        .chain(project::CODES)
        .chain(verify::CODES)
        .chain(analysis::CODES)
        .chain(emit::CODES)
        .copied()
        .chain(Tables::builtin().hazards().iter().map(cpp::hazard_code))
        .chain(explain_log::codes())
        .collect();
    codes.sort_by_key(|code| code.id);
    codes.dedup();
    codes
}
