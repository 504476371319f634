//! `CMake`: the commands of a file with their arguments, the blocks that they stand in, and the comments.

mod blocks;
mod read;

use rustc_hash::FxHashMap;

use torchada_text::TextRange;

/// The ways in which an argument is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Quoting {
    /// Without quotes or brackets: a list in the argument is several arguments.
    Bare,
    /// In quotes.
    Quoted,
    /// In brackets: nothing in it is put in.
    Bracket,
}

/// One argument of a command.
#[derive(Clone, Copy, Debug)]
pub struct Argument {
    /// The whole argument, with its quotes.
    pub range: TextRange,
    /// The text between the quotes.
    pub inner: TextRange,
    /// The way in which the argument is written.
    pub quoting: Quoting,
}

/// One command.
#[derive(Clone, Debug)]
pub struct Command {
    /// Its index among the commands of its file.
    pub at: usize,
    /// Its name.
    pub name: TextRange,
    /// The command's name in lower case.
    pub lower: Box<str>,
    /// From its name to its closing parenthesis.
    pub range: TextRange,
    /// Its arguments, without parentheses inside them.
    pub arguments: Vec<Argument>,
    /// The command that opens the block around it: an `if`, `elseif`, `else`, `foreach`, `function`, ….
    pub block: Option<usize>,
    /// The `if` that an `elseif` or `else` belongs to.
    pub head: Option<usize>,
    /// The `if` or `elseif` that an `elseif` or `else` stands behind.
    pub before: Option<usize>,
}

impl Command {
    /// Its name in lower case: `CMake` knows no difference.
    pub fn lower_name(&self) -> &str {
        &self.lower
    }

    /// Whether it opens a branch of the `if` at an index: it is that `if`, or one of its `elseif`s and its `else`.
    pub fn is_branch_of(&self, head: usize) -> bool {
        self.at == head || self.head == Some(head)
    }

    /// The range of an argument, or of the whole command where it has none at this place.
    pub fn range_of(&self, place: usize) -> TextRange {
        let argument = self.arguments.get(place);
        argument.map_or(self.range, |one| one.range)
    }
}

/// A file of `CMake`'s.
#[derive(Clone, Default, Debug)]
pub struct Cmake {
    /// Its commands, by place.
    pub commands: Vec<Command>,
    /// Its comments, by place.
    pub comments: Vec<TextRange>,
    /// Where the text begins that the grammar can't read, if there is such a text.
    pub fault: Option<usize>,
    /// The commands of each name, by their first argument.
    by_first: FxHashMap<Box<str>, ByWord>,
    /// Functions and macros, by their names in lower case.
    definitions: ByWord,
}

/// Places of commands by a word.
type ByWord = FxHashMap<Box<[u8]>, Vec<usize>>;

impl Cmake {
    /// The commands of this name whose first argument is `first`.
    pub fn with_first(&self, name: &str, first: &[u8]) -> impl Iterator<Item = &Command> {
        let found = self.by_first.get(name).and_then(|all| all.get(first));
        let found = found.into_iter().flatten();
        found.filter_map(|&at| self.commands.get(at))
    }

    /// The places of the commands that define a function or a macro, whose name may be written in any case.
    pub fn definitions(&self, name: &str) -> impl Iterator<Item = usize> {
        let name = name.to_ascii_lowercase();
        let found = self.definitions.get(name.as_bytes()).into_iter().flatten();
        found.copied()
    }

    /// The names of the functions and macros that the file defines, in lower case, in no order.
    pub fn defined_names(&self) -> impl Iterator<Item = &[u8]> {
        self.definitions.keys().map(|name| &**name)
    }

    /// The place of the command that covers a range.
    pub fn place_of(&self, range: TextRange) -> Option<usize> {
        let behind = self
            .commands
            .partition_point(|one| one.range.start <= range.start);
        let at = behind.checked_sub(1)?;
        self.commands.get(at)?.range.covers(range).then_some(at)
    }

    /// The commands that a change of a range touches: those with a byte in it, or in whose middle an empty one lies.
    pub fn touching(&self, range: TextRange) -> &[Command] {
        let from = self
            .commands
            .partition_point(|one| one.range.end <= range.start);
        let behind = self.commands.get(from..).unwrap_or_default();
        let count = behind.partition_point(|one| one.range.start < range.end);
        behind.get(..count).unwrap_or_default()
    }
}
