//! What a condition says.

use crate::project::replay::Cause;

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

    /// The opposite.
    #[must_use]
    pub(super) fn turned(self) -> Self {
        Self {
            holds: !self.holds,
            ..self
        }
    }
}
