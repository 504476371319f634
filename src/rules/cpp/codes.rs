//! The codes of findings about names and headers.

use torchada_diagnostic::Code;
use torchada_diagnostic::codes::cpp::{
    ABSENT_HEADER, ABSENT_NAME, CONTESTED_HEADER, CONTESTED_NAME, LATER_HEADER, LATER_NAME,
    RULE_HEADER, RULE_NAME, UNKNOWN_HEADER, UNKNOWN_NAME,
};

/// The codes for one kind of reference.
pub(super) struct Family {
    pub(super) noun: &'static str,
    pub(super) unknown: Code,
    pub(super) absent: Code,
    pub(super) later: Code,
    pub(super) rule: Code,
    pub(super) contested: Code,
}

pub(super) const NAME: Family = Family {
    noun: "",
    unknown: UNKNOWN_NAME,
    absent: ABSENT_NAME,
    later: LATER_NAME,
    rule: RULE_NAME,
    contested: CONTESTED_NAME,
};

pub(super) const HEADER: Family = Family {
    noun: "header ",
    unknown: UNKNOWN_HEADER,
    absent: ABSENT_HEADER,
    later: LATER_HEADER,
    rule: RULE_HEADER,
    contested: CONTESTED_HEADER,
};
