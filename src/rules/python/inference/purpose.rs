//! The purposes that code has when it asks for a GPU.

use super::equation::Fact;

/// What is done with an answer, from what says least to what says most: of several uses the last one counts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub enum Purpose {
    /// Nobody knows.
    #[default]
    Open,
    /// A name takes it that says what the platform is.
    Tells,
    /// Other platforms are told apart where it says yes.
    Apart,
    /// Something of NVIDIA's is asked for where it says yes.
    Maker,
    /// A test is run or left out.
    Guards,
    /// A device is taken, or something is moved to one.
    Picks,
}

impl Fact for Purpose {
    fn join(self, other: Self) -> Self {
        self.max(other)
    }
}
