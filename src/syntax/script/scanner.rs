//! Words: quotes, escapes, variables, and substitutions by commands and functions.

use super::{Statement, StatementKind, Word, WordPart};
use torchada_text::TextRange;

/// Reads a stretch of a text.
pub(super) struct Scanner<'t> {
    pub(super) text: &'t [u8],
    pub(super) at: usize,
    pub(super) end: usize,
    /// Whether `$(NAME)` is a variable.
    pub(super) is_make: bool,
    /// Whether a shell reads the stretch.
    pub(super) is_script: bool,
    /// The file that the command at hand prints into.
    pub(super) into: Option<TextRange>,
    /// The statements so far.
    pub(super) found: Vec<Statement>,
    /// The branches around.
    pub(super) branches: Vec<(TextRange, bool)>,
    /// How deep scripts are nested.
    depth: usize,
}

/// How deep scripts may be nested.
const DEEPEST: usize = 48;

impl<'t> Scanner<'t> {
    pub(super) fn new(text: &'t [u8], range: TextRange, is_make: bool) -> Self {
        Self {
            text,
            at: range.start,
            end: range.end.min(text.len()),
            is_make,
            is_script: !is_make,
            into: None,
            found: Vec::new(),
            branches: Vec::new(),
            depth: 0,
        }
    }

    pub(super) fn peek(&self) -> Option<u8> {
        self.byte(self.at)
    }

    pub(super) fn byte(&self, at: usize) -> Option<u8> {
        (at < self.end).then(|| self.text.get(at).copied())?
    }

    /// Whether a line goes on behind the backslash at a place.
    pub(super) fn continues(&self, at: usize) -> bool {
        self.byte(at) == Some(b'\\')
            && match self.byte(at + 1) {
                Some(b'\r') => self.byte(at + 2) == Some(b'\n'),
                other => other == Some(b'\n') || other.is_none(),
            }
    }

    /// Go over blanks and the ends of lines that go on.
    pub(super) fn skip_blanks(&mut self) {
        loop {
            match self.peek() {
                Some(b' ' | b'\t' | b'\r') => self.at += 1,
                Some(b'\\') if self.continues(self.at) => {
                    self.at = self.line_end(self.at) + 1;
                }
                _ => break,
            }
        }
        self.at = self.at.min(self.end);
    }

    /// Where the line of a place ends.
    pub(super) fn line_end(&self, from: usize) -> usize {
        let rest = self.text.get(from..self.end).unwrap_or_default();
        memchr::memchr(b'\n', rest).map_or(self.end, |at| from + at)
    }

    /// Where the line of a place ends, with those that it goes on in.
    pub(super) fn whole_line_end(&self, from: usize) -> usize {
        let mut start = from;
        loop {
            let end = self.line_end(start);
            let line = self.text.get(start..end).unwrap_or_default();
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            if !line.ends_with(b"\\") || end >= self.end {
                return end;
            }
            start = end + 1;
        }
    }

    pub(super) fn push(&mut self, kind: StatementKind, head: TextRange, words: Vec<Word>) {
        self.found.push(Statement {
            kind,
            head,
            words,
            into: None,
            branches: self.branches.clone(),
        });
    }

    /// Go into what stands inside something else, and say whether to look at it. [`Scanner::come_back`] ends it.
    pub(super) fn may_go_deeper(&mut self) -> bool {
        self.depth += 1;
        self.depth <= DEEPEST
    }

    pub(super) fn come_back(&mut self) {
        self.depth -= 1;
    }

    /// Read a stretch inside this one by itself.
    pub(super) fn inside(&mut self, range: TextRange, is_make: bool, read: fn(&mut Self)) {
        if !self.may_go_deeper() {
            self.come_back();
            return;
        }
        let (at, end, make) = (self.at, self.end, self.is_make);
        (self.at, self.end, self.is_make) = (range.start, range.end.min(end), is_make);
        read(self);
        self.come_back();
        (self.at, self.end, self.is_make) = (at, end, make);
    }

    /// The words of a stretch, blanks and quotes taken as what parts them; `,` too where `commas` says so.
    pub(super) fn values(&mut self, range: TextRange, commas: bool) -> Vec<Word> {
        self.arguments(range, if commas { usize::MAX } else { 0 })
    }

    /// The words of a stretch in which so many commas part arguments; those behind them are text.
    pub(super) fn arguments(&mut self, range: TextRange, mut commas: usize) -> Vec<Word> {
        let (at, end) = (self.at, self.end);
        (self.at, self.end) = (range.start, range.end.min(end));
        let mut words = Vec::new();
        while self.at < self.end {
            self.skip_blanks();
            match self.peek() {
                None => break,
                Some(b'\n') => self.at += 1,
                Some(b',') if commas > 0 => {
                    self.at += 1;
                    commas -= 1;
                }
                Some(_) => {
                    let before = self.at;
                    let stop: &[u8] = if commas > 0 { b"," } else { b"" };
                    let word = self.word(stop);
                    words.extend(word.split(self.text));
                    self.at = self.at.max(before + 1);
                }
            }
        }
        (self.at, self.end) = (at, end);
        words
    }

    /// A word, as far as a blank or one of `stop`.
    pub(super) fn word(&mut self, stop: &[u8]) -> Word {
        let start = self.at;
        let mut parts = Vec::new();
        let mut run = self.at;
        let mut quote: Option<u8> = None;
        while let Some(byte) = self.peek() {
            match byte {
                b'\\' if quote.is_none() && self.continues(self.at) => break,
                b'\\' if quote != Some(b'\'') => self.at += 2,
                b'"' | b'\'' if quote == Some(byte) => {
                    text_part(&mut parts, run, self.at);
                    quote = None;
                    self.at += 1;
                    run = self.at;
                }
                b'"' | b'\'' if quote.is_none() && self.closes(byte) => {
                    text_part(&mut parts, run, self.at);
                    quote = Some(byte);
                    self.at += 1;
                    run = self.at;
                }
                b'$' if quote != Some(b'\'') || self.is_make => {
                    text_part(&mut parts, run, self.at);
                    self.dollar(&mut parts);
                    run = self.at;
                }
                b'`' if self.is_script && quote != Some(b'\'') && self.closes(byte) => {
                    text_part(&mut parts, run, self.at);
                    let inner = self.at + 1;
                    let rest = self.text.get(inner..self.end).unwrap_or_default();
                    let len = memchr::memchr(b'`', rest).unwrap_or(rest.len());
                    let range = TextRange::new(inner, inner + len);
                    self.inside(range, self.is_make, Self::shell);
                    self.at = (range.end + 1).min(self.end);
                    parts.push(WordPart::Result(TextRange::new(inner - 1, self.at)));
                    run = self.at;
                }
                _ if quote.is_none() && (byte.is_ascii_whitespace() || stop.contains(&byte)) => {
                    break;
                }
                _ => self.at += 1,
            }
        }
        self.at = self.at.min(self.end);
        text_part(&mut parts, run, self.at);
        Word {
            range: TextRange::new(start, self.at),
            parts,
        }
    }

    /// Whether a quote that opens here is closed.
    fn closes(&self, quote: u8) -> bool {
        let rest = self.text.get(self.at + 1..self.end).unwrap_or_default();
        memchr::memchr(quote, rest).is_some()
    }
}

pub(super) fn is_name_start(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_'
}

fn text_part(parts: &mut Vec<WordPart>, start: usize, end: usize) {
    if start < end {
        parts.push(WordPart::Text(TextRange::new(start, end)));
    }
}
