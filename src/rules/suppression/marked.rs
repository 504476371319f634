//! A file, as far as markers need it.

use std::ops::RangeInclusive;

use crate::diagnostic::{Code, Finding};
use crate::rules::Unit;
use crate::rules::build::BuildUnit;
use crate::rules::python::PythonUnit;
use crate::text::{LineIndex, TextRange};

/// Lines that a marker speaks for, numbered as findings number them.
pub(super) type Lines = RangeInclusive<usize>;

/// A file, as far as markers need it.
pub(super) struct Marked<'a> {
    path: &'a str,
    pub(super) text: &'a [u8],
    lines: &'a LineIndex,
    pub(super) comments: &'a [TextRange],
    /// Pieces of code, by place.
    pieces: Vec<TextRange>,
    /// What counts as one line, however many it has.
    joined: Vec<TextRange>,
}

impl<'a> Marked<'a> {
    /// A file of C++.
    pub(super) fn of(unit: &'a Unit<'_>) -> Self {
        let tokens = &unit.parsed.tokens;
        Self {
            path: &unit.file.path,
            text: unit.file_text,
            lines: unit.lines,
            comments: &tokens.comments,
            pieces: tokens.tokens.iter().map(|token| token.range()).collect(),
            joined: tokens.directives.iter().map(|one| one.range).collect(),
        }
    }

    /// A module of Python.
    pub(super) fn of_python(unit: &'a PythonUnit<'_>) -> Self {
        let tree = &unit.module.tree;
        let leaves = tree
            .nodes()
            .filter(|&node| tree.children(node).next().is_none());
        Self {
            path: unit.path,
            text: unit.text,
            lines: unit.lines,
            comments: tree.comments(),
            pieces: leaves.map(|node| tree.range(node)).collect(),
            joined: Vec::new(),
        }
    }

    /// A build file.
    pub(super) fn of_build(unit: &'a BuildUnit<'_>) -> Self {
        Self {
            path: &unit.file.path,
            text: unit.text,
            lines: unit.lines,
            comments: unit.comments,
            pieces: before_comments(unit),
            joined: Vec::new(),
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
    pub(super) fn lines_of(&self, range: TextRange) -> Lines {
        let line = |offset| self.lines.position(self.text, offset).line;
        line(range.start)..=line(range.end.max(range.start + 1) - 1)
    }

    /// The bytes of some lines.
    pub(super) fn bytes_of(&self, lines: &Lines) -> TextRange {
        let start = self.lines.start(*lines.start()).unwrap_or(self.text.len());
        let behind = lines.end().checked_add(1);
        let end = behind.and_then(|line| self.lines.start(line));
        TextRange::new(start, end.unwrap_or(usize::MAX).max(start))
    }

    /// The lines that a comment speaks for: its own where there is code on them, else the next line
    /// with code. A directive counts as one line, however many it has.
    pub(super) fn covered(&self, comment: TextRange) -> Lines {
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

/// What stands on each line before its comment.
fn before_comments(unit: &BuildUnit<'_>) -> Vec<TextRange> {
    let mut found = Vec::new();
    let mut start = 0;
    for line in unit.text.split_inclusive(|&byte| byte == b'\n') {
        let end = start + line.len();
        let first = unit.comments.partition_point(|one| one.start < start);
        let comment = unit.comments.get(first).filter(|one| one.start < end);
        let code = TextRange::new(start, comment.map_or(end, |one| one.start));
        if !code.of(unit.text).trim_ascii().is_empty() {
            found.push(code);
        }
        start = end;
    }
    found
}
