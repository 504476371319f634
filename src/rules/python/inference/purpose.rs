//! The purposes that code has when it asks for a GPU.

use super::facts::equation::Fact;

/// The purpose of the answer, from the weakest to the strongest: of several uses of an answer, the strongest counts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub enum Purpose {
    /// The code does not show the purpose.
    #[default]
    Unknown,
    /// The answer goes to a name that says what the platform is.
    NamesPlatform,
    /// Where the answer is yes, the code distinguishes other platforms.
    DistinguishesPlatforms,
    /// Where the answer is yes, the code asks for something of NVIDIA's.
    NeedsNvidia,
    /// The answer decides whether a test runs.
    GuardsTest,
    /// The answer decides whether a device is taken, or whether something is moved to one.
    PicksDevice,
}

impl Fact for Purpose {
    fn join(self, other: Self) -> Self {
        self.max(other)
    }
}
