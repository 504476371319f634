//! The passes of the compiler that a file is looked at in.

use std::fmt;
use std::str::FromStr;

/// An architecture of CUDA's and the one of MUSA's that is compared with it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pair {
    /// The value of `__CUDA_ARCH__`.
    pub cuda: u32,
    /// The value of `__MUSA_ARCH__`.
    pub musa: u32,
}

impl Pair {
    /// Those that are looked at unless somebody says otherwise: a threshold that was renumbered
    /// rightly holds in both or in neither.
    pub const DEFAULT: [Self; 2] = [
        Self {
            cuda: 800,
            musa: 220,
        },
        Self {
            cuda: 900,
            musa: 310,
        },
    ];
}

impl FromStr for Pair {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let numbers = text
            .split_once(':')
            .and_then(|(cuda, musa)| Some((cuda.parse().ok()?, musa.parse().ok()?)));
        let (cuda, musa) = numbers.ok_or("expected CUDA:MUSA, such as 800:220")?;
        Ok(Self { cuda, musa })
    }
}

/// One pass over a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum View {
    /// The pass for the host.
    Host,
    /// The pass for a device of this architecture.
    Device(Pair),
}

impl fmt::Display for View {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Host => f.write_str("host"),
            Self::Device(pair) => write!(f, "{}:{}", pair.cuda, pair.musa),
        }
    }
}

/// Which of the two trees a file belongs to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Side {
    /// The tree that was ported.
    Original,
    /// The port.
    Port,
}
