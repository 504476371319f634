//! Exit codes: a contract, written down in `docs/cli.md`.

/// How a run ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exit {
    /// The command did all of its work; there may be findings.
    Done,
    /// A port withdrew edits, files failed, or a person's edit and the port disagree. Each is
    /// named, and the rest is written.
    Partial,
    /// A check has findings at least as severe as `--fail-on` says, or a name or code on the command
    /// line is unknown.
    Found,
    /// A check could not look at every file. Each is named.
    Failed,
    /// The command line, a table, the configuration or the place of the output is at fault;
    /// nothing is written.
    Refused,
    /// A command that was run for the user ended with this code.
    Of(u8),
}

impl Exit {
    /// The number that the process ends with.
    pub fn code(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::Partial | Self::Found => 1,
            Self::Failed | Self::Refused => 2,
            Self::Of(code) => code,
        }
    }
}
