//! Statements of scripts and build files, and the words that they are made of.

use torchada_text::TextRange;

/// A piece of a word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WordPart {
    /// Text as it stands, without quotes.
    Text(TextRange),
    /// The value of a variable.
    Variable {
        /// Its name.
        name: TextRange,
        /// The name with the signs that ask for its value: `${CUDA_HOME}`.
        whole: TextRange,
    },
    /// What a command or a function gives: a statement of its own.
    Result(TextRange),
}

impl WordPart {
    /// Where it stands.
    pub fn range(self) -> TextRange {
        match self {
            Self::Text(range) | Self::Result(range) | Self::Variable { whole: range, .. } => range,
        }
    }
}

/// A word, quotes included.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Word {
    /// Where it stands.
    pub range: TextRange,
    /// What it is made of.
    pub parts: Vec<WordPart>,
}

impl Word {
    /// The place of its text, where it is nothing but text.
    pub fn plain(&self) -> Option<TextRange> {
        match self.parts.as_slice() {
            [WordPart::Text(range)] => Some(*range),
            _ => None,
        }
    }

    /// The place of the text that it begins with.
    pub fn front(&self) -> Option<TextRange> {
        match self.parts.first() {
            Some(WordPart::Text(range)) => Some(*range),
            _ => None,
        }
    }

    /// The name of the variable that it is, where it is nothing else.
    pub fn variable(&self) -> Option<TextRange> {
        match self.parts.as_slice() {
            [WordPart::Variable { name, .. }] => Some(*name),
            _ => None,
        }
    }

    /// The names of its variables.
    pub fn variables(&self) -> impl Iterator<Item = TextRange> {
        self.parts.iter().filter_map(|part| match part {
            WordPart::Variable { name, .. } => Some(*name),
            _ => None,
        })
    }

    /// Its texts.
    pub fn texts(&self) -> impl Iterator<Item = TextRange> {
        self.parts.iter().filter_map(|part| match part {
            WordPart::Text(range) => Some(*range),
            _ => None,
        })
    }

    /// The words that it falls apart into at blanks, without its quotes. A quote that opens inside a word is a part of it, as
    /// far as where it closes: `code="sm_70,compute_70"`. So is a blank behind a backslash: `Program\ Files`.
    pub fn split(&self, text: &[u8]) -> Vec<Word> {
        let mut found: Vec<Word> = Vec::new();
        let mut open = false;
        let mut push = |part: WordPart, range: TextRange, glue: bool| match found.last_mut() {
            Some(last) if glue => {
                last.range.end = range.end.max(last.range.end);
                last.parts.push(part);
            }
            _ => found.push(Word {
                range,
                parts: vec![part],
            }),
        };
        for part in &self.parts {
            let WordPart::Text(range) = part else {
                push(*part, part.range(), open);
                open = true;
                continue;
            };
            let mut start = range.start;
            let ends = (range.start..range.end).filter(|&at| parts_words(text, at));
            for end in ends.chain([range.end]) {
                let piece = text.get(start..end).unwrap_or_default();
                if start > range.start {
                    open = false;
                }
                let mark = |byte: &&u8| matches!(byte, b'"' | b'\'');
                let front = piece.iter().take_while(mark).count();
                let behind = piece.iter().rev().take_while(mark).count();
                if front + behind < piece.len() && piece != b"\\" {
                    let piece = TextRange::new(start + front, end - behind);
                    push(WordPart::Text(piece), piece, open);
                    open = true;
                }
                start = end + 1;
            }
        }
        for word in &mut found {
            while closes_a_quote(text, word.range) {
                word.range.end += 1;
            }
        }
        found
    }
}

/// Whether a byte is a blank that ends a word. One behind a backslash does not, unless the backslash stands by itself.
fn parts_words(text: &[u8], at: usize) -> bool {
    let is_part = match text.get(at.saturating_sub(2)..=at) {
        Some(&[before, b'\\', b' ']) => !before.is_ascii_whitespace() && before != b'\\',
        _ => false,
    };
    !is_part && text.get(at).is_some_and(u8::is_ascii_whitespace)
}

/// Whether the byte behind a stretch is the mark that closes a quote which opens in it. Marks behind a backslash close only
/// those that open behind one.
fn closes_a_quote(text: &[u8], range: TextRange) -> bool {
    let mark_at = |at: usize| text.get(at).filter(|mark| matches!(mark, b'"' | b'\''));
    let is_escaped = |at: usize| at > range.start && text.get(at - 1) == Some(&b'\\');
    mark_at(range.end).is_some_and(|mark| {
        let inside = (range.start..range.end).filter(|&at| mark_at(at) == Some(mark));
        let alike = inside.filter(|&at| is_escaped(at) == is_escaped(range.end));
        alike.count() % 2 == 1
    })
}

/// What a statement is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StatementKind {
    /// A command with its arguments; the first word is its name.
    Command,
    /// The head is a variable, the words are its value.
    Assignment,
    /// A variable's value where it has none: `${CUDA_HOME:-/usr/local/cuda}`.
    Default,
    /// Targets of make and what they are made of.
    Rule,
    /// The condition of a branch.
    Condition,
    /// A function of make's with its arguments.
    Call,
    /// An instruction; the head is its keyword.
    Instruction,
    /// A text under a key; the head is the key.
    Entry,
    /// Text that a command is fed with; the head is the command.
    Document,
    /// Labels of a branch of a shell's: `cuda | rocm)`.
    Label,
}

/// One statement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Statement {
    /// What it is.
    pub kind: StatementKind,
    /// Its name.
    pub head: TextRange,
    /// Its words.
    pub words: Vec<Word>,
    /// The file that what it prints is written into.
    pub into: Option<TextRange>,
    /// The branches that it stands in: places of their conditions, each with whether it has to hold.
    pub branches: Vec<(TextRange, bool)>,
}

/// How a file is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Notation<'k> {
    /// A shell's script.
    Shell,
    /// GNU make.
    Make,
    /// Ninja.
    Ninja,
    /// A list of instructions for an image.
    Docker,
    /// YAML with scripts in it.
    Pipeline(PipelineKeys<'k>),
}

/// What keys of a pipeline say of the texts below them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PipelineKeys<'k> {
    /// A shell runs the text.
    pub scripts: &'k [String],
    /// The keys below are variables.
    pub variables: &'k [String],
}
