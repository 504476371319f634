//! What was found: the lists that calls hand to compilers.

use std::collections::{BTreeMap, BTreeSet};

use torchada_text::TextRange;

/// A place in a file of the tree, by the file's index.
pub type Origin = (usize, TextRange);

/// What keeps something from builds for older GPUs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct LowestArchitecture {
    /// The lowest architecture of CUDA's that has it: 90 for `sm_90`.
    pub lowest: u32,
    /// The place that says so: the index of the file, and an offset in it.
    pub at: (usize, usize),
}

/// A value of a variable that decides whether a build has something.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct SwitchValue {
    /// The variable.
    pub variable: String,
    /// The value.
    pub value: String,
    /// Whether the value leaves it out; else a build has it with this value alone.
    pub leaves_out: bool,
    /// Where the variable is asked for: the index of the file, and an offset in it.
    pub at: (usize, usize),
}

/// A source that a call hands on.
#[derive(Clone, Debug)]
pub struct HandedSource {
    /// The files of the tree that it may mean.
    pub files: Vec<usize>,
    /// Whether it surely means these.
    pub is_sure: bool,
    /// What keeps it from builds for older GPUs.
    pub only: Option<LowestArchitecture>,
}

/// A call that hands sources to a compiler.
#[derive(Clone, Debug)]
pub struct HandedList {
    /// The index of the file.
    pub file: usize,
    /// What is called.
    pub callee: TextRange,
    /// The last name of what is called.
    pub builder: String,
    /// Whether it hands sources of CUDA's to nvcc.
    pub is_cudas: bool,
    /// Whether it hands sources of MUSA's to mcc.
    pub is_musas: bool,
    /// The sources.
    pub sources: Vec<HandedSource>,
    /// What is called for sources that the files do not tell.
    pub open: Option<Origin>,
    /// The variables of the environment that decide whether a build calls it.
    pub switches: Vec<SwitchValue>,
}

/// What the Python of a tree hands to compilers.
#[derive(Default, Debug)]
pub struct PythonBuilds {
    /// The calls, by file and place.
    pub lists: Vec<HandedList>,
    /// For each call that builds what the files of `CMake`'s describe, the variables that decide whether a build has it.
    pub cmake: Vec<Vec<SwitchValue>>,
    /// Literals, by file, that name sources for these calls and for nothing else.
    pub literals: BTreeMap<usize, Vec<TextRange>>,
    /// The literals that have a part in the names of sources.
    pub(super) read: BTreeSet<Origin>,
    /// Modules with calls whose sources are not found among the arguments.
    pub(super) open: BTreeSet<usize>,
}

impl PythonBuilds {
    /// Whether a text in a literal of a module may have a part in the name of a source.
    pub fn may_name_source(&self, file: usize, text: TextRange) -> bool {
        let mut lists = self.lists.iter().filter(|list| list.file == file);
        self.open.contains(&file)
            || lists.next().is_none()
            || self
                .read
                .iter()
                .any(|(at, literal)| *at == file && literal.contains(text.start))
    }
}
