//! The progress of a long run: the rooms that do the work call a `Progress`, and the room that shows it implements one.

/// The phases of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// Listing the input.
    Walk,
    /// Reading files.
    Read,
    /// Translating files.
    Translate,
    /// Writing files.
    Write,
}

impl Phase {
    /// The word for people.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Walk => "listing",
            Self::Read => "reading",
            Self::Translate => "translating",
            Self::Write => "writing",
        }
    }
}

/// Somebody who wants to know how far a run is. Told from many threads.
pub trait Progress: Sync {
    /// A phase begins, with so many files where that is known.
    fn begin(&self, phase: Phase, files: Option<usize>);

    /// Another file of the phase is done.
    fn step(&self);

    /// The work is done, or another message has to be printed: remove the bar.
    fn end(&self);
}

/// Nobody wants to know.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Progress for Silent {
    fn begin(&self, _: Phase, _: Option<usize>) {}

    fn step(&self) {}

    fn end(&self) {}
}
