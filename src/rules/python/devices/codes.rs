//! What the rules for devices report.

use torchada_diagnostic::{Code, Severity};

/// CUDA is one choice among several platforms, and MUSA is none of them.
pub const ONE_OF_SEVERAL: Code = Code {
    id: "PY030",
    severity: Severity::Warning,
    title: "CUDA is one choice among several platforms; MUSA is missing",
};
/// A string that may name a device.
pub const MAY_BE_DEVICE: Code = Code {
    id: "PY031",
    severity: Severity::Warning,
    title: "may name a device; its position does not tell",
};
/// A comparison that can't be made to let both names pass.
pub const ONLY_CUDA_PASSES: Code = Code {
    id: "PY032",
    severity: Severity::Warning,
    title: "comparison that only CUDA's device name passes",
};
/// A variable whose value is a device's name is used as something else, too.
pub const USED_AS_BOTH: Code = Code {
    id: "PY034",
    severity: Severity::Warning,
    title: "used as a device and as something else",
};
