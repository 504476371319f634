//! What the rules for devices report.

use torchada_diagnostic::Code;

/// CUDA is one choice among several platforms, and MUSA is none of them.
pub const ONE_OF_SEVERAL: Code = Code::warning(
    "PY030",
    "CUDA is one choice among several platforms; MUSA is missing",
);
/// A string that may name a device.
pub const MAY_BE_DEVICE: Code =
    Code::warning("PY031", "may name a device; its position does not tell");
/// A comparison that can't be made to let both names pass.
pub const ONLY_CUDA_PASSES: Code =
    Code::warning("PY032", "comparison that only CUDA's device name passes");
/// A variable whose value is a device's name is used as something else, too.
pub const USED_AS_BOTH: Code = Code::warning("PY034", "used as a device and as something else");
