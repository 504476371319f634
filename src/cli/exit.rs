//! Exit codes: a contract, written down in `docs/cli.md`.

/// How a run ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exit {
    /// Everything that was asked for is done; there may be findings.
    Done,
    /// Edits were withdrawn or files failed. Each is named, and the rest is written.
    Partial,
    /// The command line, a table, the configuration or the place of the output is at fault;
    /// nothing is written.
    Refused,
}

impl Exit {
    /// The number that the process ends with.
    pub fn code(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::Partial => 1,
            Self::Refused => 2,
        }
    }
}
