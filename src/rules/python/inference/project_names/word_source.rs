//! The sources of words: a person, code outside of the tree, `PyTorch`.

use crate::python::inference::facts::equation::Fact;

/// Where the values of an expression come from.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct WordSource(u8);

impl WordSource {
    /// What reads a command line, a configuration or the environment.
    pub const PERSON: Self = Self(1);
    /// A parameter or a field that code outside of the tree may give a value.
    pub const OUTSIDE: Self = Self(1 << 1);
    /// The type of one of `PyTorch`'s devices, or what holds nothing but such a device.
    pub const TORCH: Self = Self(1 << 2);
    /// The name of CUDA's device where it is no device, and stays: `super().__init__(name="cuda")`.
    pub const OWN_NAME: Self = Self(1 << 3);

    /// Whether the values come from a kind of source, among others.
    pub fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

impl Fact for WordSource {
    fn join(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}
