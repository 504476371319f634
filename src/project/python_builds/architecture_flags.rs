//! What options of nvcc's say about the architectures that code is compiled for.

use super::result::LowestArchitecture;

/// What options say about architectures.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Flags {
    /// Nothing.
    Silent,
    /// That there are newer ones only.
    Newer(LowestArchitecture),
    /// That there are older ones, or that the flags can't be read.
    Open,
}

impl Flags {
    /// What these flags and others say together.
    pub(super) fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Open, _) | (_, Self::Open) => Self::Open,
            (Self::Newer(one), Self::Newer(other)) => Self::Newer(one.min(other)),
            (Self::Silent, one) | (one, Self::Silent) => one,
        }
    }

    /// What is sure where there are either these flags or others.
    pub(super) fn or(self, other: Self) -> Self {
        match (self, other) {
            (Self::Newer(one), Self::Newer(other)) => Self::Newer(one.min(other)),
            (Self::Silent, Self::Silent) => Self::Silent,
            _ => Self::Open,
        }
    }
}

/// What is sure where there are any of these flags.
pub(super) fn either(all: impl Iterator<Item = Flags>) -> Flags {
    all.reduce(Flags::or).unwrap_or(Flags::Silent)
}
