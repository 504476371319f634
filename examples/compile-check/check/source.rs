//! Source files as they are written, for what a preprocessor does not tell.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use torchada::syntax::{Conditionals, DirectiveKind, LexOptions, Token, TokenKind, Tokens, lex};
use torchada::text::{LineIndex, Position};

/// One file, taken apart.
pub struct Source {
    /// Its bytes.
    pub text: Vec<u8>,
    /// Its tokens and directives.
    pub tokens: Tokens,
    /// Its conditionals.
    pub conditionals: Conditionals,
    lines: LineIndex,
    /// For each token the line that it starts on.
    token_lines: Vec<u32>,
}

impl Source {
    fn new(text: Vec<u8>) -> Self {
        let tokens = lex(&text, LexOptions::default());
        let breaks: Vec<usize> = text
            .iter()
            .enumerate()
            .filter(|&(_, &byte)| byte == b'\n')
            .map(|(at, _)| at)
            .collect();
        let line = |offset: usize| breaks.partition_point(|&at| at < offset) as u32 + 1;
        let token_lines = tokens
            .tokens
            .iter()
            .map(|token| line(token.range().start))
            .collect();
        Self {
            conditionals: Conditionals::new(&text, &tokens),
            lines: LineIndex::new(&text),
            token_lines,
            tokens,
            text,
        }
    }

    /// The place of an offset.
    pub fn position(&self, offset: usize) -> Position {
        self.lines.position(&self.text, offset)
    }

    /// The tokens that start on a line.
    pub fn on_line(&self, line: usize) -> &[Token] {
        let line = line as u32;
        let start = self.token_lines.partition_point(|&at| at < line);
        let end = self.token_lines.partition_point(|&at| at <= line);
        self.tokens.tokens.get(start..end).unwrap_or_default()
    }

    /// How many lines have a token or one behind them.
    pub fn line_count(&self) -> usize {
        self.token_lines.last().map_or(0, |&line| line as usize)
    }

    /// The texts of the tokens on a line.
    pub fn words_on_line(&self, line: usize) -> BTreeSet<&[u8]> {
        let tokens = self.on_line(line).iter();
        tokens.map(|token| token.text(&self.text)).collect()
    }

    /// The offset of the first token of a line; of a line without one, that of the next.
    pub fn line_start(&self, line: usize) -> Option<usize> {
        let at = self.token_lines.partition_point(|&at| (at as usize) < line);
        self.tokens.get(at).map(|token| token.range().start)
    }

    /// The lines of a directive.
    pub fn directive_lines(&self, directive: usize) -> Range<usize> {
        self.tokens.directives.get(directive).map_or(0..0, |one| {
            let first = self.position(one.range.start).line;
            first..self.position(one.range.end).line + 1
        })
    }

    /// The places at which a macro is defined: the lines of each directive.
    pub fn definitions(&self, name: &[u8]) -> Vec<Range<usize>> {
        let defines = self.tokens.directives.iter().enumerate();
        defines
            .filter(|(_, one)| one.kind == DirectiveKind::Define)
            .filter(|(_, one)| {
                let first = self.tokens.get(one.tokens.start);
                first.is_some_and(|token| {
                    token.kind == TokenKind::Identifier && token.text(&self.text) == name
                })
            })
            .map(|(at, _)| self.directive_lines(at))
            .collect()
    }
}

/// All files that were looked at, each read once.
#[derive(Default)]
pub struct Sources {
    read: Mutex<HashMap<PathBuf, Option<Arc<Source>>>>,
}

impl Sources {
    /// A file; `None` where it can't be read.
    pub fn get(&self, path: &Path) -> Option<Arc<Source>> {
        let lock = || self.read.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = lock().get(path) {
            return known.clone();
        }
        let source = std::fs::read(path)
            .ok()
            .map(|text| Arc::new(Source::new(text)));
        lock().insert(path.to_owned(), source.clone());
        source
    }
}
