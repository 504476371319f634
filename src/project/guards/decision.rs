//! The decisions about the guards of a file.

use crate::diagnostic::Severity;
use crate::text::{Spans, TextRange};

use super::comparison::Comparison;

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
    /// The directive of the branch that is taken instead, if there is one.
    pub fallback: Option<TextRange>,
    /// The directive of a branch for another vendor without such code.
    pub other_vendor: Option<TextRange>,
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
    /// Macros of the project's own that stand for a newer architecture, and for nothing else.
    pub switches: Vec<String>,
    /// Bodies of branches that no MUSA GPU takes, by place.
    pub(super) disabled: Spans,
    /// Bodies of branches that are left out because MUSA defines no version of CUDA's.
    pub(super) unversioned: Spans,
}

impl Guards {
    /// Whether the byte at `offset` is in a branch that a guard closes on every MUSA GPU, or that
    /// asks for a version of CUDA's.
    pub fn is_closed(&self, offset: usize) -> bool {
        self.is_left_out(offset) || self.is_disabled(offset)
    }

    /// Whether the byte at `offset` is in a branch that asks for a version of CUDA's.
    pub fn is_left_out(&self, offset: usize) -> bool {
        self.unversioned.contains(offset)
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
