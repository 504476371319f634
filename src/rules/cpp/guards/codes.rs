//! The codes of the findings on guards.

use torchada_diagnostic::{Code, Severity};

/// The name of the rule, which its edits bear.
pub const NAME: &str = "guard";

/// A comparison that could not be decided.
pub const UNDECIDED: Code = Code {
    id: "CPP050",
    severity: Severity::Warning,
    title: "MUSA's architecture stands where CUDA's number means something",
};

/// A threshold got MUSA's number.
pub const RENUMBERED: Code = Code {
    id: "CPP051",
    severity: Severity::Note,
    title: "architecture threshold renumbered",
};

/// CUDA's own fallback was chosen.
pub const FALLBACK: Code = Code {
    id: "CPP052",
    severity: Severity::Warning,
    title: "MUSA takes CUDA's fallback branch",
};

/// There is no fallback.
pub const NO_FALLBACK: Code = Code {
    id: "CPP053",
    severity: Severity::Error,
    title: "no branch is left for MUSA",
};

/// A branch was closed that MUSA does not need.
pub const NOT_NEEDED: Code = Code {
    id: "CPP054",
    severity: Severity::Note,
    title: "branch closed that does nothing on MUSA",
};

/// A comparison asks for certain GPUs of NVIDIA's, and MUSA's are none of them.
pub const CONSTANT: Code = Code {
    id: "CPP057",
    severity: Severity::Note,
    title: "comparison with CUDA's number is the same on every MUSA GPU",
};

/// The branch for another vendor was chosen.
pub const OTHER_VENDOR: Code = Code {
    id: "CPP058",
    severity: Severity::Note,
    title: "MUSA takes another vendor's portable branch",
};
