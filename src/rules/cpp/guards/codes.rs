//! The codes of the findings on guards.

use torchada_diagnostic::Code;

/// The name of the rule, which its edits bear.
pub const NAME: &str = "guard";

/// A comparison that could not be decided.
pub const UNDECIDED: Code = Code::warning(
    "CPP050",
    "MUSA's architecture stands where CUDA's number means something",
);

/// A threshold got MUSA's number.
pub const RENUMBERED: Code = Code::note("CPP051", "architecture threshold renumbered");

/// CUDA's own fallback was chosen.
pub const FALLBACK: Code = Code::warning("CPP052", "MUSA takes CUDA's fallback branch");

/// There is no fallback.
pub const NO_FALLBACK: Code = Code::error("CPP053", "no branch is left for MUSA");

/// A branch was closed that MUSA does not need.
pub const NOT_NEEDED: Code = Code::note("CPP054", "branch closed that does nothing on MUSA");

/// A comparison asks for certain GPUs of NVIDIA's, and MUSA's are none of them.
pub const CONSTANT: Code = Code::note(
    "CPP057",
    "comparison with CUDA's number is the same on every MUSA GPU",
);

/// The branch for another vendor was chosen.
pub const OTHER_VENDOR: Code = Code::note("CPP058", "MUSA takes another vendor's portable branch");
