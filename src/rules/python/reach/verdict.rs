//! What a condition says.

use crate::python::truth::Truth;
use torchada_project::replay::Cause;

/// What a condition says on MUSA, and the platform that it is about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Verdict {
    /// Whether it holds.
    pub holds: bool,
    /// The platform that makes the difference.
    pub cause: Cause,
}

impl Verdict {
    /// A condition that asks for a platform which MUSA is not.
    pub(super) fn no(cause: Cause) -> Self {
        Self {
            holds: false,
            cause,
        }
    }
}

impl Truth for Verdict {
    type Weight = Cause;

    fn holds(&self) -> bool {
        self.holds
    }

    fn negated(self) -> Self {
        Self {
            holds: !self.holds,
            ..self
        }
    }

    fn weight(&self) -> Self::Weight {
        self.cause.clone()
    }

    /// `is_cuda() or is_hip()` is not for AMD's GPUs alone.
    fn prevails(&self) -> bool {
        self.cause == Cause::BesideMusa
    }
}
