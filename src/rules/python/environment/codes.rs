//! The name of the rule for environment variables, and the codes of its findings.

use torchada_diagnostic::{Code, Severity};

/// A variable without a known counterpart.
pub const UNKNOWN_VARIABLE: Code = Code {
    id: "PY050",
    severity: Severity::Warning,
    title: "environment variable of CUDA's without a known counterpart",
};

/// A variable whose values mean nothing to MUSA.
pub const VALUES_DIFFER: Code = Code {
    id: "PY051",
    severity: Severity::Warning,
    title: "environment variable whose values are CUDA's, too",
};

/// A variable that no table lists: only its prefix says what the counterpart is called.
pub const BY_RULE: Code = Code {
    id: "PY052",
    severity: Severity::Note,
    title: "environment variable whose counterpart only the prefix tells",
};

/// A string that may name a variable.
pub const MAY_BE_VARIABLE: Code = Code {
    id: "PY053",
    severity: Severity::Note,
    title: "may name an environment variable; its position does not tell",
};

/// A variable in the text of a command.
pub const IN_COMMAND: Code = Code {
    id: "PY054",
    severity: Severity::Warning,
    title: "environment variable of CUDA's in the text of a command",
};

/// A variable that is set for CUDA alone.
pub const CUDA_ALONE: Code = Code {
    id: "PY055",
    severity: Severity::Warning,
    title: "environment variable that is set for CUDA alone",
};

/// The beginning of the names of variables that are handed on.
pub const HANDED_ON: Code = Code {
    id: "PY047",
    severity: Severity::Warning,
    title: "variables are handed on by the beginning of CUDA's names",
};

pub(super) const RULE: &str = "python-environment";
