//! What keeps something out of every build for MUSA, and where the tree says so.

use std::sync::Arc;

/// What keeps something out of every build for MUSA. What comes first stands for several.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Cause {
    /// A build takes it for CUDA's GPUs from this architecture on only: 90 for `sm_90`.
    Newer(u32),
    /// It needs something that only NVIDIA's GPUs have, in words that follow "need": `the CuTe DSL`.
    Needs(String),
    /// A build takes it for another vendor's GPUs only.
    Vendor(String),
    /// It is CUDA's, beside code that the project has for MUSA.
    BesideMusa,
    /// A build takes it with an option only that is off unless somebody asks, and needs a package that only CUDA has.
    Switch {
        /// The option.
        option: String,
        /// The package.
        package: String,
    },
    /// No file of the tree includes it, and nothing else names it.
    NotIncluded,
}

impl Cause {
    /// The cause in words that go on with a count: `583 errors for sm_90 and newer`.
    pub fn words(&self) -> String {
        match self {
            Self::Newer(number) => format!("for sm_{number} and newer"),
            Self::Vendor(name) => format!("for {name}"),
            Self::BesideMusa => "for CUDA, beside MUSA's own".to_owned(),
            Self::Switch { option, package } => format!("for {option} (off, needs {package})"),
            Self::Needs(what) => format!("that need {what}"),
            Self::NotIncluded => "that no file includes".to_owned(),
        }
    }

    /// The cause that stands for both in a summary, where they are of one kind.
    pub fn joined(&self, other: &Self) -> Option<Self> {
        match (self, other) {
            (Self::Newer(one), Self::Newer(other)) => Some(Self::Newer(*one.min(other))),
            (one, other) if one == other => Some(one.clone()),
            _ => None,
        }
    }
}

/// A cause with the place that gives it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Excluded {
    /// The cause.
    pub cause: Cause,
    /// The index of the file, and the offset in it; `None` where the cause is that nothing speaks of it.
    pub place: Option<(usize, usize)>,
}

/// Whether something is in a build for MUSA: `None` where it may be, else the cause why it is not.
pub type Absence = Option<Arc<Excluded>>;

impl Excluded {
    /// The cause that a place gives.
    pub fn at(cause: Cause, place: (usize, usize)) -> Arc<Self> {
        let place = Some(place);
        Arc::new(Self { cause, place })
    }
}

/// Why something that two ways can bring into a build is in none: both ways are excluded.
/// The cause with the lower architecture stands for both.
pub fn either(one: Absence, other: Absence) -> Absence {
    let (one, other) = (one?, other?);
    Some(if one.cause > other.cause { other } else { one })
}
