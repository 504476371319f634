//! Whether MUSA reaches a piece of code, and why not.

use torchada_project::NotBuilt;
use torchada_project::replay::Cause;
use torchada_text::TextRange;

/// Whether MUSA reaches a piece of code. What can't be decided is reached.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Reach {
    /// MUSA reaches it, or nothing says that it does not.
    #[default]
    Everywhere,
    /// Only another vendor's platform reaches it, or CUDA, for which the project has code beside that for MUSA: it stays as
    /// it is.
    OtherVendor(Reason),
    /// Only NVIDIA's GPUs reach it, from some generation on or with a package that is made for them: it is ported, and what
    /// is found in it is counted apart.
    Nvidia(Reason),
}

/// Why MUSA does not reach a piece of code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reason {
    /// The platform that does, as findings are counted by it.
    pub cause: Cause,
    /// What says so in the tree, in words that follow "because": `` `a.py:12` imports it for AMD's GPUs only``.
    pub why: String,
}

impl Reason {
    /// What findings are counted under, and why: all of the newest architectures together.
    fn not_reached(&self, newest: u32) -> NotBuilt {
        let group = match &self.cause {
            Cause::Newer(_) => Cause::Newer(newest).words(),
            other => other.words(),
        };
        NotBuilt {
            group,
            why: self.why.clone(),
        }
    }
}

impl Reach {
    /// What follows from a reason.
    pub fn only(reason: Reason) -> Self {
        match reason.cause {
            Cause::Vendor(_) | Cause::BesideMusa => Self::OtherVendor(reason),
            _ => Self::Nvidia(reason),
        }
    }

    /// Why MUSA does not reach the code; `None` where it does.
    pub fn reason(&self) -> Option<&Reason> {
        match self {
            Self::Everywhere => None,
            Self::OtherVendor(reason) | Self::Nvidia(reason) => Some(reason),
        }
    }

    /// What the findings in code that only NVIDIA's GPUs reach are counted under; `None` for other code. `newest` is the
    /// first architecture that counts as one of the newest.
    pub fn not_reached(&self, newest: u32) -> Option<NotBuilt> {
        match self {
            Self::Nvidia(reason) => Some(reason.not_reached(newest)),
            _ => None,
        }
    }

    /// Whether the code stays as it is, because MUSA does not reach it.
    pub fn is_other_vendors(&self) -> bool {
        matches!(self, Self::OtherVendor(_))
    }
}

/// A stretch of a module that MUSA does not reach.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnreachedRange {
    /// The code.
    pub range: TextRange,
    /// Why.
    pub reason: Reason,
}

/// What is known of all modules of a tree, by their files.
#[derive(Default, Debug)]
pub struct Reaches(Vec<Reach>);

impl Reaches {
    /// Whether MUSA reaches the module of a file.
    pub fn of(&self, file: usize) -> &Reach {
        self.0.get(file).unwrap_or(&Reach::Everywhere)
    }
}

impl FromIterator<Reach> for Reaches {
    fn from_iter<T: IntoIterator<Item = Reach>>(modules: T) -> Self {
        Self(modules.into_iter().collect())
    }
}
