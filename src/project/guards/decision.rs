//! The decisions about the guards of a file.

use torchada_diagnostic::Severity;
use torchada_text::{Spans, TextRange};

use super::comparison::Comparison;
use super::unsupported::Switch;

/// The decision about one comparison.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Decision {
    /// MUSA's number stands in place of CUDA's; the feature that asks for it.
    Threshold {
        /// A value of `__MUSA_ARCH__`.
        number: u32,
        /// The feature's name in the table of architectures.
        feature: String,
    },
    /// The comparison has the same result on every MUSA GPU.
    Constant(bool),
    /// The comparison stays: the branches around it know MUSA.
    KnowsMusa,
    /// The code does not show how to decide the comparison.
    Open,
}

/// A conditional whose newer branches MUSA can't take.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Closed {
    /// The comparison that closes them.
    pub at: TextRange,
    /// The constructs in the newest branch that MUSA lacks, as the code has them.
    pub holds: Vec<String>,
    /// The construct that the first of these leads to in the end.
    pub leads_to: String,
    /// Macros of the project's own that only those branches define, where they hold nothing else:
    /// the fallback stands where the macros are tested.
    pub switches: Vec<String>,
    /// Whether code that tests one of them has no other branch.
    pub without_fallback: bool,
    /// The severity of that: a branch that only has notes may be left out.
    pub severity: Severity,
    /// The directive of the branch that holds them.
    pub branch: Option<TextRange>,
    /// The directive of the branch that is taken instead, if there is one.
    pub fallback: Option<TextRange>,
    /// The directive of a branch for another vendor without such code.
    pub other_vendor: Option<TextRange>,
}

/// A branch for another vendor that MUSA takes, because CUDA's own holds what MUSA lacks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VendorArm {
    /// What the branch for CUDA holds, as the code has it.
    pub holds: Vec<String>,
    /// The directives of the branches before it that MUSA would take, as indices.
    pub passed: Vec<usize>,
    /// The directive that opens it, as an index.
    pub directive: usize,
    /// Its body.
    pub body: TextRange,
}

/// The guards of one file.
#[derive(Clone, Default, Debug)]
pub struct Guards {
    /// Each comparison with its decision, by place.
    pub decisions: Vec<(Comparison, Decision)>,
    /// Conditionals that MUSA takes the fallback of.
    pub closed: Vec<Closed>,
    /// Token indices of the macro where it is compared with nothing.
    pub values: Vec<usize>,
    /// Macros and constants of the project's own that stand for a newer architecture, and for nothing else.
    pub(crate) switches: Vec<Switch>,
    /// Places of the macro, by their tokens, that decide by CUDA's number whether a function does its work.
    pub deciding: Vec<usize>,
    /// The value that the file gives the architecture's macro on MUSA.
    pub architecture: Option<i64>,
    /// Branches for other vendors that MUSA takes.
    pub arms: Vec<VendorArm>,
    /// Comparisons that were closed because another guard of the function was, by their place, each with the
    /// directive of that guard.
    pub bound: Vec<(TextRange, TextRange)>,
    /// Conditions that a version of CUDA's does not change.
    pub(super) decided: Spans,
    /// Bodies of branches that no MUSA GPU takes, by place.
    pub(super) disabled: Spans,
    /// Bodies of branches that are left out whatever the architecture: because MUSA defines no version of CUDA's,
    /// because the project says so, or because MUSA takes the branch of another vendor.
    pub(super) left_out: Spans,
}

impl Guards {
    /// Whether the byte at `offset` is in a branch that no MUSA GPU takes.
    pub fn is_closed(&self, offset: usize) -> bool {
        self.is_left_out(offset) || self.is_disabled(offset)
    }

    /// Whether the byte at `offset` is in a branch that is left out whatever the architecture.
    pub fn is_left_out(&self, offset: usize) -> bool {
        self.left_out.contains(offset)
    }

    /// Whether the byte at `offset` is in a branch for another vendor that MUSA takes.
    pub fn is_taken_arm(&self, offset: usize) -> bool {
        self.arms.iter().any(|arm| arm.body.contains(offset))
    }

    /// Whether the condition around the byte at `offset` is the same with every version of CUDA's.
    pub fn is_decided(&self, offset: usize) -> bool {
        self.decided.contains(offset)
    }

    /// Whether the architecture closes the branch around the byte at `offset`.
    pub(super) fn is_disabled(&self, offset: usize) -> bool {
        self.disabled.contains(offset)
    }

    /// The body of such a branch around the byte at `offset`.
    pub(super) fn shut_at(&self, offset: usize) -> Option<TextRange> {
        self.disabled.find(offset)
    }
}
