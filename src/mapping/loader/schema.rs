//! The shape of a row: what a table says about one CUDA name.

use std::borrow::Cow;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// The relations of a CUDA name to MUSA.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Relation {
    /// MUSA has it under another name.
    Renamed,
    /// MUSA has it under the same name: never edited, never reported.
    Same,
    /// There is positive evidence that MUSA lacks it.
    Absent,
    /// Whether MUSA has a counterpart is not known.
    Unknown,
}

impl Relation {
    /// The word that tables and reports use.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Renamed => "renamed",
            Self::Same => "same",
            Self::Absent => "absent",
            Self::Unknown => "unknown",
        }
    }
}

/// The evidence for a row, strongest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Evidence {
    /// The user's own SDK or `torch_musa` has been read, and has it or lacks it.
    Sdk,
    /// Public MUSA code declares the counterpart or uses it.
    Confirmed,
    /// Somebody's table says so.
    Table,
    /// Only the prefix rule of the library says so.
    Rule,
    /// There is counter-evidence too.
    Contested,
}

impl Evidence {
    /// Every level, strongest first.
    pub const ALL: [Self; 5] = [
        Self::Sdk,
        Self::Confirmed,
        Self::Table,
        Self::Rule,
        Self::Contested,
    ];

    /// The word that tables and reports use.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Sdk => "sdk",
            Self::Confirmed => "confirmed",
            Self::Table => "table",
            Self::Rule => "rule",
            Self::Contested => "contested",
        }
    }
}

/// What the source of a fact begins with where the name was looked for and is not there.
const NOT_THERE: &str = "not there:";

/// What kind of thing a row's name is, which decides where it is looked for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Section {
    /// A C or C++ identifier: function, type, enumerator, macro.
    Names,
    /// An identifier that counts only after `.` or `->`.
    Members,
    /// The path in an `#include`; a key that ends in `/` stands for all headers below it.
    Headers,
    /// A namespace, as a path such as `c10::cuda`.
    Namespaces,
    /// A whole qualified name such as `c10::cuda::getCurrentCUDAStream`.
    Qualified,
    /// A library as link lines name it: `cudart`.
    Libraries,
    /// A library's file name: `libcudart.so`.
    LibraryFiles,
    /// An environment variable.
    Environment,
    /// A compiler option.
    Flags,
    /// A name of `PyTorch`'s in Python, with its modules: `torch.cuda.Event`.
    Python,
}

impl Section {
    /// Every section, in the order of a table file.
    pub const ALL: [Self; 10] = [
        Self::Names,
        Self::Members,
        Self::Headers,
        Self::Namespaces,
        Self::Qualified,
        Self::Libraries,
        Self::LibraryFiles,
        Self::Environment,
        Self::Flags,
        Self::Python,
    ];

    /// The section whose key in a table file is `key`.
    pub fn from_key(key: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|section| section.as_str() == key)
    }

    /// The section's key in a table file.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Names => "names",
            Self::Members => "members",
            Self::Headers => "headers",
            Self::Namespaces => "namespaces",
            Self::Qualified => "qualified",
            Self::Libraries => "libraries",
            Self::LibraryFiles => "library-files",
            Self::Environment => "environment",
            Self::Flags => "flags",
            Self::Python => "python",
        }
    }
}

/// What a name's counterpart is to a compiler. It decides how a shim can give the counterpart its CUDA meaning back.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Nature {
    /// What a declaration brings: a function, a type, an enumerator, a namespace.
    Declared,
    /// A macro that headers or the compiler define. Code may ask whether it is defined.
    Macro,
    /// A macro that a build or the code itself defines, and that headers only ask for.
    Switch,
    /// CUDA's side declares the counterpart itself, as `PyTorch` does with `kPrivateUse1`.
    Native,
}

/// What the runtime stub does with a name of `PyTorch`'s in Python.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Runtime {
    /// The counterpart takes its place: for a name that has one and says nothing else.
    Forward,
    /// `PyTorch`'s own object stays: it leads to forwarded names only, or to no device. For a name
    /// that MUSA keeps and that says nothing else.
    Keep,
    /// A call of the name does nothing and gives `None`; the note says what is ignored. No result depends on it.
    Silent,
    /// Using it raises an error that names it, with the advice. For all other names that say
    /// nothing else.
    Missing,
    /// The stub has a definition of its own.
    Own,
    /// A field of a device's properties.
    Field,
}

impl Runtime {
    /// The word that tables and reports use.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Forward => "forward",
            Self::Keep => "keep",
            Self::Silent => "silent",
            Self::Missing => "missing",
            Self::Own => "own",
            Self::Field => "field",
        }
    }
}

/// The first versions in which a counterpart exists.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Since {
    /// The MUSA SDK, as it names its releases: `4.3.0`.
    pub sdk: Option<Cow<'static, str>>,
    /// The `torch_musa` release.
    pub torch_musa: Option<Cow<'static, str>>,
}

/// A row of a table: one CUDA name, its relation to MUSA, and the evidence for that.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Row {
    /// The CUDA name: the key in its section.
    pub cuda: Cow<'static, str>,
    /// The MUSA name, for a renamed row.
    pub to: Option<Cow<'static, str>>,
    /// How the two relate.
    pub relation: Relation,
    /// What stands behind the relation; `None` where nothing is known.
    pub evidence: Option<Evidence>,
    /// Where that comes from: a table's name, or `OWNER/NAME:path:line`.
    pub source: Cow<'static, str>,
    /// What the counterpart is declared as, beside what CUDA declares, where the two differ in what code relies on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub differs: Option<Cow<'static, str>>,
    /// What else is worth knowing.
    pub note: Option<Cow<'static, str>>,
    /// What to do about it: the row's own advice, else its family's, else the table's for rows of
    /// its kind.
    pub advice: Option<Cow<'static, str>>,
    /// The first versions that have the counterpart, where known.
    pub since: Option<Since>,
    /// Headers (exact, or a prefix that ends in `/`) of which one must be visible from a file
    /// before the name is matched there; empty where the name counts everywhere.
    #[serde(serialize_with = "serialize_needs")]
    pub needs: Arc<[Cow<'static, str>]>,
    /// The family of names that the row belongs to, where its table names one: rows of a family
    /// share their advice.
    pub family: Option<Cow<'static, str>>,
    /// The table's id, such as `cudart`.
    pub library: Cow<'static, str>,
    /// Whether the name carries a stem of CUDA (`cuda`, `CU_`, `cublas`, `nccl`, …).
    pub stem: bool,
    /// Whether the C or C++ standard library declares the name too, or it is a common word: it is
    /// matched only where neither the project nor the standard library can be meant.
    pub std: bool,
    /// What the counterpart is to a compiler.
    pub nature: Nature,
    /// Whether the counterpart goes back to this name, where several names have the same one.
    pub primary: bool,
    /// What the runtime stub does with it; `None` outside the section of Python's names. An environment
    /// variable that is kept has values that mean nothing to MUSA, such as a path.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub runtime: Option<Runtime>,
}

impl Row {
    /// Why the user's own SDK lacks the name, in words; `None` where that is no fact.
    pub fn why_missing(&self) -> Option<&str> {
        let is_fact = self.relation == Relation::Absent && self.evidence == Some(Evidence::Sdk);
        let why = self.source.strip_prefix(NOT_THERE).map(str::trim_start);
        is_fact.then_some(why.unwrap_or(&self.source))
    }

    /// Where a header goes: `path` is what the code includes, this row what answers it. A row for
    /// a folder (its name ends in `/`) changes the front of the path only.
    pub fn header_target(&self, path: &str) -> Option<String> {
        let to = self.to.as_deref()?;
        if self.cuda.ends_with('/') {
            let rest = path.strip_prefix(&*self.cuda)?;
            Some(format!("{to}{rest}"))
        } else {
            Some(to.to_owned())
        }
    }
}

fn serialize_needs<S: serde::Serializer>(
    needs: &[Cow<'static, str>],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(needs)
}

/// A piece of a name that changes by rule: for names that are pasted together with `##`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Stem {
    /// `cublas`
    pub cuda: Cow<'static, str>,
    /// `mublas`
    pub musa: Cow<'static, str>,
}
