//! What is counted, and the counts.

use std::collections::BTreeMap;

use serde::Serialize;

/// One line of the audit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Measure {
    /// CUDA identifiers left without a finding or a reason.
    Left,
    /// CUDA headers left without a finding or a reason.
    HeadersLeft,
    /// Confirmed references left without a declared reason.
    ConfirmedLeft,
    /// Identifiers changed that the tables don't know.
    OwnRenamed,
    /// References changed otherwise than the tables say.
    AgainstTables,
    /// Comments changed, added or removed.
    Comments,
    /// Strings changed that are neither a name nor code.
    Strings,
    /// Includes of the tree's own files that lead nowhere or elsewhere.
    Includes,
    /// Inline assembly changed.
    Assembly,
    /// Files with more syntax errors than before.
    SyntaxErrors,
    /// Edits that the port took back.
    Withdrawn,
    /// Files that a second port changes.
    SecondPort,
    /// Bytes changed that belong to no edit, modes and links included.
    Outside,
    /// Comparisons of MUSA's architecture with a number of CUDA's that the port's report does not mention.
    StaleArchitectures,
    /// Conditions on the compiler's pass that hold otherwise than before.
    FlippedGuards,
    /// Capability checks of host code that the port's report does not mention.
    SilentCapabilities,
    /// Forms that choose CUDA and that the port's report does not mention.
    DispatchLeft,
    /// Files of MUSA code that were changed.
    MusaFiles,
    /// Comments of Python changed, added or removed.
    PythonComments,
    /// Docstrings and messages of Python changed.
    PythonProse,
    /// Python files that compiled and no longer do.
    PythonBroken,
    /// White space of Python changed between tokens that are not.
    PythonOutside,
    /// Files that the manifest promises and that are not there.
    MissingFiles,
    /// CUDA-like names and strings of Python left without a finding or a reason.
    PythonLeft,
    /// CUDA-like names and strings of Python that stay, with a finding or a reason.
    PythonReported,
    /// Names kept as the project's own, of which the audit sees no declaration.
    Undeclared,
    /// Strings changed that are names or code, for a person to read.
    StringsToRead,
    /// Pieces of pasted or split names changed, for a person to read.
    Pieces,
    /// API names that the tree itself defines as macros, and that were renamed there.
    DefinitionsRenamed,
    /// Include lines added.
    LinesAdded,
    /// Old names of renamed files that build files still mention.
    OldNames,
    /// Files changed that are not C, C++ or CUDA.
    OtherFiles,
    /// C, C++ or CUDA files of the input without an output.
    NotPorted,
    /// Comparisons of the architecture with a number of CUDA's, with a finding or a reason.
    ArchitecturesReported,
    /// Forms that choose CUDA, with a finding or a reason.
    DispatchReported,
}

impl Measure {
    /// Every measure, in the order in which they are shown.
    pub(crate) const ALL: [Self; 35] = [
        Self::Left,
        Self::HeadersLeft,
        Self::ConfirmedLeft,
        Self::OwnRenamed,
        Self::AgainstTables,
        Self::Comments,
        Self::Strings,
        Self::Includes,
        Self::Assembly,
        Self::SyntaxErrors,
        Self::Withdrawn,
        Self::SecondPort,
        Self::Outside,
        Self::StaleArchitectures,
        Self::FlippedGuards,
        Self::SilentCapabilities,
        Self::DispatchLeft,
        Self::MusaFiles,
        Self::PythonComments,
        Self::PythonProse,
        Self::PythonBroken,
        Self::PythonOutside,
        Self::MissingFiles,
        Self::PythonLeft,
        Self::PythonReported,
        Self::Undeclared,
        Self::StringsToRead,
        Self::Pieces,
        Self::DefinitionsRenamed,
        Self::LinesAdded,
        Self::OldNames,
        Self::OtherFiles,
        Self::NotPorted,
        Self::ArchitecturesReported,
        Self::DispatchReported,
    ];

    /// What is asked of C, C++ and CUDA that was translated, and of nothing else.
    pub(crate) const OF_NATIVE_CODE: [Self; 15] = [
        Self::Left,
        Self::HeadersLeft,
        Self::ConfirmedLeft,
        Self::OwnRenamed,
        Self::AgainstTables,
        Self::Comments,
        Self::Strings,
        Self::Includes,
        Self::Assembly,
        Self::SyntaxErrors,
        Self::StaleArchitectures,
        Self::FlippedGuards,
        Self::SilentCapabilities,
        Self::DispatchLeft,
        Self::MusaFiles,
    ];

    /// What the line says.
    pub(crate) fn title(self) -> &'static str {
        match self {
            Self::Left => "CUDA identifiers left without a word",
            Self::HeadersLeft => "CUDA headers left without a word",
            Self::ConfirmedLeft => "confirmed references left for no declared reason",
            Self::OwnRenamed => "identifiers of the project's own renamed",
            Self::AgainstTables => "references changed otherwise than the tables say",
            Self::Comments => "comments changed",
            Self::Strings => "plain strings changed",
            Self::Includes => "includes that no longer resolve",
            Self::Assembly => "inline assembly changed",
            Self::SyntaxErrors => "files with new syntax errors",
            Self::Withdrawn => "edits withdrawn",
            Self::SecondPort => "files that a second port changes",
            Self::Outside => "places changed outside edits",
            Self::StaleArchitectures => "architecture comparisons with a stale number",
            Self::FlippedGuards => "guards that flip their meaning",
            Self::SilentCapabilities => "capability checks on the host without a word",
            Self::DispatchLeft => "dispatch forms left without a word",
            Self::MusaFiles => "MUSA files changed",
            Self::PythonComments => "comments of Python changed",
            Self::PythonProse => "docstrings and messages of Python changed",
            Self::PythonBroken => "Python files that no longer compile",
            Self::PythonOutside => "white space of Python changed",
            Self::PythonLeft => "CUDA-like names and strings of Python left without a word",
            Self::PythonReported => "CUDA-like names and strings of Python that stay, with a word",
            Self::MissingFiles => "files of the manifest that are missing",
            Self::Undeclared => "names kept as declared, without a declaration in sight",
            Self::StringsToRead => "strings changed that are names or code",
            Self::Pieces => "pieces of names changed",
            Self::DefinitionsRenamed => "macros of the project renamed with the API",
            Self::LinesAdded => "include lines added",
            Self::OldNames => "old names of renamed files in build files",
            Self::OtherFiles => "other files changed",
            Self::NotPorted => "C, C++ or CUDA files without an output",
            Self::ArchitecturesReported => "architecture comparisons that stay, with a word",
            Self::DispatchReported => "dispatch forms that stay, with a word",
        }
    }

    /// Whether anything but 0 is a fault; the others are for a person to read.
    pub(crate) fn must_be_zero(self) -> bool {
        self <= Self::MissingFiles
    }
}

/// A place that was counted.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
pub(crate) struct Example {
    /// The file, relative to the input (to the output for what only the output has).
    pub(crate) path: String,
    /// 1-based line, 0 for a whole file.
    pub(crate) line: usize,
    /// 1-based column in Unicode scalars, 0 for a whole file.
    pub(crate) column: usize,
    /// What is there.
    pub(crate) text: String,
}

/// The counts of a file or a tree.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    /// The places counted, by measure.
    pub(crate) places: BTreeMap<Measure, Vec<Example>>,
    /// What was not counted at all, as the user asked.
    pub(crate) not_made: Vec<Measure>,
    /// Confirmed references left, by declared reason, or by the code of their finding.
    pub(crate) confirmed: BTreeMap<String, usize>,
    /// References left, by declared reason, or by the code of their finding.
    pub(crate) reasons: BTreeMap<String, usize>,
    /// References to CUDA that need an answer.
    pub(crate) references: usize,
    /// Those of them that were edited.
    pub(crate) translated: usize,
    /// C, C++ and CUDA files.
    pub(crate) files: usize,
    /// Their lines.
    pub(crate) lines: usize,
}

impl Tally {
    /// Count a place.
    pub(crate) fn count(&mut self, measure: Measure, example: Example) {
        self.places.entry(measure).or_default().push(example);
    }

    /// Count a whole file.
    pub(crate) fn count_file(&mut self, measure: Measure, path: &str, text: &str) {
        let example = Example {
            path: path.to_owned(),
            line: 0,
            column: 0,
            text: text.to_owned(),
        };
        self.count(measure, example);
    }

    /// How often something was counted.
    pub(crate) fn of(&self, measure: Measure) -> usize {
        self.places.get(&measure).map_or(0, Vec::len)
    }

    /// Add another tally's counts.
    pub(crate) fn absorb(&mut self, other: Self) {
        for (measure, places) in other.places {
            self.places.entry(measure).or_default().extend(places);
        }
        for (reason, count) in other.confirmed {
            *self.confirmed.entry(reason).or_default() += count;
        }
        for (reason, count) in other.reasons {
            *self.reasons.entry(reason).or_default() += count;
        }
        self.references += other.references;
        self.translated += other.translated;
        self.files += other.files;
        self.lines += other.lines;
    }

    /// Put the places in order, so that the same trees give the same text.
    pub(crate) fn sort(&mut self) {
        for places in self.places.values_mut() {
            places.sort();
        }
    }

    /// Whether nothing that must be 0 is more.
    pub(crate) fn is_clean(&self) -> bool {
        let mut measures = Measure::ALL.into_iter();
        measures.all(|measure| !measure.must_be_zero() || self.of(measure) == 0)
    }

    /// The share of references that were edited, in percent.
    pub(crate) fn share(&self) -> f64 {
        // Counts of tokens are far below the 2^52 that a float holds exactly.
        #[allow(clippy::cast_precision_loss)]
        let share = self.translated as f64 / self.references.max(1) as f64;
        if self.references == 0 {
            100.0
        } else {
            share * 100.0
        }
    }
}
