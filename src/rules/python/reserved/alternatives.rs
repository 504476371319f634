//! Which platforms are offered next to CUDA.

/// The platforms that are offered next to CUDA.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Alternatives {
    /// No other platform: the value is CUDA's because the project knows nothing else.
    None,
    /// Other platforms: CUDA is one choice among several.
    OtherVendors,
    /// MUSA is there already.
    Musa,
}

impl Alternatives {
    /// MUSA, where something holds.
    pub fn musa_if(holds: bool) -> Self {
        if holds { Self::Musa } else { Self::None }
    }

    /// The stronger of two answers: MUSA counts most.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        self.max(other)
    }

    /// MUSA, or nothing: where other vendors beside CUDA say nothing of a value.
    #[must_use]
    pub fn only_musa(self) -> Self {
        Self::musa_if(self == Self::Musa)
    }
}
