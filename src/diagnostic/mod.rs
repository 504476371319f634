//! The one finding type.
//!
//! Architecture invariant: this module depends on nothing else of the house but `text`, and `mapping`, whose tables
//! list the codes that findings carry. So every room can speak of findings.

use std::ops::Range;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

pub use torchada_mapping::codes::{Code, Severity, named as codes};
use torchada_text::{LineIndex, Position, TextRange};

/// What may happen to a program's meaning when an edit is applied.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Applicability {
    /// Keeps the meaning, as far as the evidence for the mapping goes. Applied by default.
    Safe,
    /// May change the meaning. Applied only where the user asks for it.
    Unsafe,
    /// Shown, never applied.
    DisplayOnly,
}

impl Applicability {
    /// Safe where there is one reading, unsafe where there are others.
    pub fn of_reading(sure: bool) -> Self {
        if sure { Self::Safe } else { Self::Unsafe }
    }
}

/// The cell of a notebook that a finding is in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FindingCell {
    /// Its 1-based place among all cells.
    pub number: usize,
    /// Its source.
    pub source: Arc<[u8]>,
    /// The bytes of the source that the finding is about.
    pub range: TextRange,
}

/// How many characters of a line of source are kept.
const SHOWN: usize = 240;

/// The line of source that a finding starts in.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SourceLine {
    /// The line without its end; of a long line only the part around the finding. Bytes that can't be
    /// decoded are replaced.
    pub text: String,
    /// The characters of it that are meant.
    pub meant: Range<usize>,
}

impl SourceLine {
    /// The line of `text` in which `range` starts.
    fn at(text: &[u8], range: TextRange) -> Self {
        // Lines may be as long as their file, and each finding on one shows no more than a stretch of it.
        const ROOM: usize = 4 * (SHOWN + 1);
        let start = range.start.min(text.len());
        let (before, rest) = text.split_at(start);
        let before = before.get(start.saturating_sub(ROOM)..).unwrap_or_default();
        let before = if before.len() == ROOM {
            let is_inside = |byte: &u8| byte & 0xc0 == 0x80;
            let whole = before.iter().position(|byte| !is_inside(byte));
            before.get(whole.unwrap_or(0)..).unwrap_or_default()
        } else {
            before
        };
        let rest = rest.get(..rest.len().min(range.len().min(ROOM) + ROOM));
        let rest = rest.unwrap_or_default();
        let line = before.iter().rposition(|byte| *byte == b'\n');
        let before = before
            .get(line.map_or(0, |at| at + 1)..)
            .unwrap_or_default();
        let end = rest.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
        let rest = rest.get(..end.unwrap_or(rest.len())).unwrap_or_default();
        let (meant, after) = rest.split_at(range.len().min(rest.len()));
        let letters = |bytes: &[u8]| String::from_utf8_lossy(bytes).chars().collect::<Vec<_>>();
        let (before, meant, after) = (letters(before), letters(meant), letters(after));
        let cut = (before.len() + meant.len())
            .saturating_sub(SHOWN)
            .min(before.len());
        let before = before.get(cut..).unwrap_or_default();
        let meant = meant.get(..meant.len().min(SHOWN)).unwrap_or_default();
        let room = SHOWN - (before.len() + meant.len()).min(SHOWN);
        let after = after.get(..after.len().min(room)).unwrap_or_default();
        Self {
            text: [before, meant, after].concat().into_iter().collect(),
            meant: before.len()..before.len() + meant.len(),
        }
    }
}

/// One thing that the user should know, at one place of the input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// What kind of finding this is.
    pub code: Code,
    /// Path relative to the input's root, with `/` between components.
    pub path: String,
    /// The bytes of the input file that the finding is about. Empty at offset 0 for a finding
    /// about a whole file.
    pub range: TextRange,
    /// The cell that the finding is in, where the file is a notebook.
    pub cell: Option<Box<FindingCell>>,
    /// Where the range starts: in the file, or in its cell.
    pub start: Position,
    /// Where the range ends, exclusive.
    pub end: Position,
    /// The message: what was found, as a sentence.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
    /// The line that it starts in, once [`Finding::show`] has looked it up.
    pub source: Option<Box<SourceLine>>,
    /// Whether its file is a test, a benchmark, an example, documentation, a file of CI, or of a package beside the tree's
    /// own, once that was looked up.
    pub auxiliary: bool,
    /// The folder of the package beside the tree's own that its file belongs to, once that was looked up.
    pub beside: Option<String>,
    /// Whether the code at its place runs whenever a package or a program of the tree starts. Only errors say so.
    pub at_start: bool,
}

impl Finding {
    /// A finding at `range` of the file `path`, whose whole content is `text`.
    pub fn at(
        code: Code,
        path: &str,
        text: &[u8],
        lines: &LineIndex,
        range: TextRange,
        message: impl Into<String>,
    ) -> Self {
        Self {
            range,
            start: lines.position(text, range.start),
            end: lines.position(text, range.end),
            ..Self::whole(code, path, message)
        }
    }

    /// A finding about a whole file or folder.
    pub fn whole(code: Code, path: &str, message: impl Into<String>) -> Self {
        let origin = Position { line: 1, column: 1 };
        Self {
            code,
            path: path.to_owned(),
            range: TextRange::new(0, 0),
            cell: None,
            start: origin,
            end: origin,
            message: message.into(),
            help: None,
            source: None,
            auxiliary: false,
            beside: None,
            at_start: false,
        }
    }

    /// Whether the finding is about its file or folder as a whole.
    pub fn is_whole(&self) -> bool {
        self.range == TextRange::new(0, 0)
    }

    /// Look up the line of its file's `text`, or of its cell, that the finding starts in. One about
    /// a whole file has none.
    pub fn show(&mut self, text: &[u8]) {
        self.source = match &self.cell {
            Some(cell) => Some(Box::new(SourceLine::at(&cell.source, cell.range))),
            None if self.is_whole() => None,
            None => Some(Box::new(SourceLine::at(text, self.range))),
        };
    }

    /// The number of the cell that it is in; 0 where its file has none.
    pub fn cell_number(&self) -> usize {
        self.cell.as_ref().map_or(0, |cell| cell.number)
    }

    /// What messages call the place in which lines are counted: the file, or a cell of it.
    pub fn place(&self) -> String {
        match &self.cell {
            Some(cell) => format!("{}:cell {}", self.path, cell.number),
            None => self.path.clone(),
        }
    }

    /// This finding, with advice.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// This finding, with advice where there is some.
    #[must_use]
    pub fn help_if_any(self, help: Option<impl Into<String>>) -> Self {
        match help {
            Some(help) => self.help(help),
            None => self,
        }
    }
}

/// How a module of Python asks for a package that is made for CUDA.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PackageNeed {
    /// The module is loaded without it: its absence is caught, asked for first, or seen by type checkers alone.
    Guarded,
    /// A function imports it when it is called.
    Lazy,
    /// The module, or a branch of it, can't be loaded without it.
    Unguarded,
    /// A list of requirements has it.
    Required,
    /// A test, a benchmark or an example asks for it.
    Auxiliary,
}

/// A place where a module of Python asks for a package that is made for CUDA.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct PackageUse {
    /// The package, by its name in the table.
    pub package: String,
    /// The file, as findings name it.
    pub path: String,
    /// The line.
    pub line: usize,
    /// How it is asked for.
    pub need: PackageNeed,
}

/// Why a CUDA reference in code was left as it is without that being a fault.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum KeptReason {
    /// The project declares this name itself, visibly from here.
    ProjectDeclared,
    /// An alias header that is visible from here maps the name to MUSA.
    AliasHeader,
    /// The branch is compiled for another vendor only.
    VendorBranch,
    /// The branch is for MUSA, or is left out where MUSA is the platform.
    MusaBranch,
    /// The reference belongs to a library that is left whole: one that the tree carries along, or one whose counterpart
    /// lacks headers that are used.
    Vendored,
    /// A MUSA twin of the file or folder stands beside it.
    MusaTwin,
    /// The project builds the file for MUSA in a way of its own.
    MusaBuild,
    /// The user's configuration forbids the edit.
    Forbidden,
    /// A marker in a comment excludes the line.
    Marker,
    /// The position of the text says that it names no device, but a backend, an implementation or a platform.
    NotADevice,
    /// The name stands in a text for people.
    Prose,
    /// `TorchScript` compiles the function, and knows CUDA's names only.
    Scripted,
    /// The port of the build changes it.
    LeftToBuild,
    /// A finding at one beside it, in the same list or table, speaks of it as well.
    NamedBeside,
    /// The runtime package puts MUSA's in its place.
    AtRunTime,
    /// What takes the name takes MUSA's beside it in the port: a person may have written either.
    BesideMusas,
    /// A command takes the package of this name away where it is installed: `pip uninstall`.
    TakenAway,
}

/// One CUDA reference that was left, and why.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Kept {
    /// The bytes of the reference in the input file.
    pub range: TextRange,
    /// Why it stays.
    pub reason: KeptReason,
}
