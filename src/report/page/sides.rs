//! What a port changed, beside the original.

use std::collections::BTreeMap;

use crate::mapping::effort::Effort;

/// How many bytes of both texts a page shows: what is changed in a project of thousands of files is more than anybody reads.
const MOST: usize = 1_000_000;

/// How many lines of the port are shown beside one of the original.
const LINES: usize = 6;

/// A part of a line, and whether it was changed.
pub type Piece = (bool, String);

/// Lines that a port changed.
#[derive(Clone, Debug)]
pub struct SideBySide {
    /// The first line in the original.
    pub old_line: usize,
    /// The first line in the port.
    pub new_line: usize,
    /// The text of the original.
    pub old: Vec<Piece>,
    /// The text of the port.
    pub new: Vec<Piece>,
}

/// The changed lines of a file.
#[derive(Clone, Debug)]
pub struct SidesOfFile {
    /// The original's path.
    pub source: String,
    /// The port's path.
    pub path: String,
    /// The lines, from the first on.
    pub hunks: Vec<SideBySide>,
}

/// The files as far as a page shows them, tests and the like last of all, and how many are left out.
pub(super) fn shown<'s>(files: &'s [SidesOfFile], scale: &Effort) -> (Vec<&'s SidesOfFile>, usize) {
    let mut left = MOST;
    let size = |file: &SidesOfFile| -> usize {
        let hunks = file.hunks.iter();
        let pieces = hunks.flat_map(|hunk| hunk.old.iter().chain(&hunk.new));
        pieces.map(|(_, text)| text.len()).sum()
    };
    let mut kept = Vec::new();
    let (last, first): (Vec<_>, Vec<_>) = files
        .iter()
        .partition(|file| scale.is_auxiliary(&file.source));
    for file in first.into_iter().chain(last) {
        if let Some(rest) = left.checked_sub(size(file)) {
            left = rest;
            kept.push(file);
        }
    }
    let out = files.len() - kept.len();
    (kept, out)
}

/// What the port has in place of lines of the original.
pub(super) struct Counterparts<'s>(BTreeMap<&'s str, &'s SidesOfFile>);

impl<'s> Counterparts<'s> {
    pub(super) fn of(files: &'s [SidesOfFile]) -> Self {
        Self(files.iter().map(|file| (&*file.source, file)).collect())
    }

    /// The text of the port in place of a line of a file, where it was changed and is short.
    pub(super) fn line(&self, path: &str, line: usize) -> Option<Vec<Piece>> {
        let file = self.0.get(path)?;
        let at = file.hunks.partition_point(|hunk| hunk.old_line <= line);
        let hunk = file.hunks.get(at.checked_sub(1)?)?;
        let lines = |pieces: &[Piece]| -> usize {
            let ends = pieces.iter().map(|(_, text)| text.matches('\n').count());
            ends.sum::<usize>() + 1
        };
        let is_here = !hunk.old.is_empty() && line < hunk.old_line + lines(&hunk.old);
        (is_here && lines(&hunk.new) <= LINES).then(|| hunk.new.clone())
    }
}
