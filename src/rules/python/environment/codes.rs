//! The name of the rule for environment variables, and the codes of its findings.

use torchada_diagnostic::Code;

/// A variable without a known counterpart.
pub const UNKNOWN_VARIABLE: Code = Code::warning(
    "PY050",
    "environment variable of CUDA's without a known counterpart",
);

/// A variable whose values mean nothing to MUSA.
pub const VALUES_DIFFER: Code =
    Code::warning("PY051", "environment variable whose values are CUDA's, too");

/// A variable that no table lists: only its prefix says what the counterpart is called.
pub const BY_RULE: Code = Code::note(
    "PY052",
    "environment variable whose counterpart only the prefix tells",
);

/// A string that may name a variable.
pub const MAY_BE_VARIABLE: Code = Code::note(
    "PY053",
    "may name an environment variable; its position does not tell",
);

/// A variable in the text of a command.
pub const IN_COMMAND: Code = Code::warning(
    "PY054",
    "environment variable of CUDA's in the text of a command",
);

/// A variable that is set for CUDA alone.
pub const CUDA_ALONE: Code =
    Code::warning("PY055", "environment variable that is set for CUDA alone");

/// The beginning of the names of variables that are handed on.
pub const HANDED_ON: Code = Code::warning(
    "PY047",
    "variables are handed on by the beginning of CUDA's names",
);

/// A list of GPUs that a variable gets names MUSA's.
pub const GPUS: Code = Code::note(
    "PY101",
    "CUDA's numbers of GPUs became MUSA's in a variable of the environment",
);

pub(super) const RULE: &str = "python-environment";
