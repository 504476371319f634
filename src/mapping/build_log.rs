//! What the messages of a build mean for a port: `mappings/build_log.toml`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::MappingError;
use super::read_table::{builtin_table, table};

/// The table `mappings/build_log.toml`.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct BuildLogTable {
    /// Regular expressions of what stands before a program's own words.
    pub prefixes: Vec<String>,
    /// Patterns of another name that a message suggests.
    pub near: Vec<String>,
    /// Parts of paths that are the machine's.
    pub outside: Vec<String>,
    /// The endings of object files.
    pub objects: Vec<String>,
    /// Regular expressions of what stands in the slots that are read, by their names.
    pub slots: BTreeMap<String, String>,
    /// Regular expressions of what stands in the slots that nobody reads, by their names.
    pub unread_slots: BTreeMap<String, String>,
    /// The words for a message's weight.
    pub weights: Weights,
    /// What lines are.
    pub line: Vec<LineRow>,
    /// What follows from a message before it.
    pub follow: Patterns,
    /// Words of a compiler that gives up.
    pub stopped: Patterns,
    /// What messages are about.
    pub kind: Vec<LogKind>,
    /// The words for what the port has to do with a place.
    pub origin: BTreeMap<String, String>,
    /// The words for a renamed name, by the evidence of the mapping.
    pub renamed: BTreeMap<String, String>,
    /// Advice where a kind has none, by what the port has to do with a place.
    pub advice: BTreeMap<String, String>,
    /// Configuration where a kind has none.
    pub remedy: BTreeMap<String, String>,
    /// What messages say.
    pub message: Vec<MessageRow>,
    /// What notes say.
    pub note: NotePatterns,
}

/// The words for a message's weight.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Weights {
    /// Words of messages that stop a build.
    pub error: Vec<String>,
    /// Words of messages that stop no build.
    pub warning: Vec<String>,
    /// What belongs to the message before.
    pub note: Vec<String>,
}

/// Patterns without more.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Patterns {
    /// The patterns.
    pub says: Vec<String>,
}

/// What a line of a log is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LineRole {
    /// A message with its weight.
    Message,
    /// A message without one, known by its text.
    Bare,
    /// The file of the next message is included here.
    From,
    /// A folder from which paths are seen.
    Enter,
    /// The object file of the messages that follow.
    Object,
    /// A place where the name of the message before is used.
    Referenced,
    /// A target that could not be built.
    Failed,
    /// The head of a message of `CMake`'s.
    Cmake,
    /// The head of a traceback of Python's.
    Traceback,
    /// A place of a traceback.
    Frame,
}

/// A form of lines.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LineRow {
    /// What such a line is.
    pub role: LineRole,
    /// The patterns.
    pub says: Vec<String>,
}

/// What messages are about.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LogKind {
    /// The word for it in this table.
    pub id: String,
    /// The code of its findings.
    pub code: String,
    /// Whether its messages are about a name.
    #[serde(default)]
    pub names: bool,
    /// Whether a message without a place is about the source of the object that was named before it.
    #[serde(default)]
    pub object: bool,
    /// Whether its messages prove that the SDK lacks the name.
    #[serde(default)]
    pub proves: bool,
    /// The message of its findings.
    pub says: String,
    /// What to do, by what the port has to do with the place.
    #[serde(default)]
    pub advice: BTreeMap<String, String>,
    /// The configuration that remedies it.
    #[serde(default)]
    pub remedy: BTreeMap<String, String>,
}

/// What messages of one kind say.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MessageRow {
    /// The kind.
    pub kind: String,
    /// Whether a line is a message by these words alone.
    #[serde(default)]
    pub bare: bool,
    /// The patterns.
    pub says: Vec<String>,
}

/// What notes say.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NotePatterns {
    /// Patterns with the name that the message is about.
    pub names: Vec<String>,
    /// Patterns with the reason why a call does not fit.
    pub why: Vec<String>,
}

/// The slot of a word of `[weights]`.
pub const WEIGHT: &str = "weight";

/// A kind that the reader of logs asks for by its word.
#[derive(Clone, Copy, Debug)]
pub enum ReadKind {
    /// A message whose text no row knows.
    Other,
    /// A compiler gave up.
    Stopped,
    /// A traceback of Python's whose text no row knows.
    Python,
}

/// The words of these kinds.
const READ_KINDS: [&str; 3] = [
    ReadKind::Other.id(),
    ReadKind::Stopped.id(),
    ReadKind::Python.id(),
];

impl ReadKind {
    const fn id(self) -> &'static str {
        match self {
            Self::Other => "other",
            Self::Stopped => "stopped",
            Self::Python => "python",
        }
    }
}

builtin_table!(BuildLogTable, Self::read());

impl BuildLogTable {
    fn read() -> Result<Self, MappingError> {
        let read: Self = table!("build_log.toml")?;
        let kinds = read.message.iter().map(|row| &*row.kind).chain(READ_KINDS);
        let missing = kinds.into_iter().find(|id| read.kind(id).is_none());
        let unknown = read.patterns().flat_map(slots_of).find(|slot| {
            *slot != WEIGHT
                && !read.slots.contains_key(*slot)
                && !read.unread_slots.contains_key(*slot)
        });
        let fault = match (missing, unknown) {
            (Some(kind), _) => format!("no kind is called `{kind}`"),
            (_, Some(slot)) => format!("no slot is called `{slot}`"),
            (None, None) => return Ok(read),
        };
        Err(MappingError {
            file: "mappings/build_log.toml".to_owned(),
            line: 1,
            fault,
        })
    }

    /// A kind by its word.
    pub fn kind(&self, id: &str) -> Option<&LogKind> {
        self.kind.iter().find(|kind| kind.id == id)
    }

    /// A kind that the reader of logs asks for, one of those without which no table is loaded.
    pub fn read_kind(&self, which: ReadKind) -> &LogKind {
        self.kind(which.id()).unwrap_or(&self.kind[0])
    }

    /// All patterns, of lines and of texts.
    pub fn patterns(&self) -> impl Iterator<Item = &str> {
        let lines = self.line.iter().map(|row| &row.says);
        let messages = self.message.iter().map(|row| &row.says);
        let texts = [
            &self.near,
            &self.follow.says,
            &self.stopped.says,
            &self.note.names,
            &self.note.why,
        ];
        let lists = lines.chain(messages).chain(texts);
        lists.flatten().map(String::as_str)
    }
}

/// The slots of a pattern.
pub fn slots_of(says: &str) -> impl Iterator<Item = &str> {
    says.split(['{', '}']).skip(1).step_by(2)
}
