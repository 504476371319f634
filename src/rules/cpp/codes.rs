//! The codes of findings about names and headers.

use torchada_diagnostic::Code;

/// A name without a known counterpart.
pub const UNKNOWN_NAME: Code = Code::warning("CPP001", "no MUSA counterpart is known");
/// A name that MUSA does not have.
pub const ABSENT_NAME: Code = Code::error("CPP002", "MUSA does not have this");
/// A name that was renamed by the family's rule alone.
pub const RULE_NAME: Code = Code::note("CPP003", "renamed by the prefix rule alone");
/// A name that was renamed although something speaks against it.
pub const CONTESTED_NAME: Code =
    Code::warning("CPP004", "renamed, but there is evidence against it");
/// A name whose evidence is below the user's line.
pub const TOO_WEAK: Code = Code::warning(
    "CPP005",
    "left because its evidence is below `min-evidence`",
);
/// A name that can't be reached by an edit.
pub const UNREACHABLE: Code =
    Code::warning("CPP006", "CUDA name that can't be translated in place");
/// A name whose counterpart came with a later release than the one that the port is for.
pub const LATER_NAME: Code = Code::error("CPP015", "MUSA has this in a later release only");
/// A header without a known counterpart.
pub const UNKNOWN_HEADER: Code =
    Code::warning("CPP010", "no MUSA counterpart of this header is known");
/// A header that MUSA does not have.
pub const ABSENT_HEADER: Code = Code::error("CPP011", "MUSA does not have this header");
/// A header that was renamed by the family's rule alone.
pub const RULE_HEADER: Code = Code::note("CPP012", "header renamed by the prefix rule alone");
/// A header that was renamed although something speaks against it.
pub const CONTESTED_HEADER: Code =
    Code::warning("CPP013", "header renamed, but there is evidence against it");
/// A header whose counterpart came with a later release than the one that the port is for.
pub const LATER_HEADER: Code =
    Code::error("CPP014", "MUSA has this header in a later release only");
/// A name whose counterpart is declared otherwise.
pub const DECLARED_OTHERWISE: Code = Code::warning(
    "CPP019",
    "the counterpart is declared otherwise than CUDA's",
);
/// A name that the alias header of the file lacks.
pub const ALIAS_MISSING: Code = Code::warning("CPP020", "the alias header lacks this name");

/// An object is asked for its device in another way.
pub const DEVICE_TYPE_QUERY: Code = Code::note(
    "CPP017",
    "an object is asked for the type of its device instead",
);

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
pub const DISPUTED: Code = Code::warning(
    "CPP009",
    "the project's own name where one file includes this one, CUDA's elsewhere",
);

/// A name that looks like CUDA's, of which neither the tables nor the tree say anything.
pub const UNLISTED_NAME: Code = Code::warning(
    "CPP008",
    "looks like a CUDA name, but no table lists it and the tree does not declare it",
);
