//! What keeps something out of every build for MUSA, and where the tree says so.

use std::cmp::Ordering;

/// What keeps something out of every build for MUSA.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Cause {
    /// A build takes it for CUDA's GPUs from this architecture on only: 90 for `sm_90`.
    Newer(u32),
    /// A build takes it for another vendor's GPUs only.
    Vendor(String),
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
    pub(super) fn words(&self) -> String {
        match self {
            Self::Newer(number) => format!("for sm_{number} and newer"),
            Self::Vendor(name) => format!("for {name}"),
            Self::Switch { option, package } => format!("for {option} (off, needs {package})"),
            Self::NotIncluded => "that no file includes".to_owned(),
        }
    }

    /// The cause that stands for both in a summary, where they are of one kind.
    pub(super) fn joined(&self, other: &Self) -> Option<Self> {
        match (self, other) {
            (Self::Newer(one), Self::Newer(other)) => Some(Self::Newer(*one.min(other))),
            (one, other) if one == other => Some(one.clone()),
            _ => None,
        }
    }
}

/// A cause with the place that gives it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Excluded {
    /// The cause.
    pub(super) cause: Cause,
    /// The index of the file, and the line in it; `None` where the cause is that nothing speaks of it.
    pub(super) place: Option<(usize, usize)>,
}

/// Causes by number, so that they are handed around cheaply.
#[derive(Default, Debug)]
pub(super) struct Causes {
    all: Vec<Excluded>,
}

/// The number of a cause.
pub(super) type CauseId = usize;

/// Whether something is in a build for MUSA: `None` where it may be, else the cause why it is not.
pub(super) type Absence = Option<CauseId>;

impl Causes {
    /// The number of a cause that a place gives.
    pub(super) fn id(&mut self, cause: Cause, place: Option<(usize, usize)>) -> CauseId {
        let one = Excluded { cause, place };
        if let Some(at) = self.all.iter().rposition(|known| *known == one) {
            return at;
        }
        self.all.push(one);
        self.all.len() - 1
    }

    /// The cause with a number.
    pub(super) fn get(&self, id: CauseId) -> Option<&Excluded> {
        self.all.get(id)
    }

    /// Which of two causes comes first, the one with the lower architecture.
    pub(super) fn order(&self, one: CauseId, other: CauseId) -> Ordering {
        let cause = |id: CauseId| self.get(id).map(|excluded| &excluded.cause);
        cause(one).cmp(&cause(other))
    }

    /// Why something that may come about in either of two ways is in no build: only where neither way is.
    /// The cause with the lower architecture stands for both.
    pub(super) fn either(&self, one: Absence, other: Absence) -> Absence {
        let (one, other) = (one?, other?);
        let cause = |id: CauseId| self.get(id).map(|excluded| &excluded.cause);
        Some(match cause(one).cmp(&cause(other)) {
            Ordering::Greater => other,
            _ => one,
        })
    }
}
