//! The codes of findings about names and headers.

use torchada_diagnostic::{Code, Severity};

/// A name without a known counterpart.
pub const UNKNOWN_NAME: Code = Code {
    id: "CPP001",
    severity: Severity::Warning,
    title: "no MUSA counterpart is known",
};
/// A name that MUSA does not have.
pub const ABSENT_NAME: Code = Code {
    id: "CPP002",
    severity: Severity::Error,
    title: "MUSA does not have this",
};
/// A name that was renamed by the family's rule alone.
pub const RULE_NAME: Code = Code {
    id: "CPP003",
    severity: Severity::Note,
    title: "renamed by the prefix rule alone",
};
/// A name that was renamed although something speaks against it.
pub const CONTESTED_NAME: Code = Code {
    id: "CPP004",
    severity: Severity::Warning,
    title: "renamed, but there is evidence against it",
};
/// A name whose evidence is below the user's line.
pub const TOO_WEAK: Code = Code {
    id: "CPP005",
    severity: Severity::Warning,
    title: "left because its evidence is below `min-evidence`",
};
/// A name that can't be reached by an edit.
pub const UNREACHABLE: Code = Code {
    id: "CPP006",
    severity: Severity::Warning,
    title: "CUDA name that can't be translated in place",
};
/// A name whose counterpart came with a later release than the one that the port is for.
pub const LATER_NAME: Code = Code {
    id: "CPP015",
    severity: Severity::Error,
    title: "MUSA has this in a later release only",
};
/// A header without a known counterpart.
pub const UNKNOWN_HEADER: Code = Code {
    id: "CPP010",
    severity: Severity::Warning,
    title: "no MUSA counterpart of this header is known",
};
/// A header that MUSA does not have.
pub const ABSENT_HEADER: Code = Code {
    id: "CPP011",
    severity: Severity::Error,
    title: "MUSA does not have this header",
};
/// A header that was renamed by the family's rule alone.
pub const RULE_HEADER: Code = Code {
    id: "CPP012",
    severity: Severity::Note,
    title: "header renamed by the prefix rule alone",
};
/// A header that was renamed although something speaks against it.
pub const CONTESTED_HEADER: Code = Code {
    id: "CPP013",
    severity: Severity::Warning,
    title: "header renamed, but there is evidence against it",
};
/// A header whose counterpart came with a later release than the one that the port is for.
pub const LATER_HEADER: Code = Code {
    id: "CPP014",
    severity: Severity::Error,
    title: "MUSA has this header in a later release only",
};
/// A name whose counterpart is declared otherwise.
pub const DECLARED_OTHERWISE: Code = Code {
    id: "CPP019",
    severity: Severity::Warning,
    title: "the counterpart is declared otherwise than CUDA's",
};
/// A name that the alias header of the file lacks.
pub const ALIAS_MISSING: Code = Code {
    id: "CPP020",
    severity: Severity::Warning,
    title: "the alias header lacks this name",
};

/// An object is asked for its device in another way.
pub const DEVICE_TYPE_QUERY: Code = Code {
    id: "CPP017",
    severity: Severity::Note,
    title: "an object is asked for the type of its device instead",
};

/// All codes of this file.
pub const CODES: &[Code] = &[
    UNKNOWN_NAME,
    ABSENT_NAME,
    RULE_NAME,
    CONTESTED_NAME,
    TOO_WEAK,
    UNREACHABLE,
    UNKNOWN_HEADER,
    ABSENT_HEADER,
    RULE_HEADER,
    CONTESTED_HEADER,
    LATER_NAME,
    LATER_HEADER,
    DECLARED_OTHERWISE,
    ALIAS_MISSING,
    DISPUTED,
    UNLISTED_NAME,
    DEVICE_TYPE_QUERY,
];

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

/// A macro of the project's own is open around some of a file's includes, and not around others.
pub const DISPUTED: Code = Code {
    id: "CPP009",
    severity: Severity::Warning,
    title: "the project's own name where one file includes this one, CUDA's elsewhere",
};

/// A name that looks like CUDA's, of which neither the tables nor the tree say anything.
pub const UNLISTED_NAME: Code = Code {
    id: "CPP008",
    severity: Severity::Warning,
    title: "looks like a CUDA name, but no table lists it and the tree does not declare it",
};
