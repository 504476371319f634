//! A file, as far as markers need it.

use std::ops::RangeInclusive;

use crate::Unit;
use crate::build::BuildCode;
use crate::cpp::CppCode;
use crate::python::ModuleView;
use torchada_diagnostic::{Code, Finding};
use torchada_text::{LineIndex, TextRange};

/// Lines that a marker speaks for, numbered as findings number them.
pub(super) type LineRange = RangeInclusive<usize>;

/// Code whose comments may hold markers.
pub trait Commented {
    /// The comments, by place.
    fn comments(&self) -> &[TextRange];

    /// The pieces of code of the text, by place.
    fn pieces(&self, text: &[u8]) -> Vec<TextRange>;

    /// The stretches that count as one line each, although they have several.
    fn joined(&self) -> Vec<TextRange> {
        Vec::new()
    }
}

impl Commented for CppCode<'_> {
    fn comments(&self) -> &[TextRange] {
        &self.parsed.tokens.comments
    }

    fn pieces(&self, _text: &[u8]) -> Vec<TextRange> {
        let tokens = &self.parsed.tokens.tokens;
        tokens.iter().map(|token| token.range()).collect()
    }

    fn joined(&self) -> Vec<TextRange> {
        let directives = &self.parsed.tokens.directives;
        directives.iter().map(|one| one.range).collect()
    }
}

impl Commented for ModuleView<'_> {
    fn comments(&self) -> &[TextRange] {
        self.module.tree.comments()
    }

    fn pieces(&self, _text: &[u8]) -> Vec<TextRange> {
        let tree = &self.module.tree;
        let leaves = tree
            .nodes()
            .filter(|&node| tree.children(node).next().is_none());
        leaves.map(|node| tree.range(node)).collect()
    }
}

impl Commented for BuildCode<'_> {
    fn comments(&self) -> &[TextRange] {
        self.comments
    }

    fn pieces(&self, text: &[u8]) -> Vec<TextRange> {
        before_comments(text, self.comments)
    }
}

/// A file, as far as markers need it.
pub(super) struct Marked<'a> {
    path: &'a str,
    pub(super) text: &'a [u8],
    lines: &'a LineIndex,
    pub(super) comments: &'a [TextRange],
    /// Pieces of code, by place.
    pieces: Vec<TextRange>,
    /// The stretches that count as one line each, although they have several.
    joined: Vec<TextRange>,
}

impl<'a> Marked<'a> {
    /// The file of a unit.
    pub(super) fn of<C: Commented>(unit: &'a Unit<'_, C>) -> Self {
        Self {
            path: &unit.file.path,
            text: unit.file_text,
            lines: unit.lines,
            comments: unit.comments(),
            pieces: unit.pieces(unit.file_text),
            joined: unit.joined(),
        }
    }

    /// A finding at a range of the file.
    pub(super) fn finding(
        &self,
        code: Code,
        range: TextRange,
        message: impl Into<String>,
    ) -> Finding {
        Finding::at(code, self.path, self.text, self.lines, range, message)
    }

    /// The lines that a range touches.
    pub(super) fn lines_of(&self, range: TextRange) -> LineRange {
        let line = |offset| self.lines.position(self.text, offset).line;
        line(range.start)..=line(range.end.max(range.start + 1) - 1)
    }

    /// The bytes of some lines.
    pub(super) fn bytes_of(&self, lines: &LineRange) -> TextRange {
        let start = self.lines.start(*lines.start()).unwrap_or(self.text.len());
        let behind = lines.end().checked_add(1);
        let end = behind.and_then(|line| self.lines.start(line));
        TextRange::new(start, end.unwrap_or(usize::MAX).max(start))
    }

    /// The lines that a comment speaks for: its own where there is code on them, else the next line
    /// with code. A directive counts as one line, however many it has.
    pub(super) fn covered(&self, comment: TextRange) -> LineRange {
        let own = self.lines_of(comment);
        let behind = self
            .pieces
            .partition_point(|piece| piece.start < comment.start);
        let before = behind
            .checked_sub(1)
            .and_then(|at| self.pieces.get(at))
            .is_some_and(|&piece| self.lines_of(piece).end() >= own.start());
        let next_token = self.pieces.get(behind).copied();
        let first = self
            .joined
            .partition_point(|range| range.start <= comment.start);
        let next_directive = self.joined.get(first).copied();
        let next = [next_token, next_directive]
            .into_iter()
            .flatten()
            .map(|range| *self.lines_of(range).start())
            .min();
        let in_directive = |line: usize| {
            let at = self
                .joined
                .partition_point(|&range| *self.lines_of(range).end() < line);
            let lines = self.joined.get(at).map(|&range| self.lines_of(range));
            lines.filter(|lines| lines.contains(&line))
        };
        let alone = !before && next.is_none_or(|line| line > *own.end());
        let line = match next {
            Some(next) if alone && in_directive(*own.start()).is_none() => next..=next,
            _ => own,
        };
        in_directive(*line.start()).unwrap_or(line)
    }
}

/// The part of each line of a text before its comment.
fn before_comments(text: &[u8], comments: &[TextRange]) -> Vec<TextRange> {
    let mut found = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive(|&byte| byte == b'\n') {
        let end = start + line.len();
        let first = comments.partition_point(|one| one.start < start);
        let comment = comments.get(first).filter(|one| one.start < end);
        let code = TextRange::new(start, comment.map_or(end, |one| one.start));
        if !code.of(text).trim_ascii().is_empty() {
            found.push(code);
        }
        start = end;
    }
    found
}
