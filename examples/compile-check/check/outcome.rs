//! What a check came to.

use serde::Serialize;

use super::owned::Spot;

/// What a check of all files came to.
#[derive(Debug)]
pub struct Outcome {
    /// The files, in the order of the list.
    pub files: Vec<FileOutcome>,
}

/// What became of one file.
#[derive(Debug, Serialize)]
pub struct FileOutcome {
    /// Its path in the original.
    pub file: String,
    /// What the check says.
    pub verdict: Verdict,
    /// Why the original can't be compiled, where it can't.
    pub original: Option<String>,
    /// Everything in which the port differs.
    pub causes: Vec<Cause>,
    /// Files of the original that the compiler read for it.
    #[serde(skip)]
    pub read: Vec<String>,
    /// How long it took, in seconds.
    pub seconds: f64,
}

/// What a check says of a file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The original itself can't be compiled, so the port has nothing to agree with.
    OriginalFails,
    /// The port agrees.
    Passes,
    /// The port differs, and the port's report says so at each place.
    Explained,
    /// The port differs, and its report does not mention the place.
    Fails,
}

/// One thing in which a port differs from its original.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Cause {
    /// The pass that shows it.
    pub view: String,
    /// What it is.
    pub kind: Kind,
    /// Where it is, in the original where it has a place there.
    pub path: Option<String>,
    /// The 1-based line.
    pub line: Option<usize>,
    /// What differs.
    pub message: String,
    /// The codes of the findings that say so; empty where none does.
    pub explained_by: Vec<String>,
}

/// In what way a port differs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// It can't be compiled.
    Error,
    /// Its code is another.
    Code,
    /// It includes other headers.
    Header,
    /// A name of CUDA's is left.
    NameLeft,
}

/// An error of a compiler.
#[derive(Clone, Debug)]
pub struct Fault {
    /// Where it is, for a place in the tree.
    pub spot: Option<Spot>,
    /// What is wrong.
    pub message: String,
}

impl Cause {
    /// Whether the port's report answers for it.
    pub fn is_explained(&self) -> bool {
        !self.explained_by.is_empty()
    }
}

impl Outcome {
    /// How many files have a verdict.
    pub fn count(&self, verdict: Verdict) -> usize {
        let files = self.files.iter();
        files.filter(|file| file.verdict == verdict).count()
    }

    /// Whether every file whose original compiles agrees, or says why not.
    pub fn is_good(&self) -> bool {
        self.count(Verdict::Fails) == 0
    }
}

/// The verdict that causes amount to.
pub fn verdict(causes: &[Cause]) -> Verdict {
    if causes.is_empty() {
        Verdict::Passes
    } else if causes.iter().all(Cause::is_explained) {
        Verdict::Explained
    } else {
        Verdict::Fails
    }
}
