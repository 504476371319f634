//! The result of a check.

use crate::mapping::doctor::{CheckText, DoctorTable};

/// How a check ended.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum State {
    /// It could not be looked at, or need not.
    Skipped,
    /// All is well.
    Ok,
    /// Something may be in the way.
    Warning,
    /// Something is in the way.
    Failed,
}

impl State {
    /// The word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Skipped => "skipped",
            Self::Ok => "ok",
            Self::Warning => "warning",
            Self::Failed => "failed",
        }
    }
}

/// A check, and what it found.
#[derive(Clone, Debug)]
pub struct Checked {
    /// The check that ran.
    pub check: &'static CheckText,
    /// How it ended.
    pub state: State,
    /// What was found: a line for each thing, the most important first.
    pub says: Vec<String>,
    /// What to do, where something is.
    pub fixes: Vec<String>,
}

impl Checked {
    /// The result of the check of this name, in one line.
    pub fn one(name: &str, state: State, what: impl Into<String>) -> Self {
        let mut findings = Findings::of(name);
        findings.say(state, what);
        findings.end()
    }
}

/// What a check finds, while it looks.
#[derive(Debug)]
pub(super) struct Findings {
    check: &'static CheckText,
    results: Vec<(State, String)>,
    fixes: Vec<String>,
}

impl Findings {
    /// The findings, none yet, of the check that the table calls so.
    pub(super) fn of(name: &str) -> Self {
        let check = DoctorTable::builtin().check(name);
        Self {
            check: check.unwrap_or_else(|| panic!("mappings/doctor.toml has no check `{name}`")),
            results: Vec::new(),
            fixes: Vec::new(),
        }
    }

    /// Something that was found.
    pub(super) fn say(&mut self, state: State, what: impl Into<String>) {
        self.results.push((state, what.into()));
    }

    /// What to do about it, more exactly than the table says.
    pub(super) fn fix(&mut self, what: impl Into<String>) {
        let what = what.into();
        if !self.fixes.contains(&what) {
            self.fixes.push(what);
        }
    }

    /// Whether nothing was found yet.
    pub(super) fn is_empty(&self) -> bool {
        self.results.is_empty()
    }

    /// The result: the worst state of all, and what is worst first.
    pub(super) fn end(mut self) -> Checked {
        self.results
            .sort_by_key(|(state, _)| std::cmp::Reverse(*state));
        let state = self
            .results
            .first()
            .map_or(State::Skipped, |(state, _)| *state);
        let is_well = state <= State::Ok;
        if self.fixes.is_empty() {
            self.fixes.push(self.check.fix.clone());
        }
        Checked {
            check: self.check,
            state,
            says: self.results.into_iter().map(|(_, what)| what).collect(),
            fixes: if is_well { Vec::new() } else { self.fixes },
        }
    }
}
