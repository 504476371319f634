//! What a port did to the tokens of a file, by holding the tokens of both against each other.

use std::ops::Range;

use anyhow::Result;
use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::token::{Token, tokens};

/// The tokens of a file before and after.
pub(crate) struct Changes {
    /// The tokens of the input.
    pub(crate) before: Vec<Token>,
    /// The tokens of the output, but the import that a port adds.
    pub(crate) after: Vec<Token>,
    /// Where they differ: a range of tokens before, and one after.
    pub(crate) hunks: Vec<(Range<usize>, Range<usize>)>,
    /// The output's token for each one of the input that stayed.
    pub(crate) now: Vec<Option<usize>>,
}

impl Changes {
    /// Compare a file before and after a port.
    pub(crate) fn new(path: &str, before: Vec<u8>, after: Vec<u8>) -> Result<Self> {
        let before = tokens(path, before)?;
        let after = without_import(tokens(path, after)?);
        Ok(Self::between(before, after))
    }

    fn between(before: Vec<Token>, after: Vec<Token>) -> Self {
        let texts =
            |all: &[Token]| -> Vec<String> { all.iter().map(|token| token.text.clone()).collect() };
        let mut hunks = Vec::new();
        let mut now = vec![None; before.len()];
        for change in capture_diff_slices(Algorithm::Myers, &texts(&before), &texts(&after)) {
            let (old, new) = (change.old_range(), change.new_range());
            if matches!(change, DiffOp::Equal { .. }) {
                for (at, new) in old.zip(new) {
                    if let Some(now) = now.get_mut(at) {
                        *now = Some(new);
                    }
                }
            } else {
                hunks.push((old, new));
            }
        }
        Self {
            before,
            after,
            hunks,
            now,
        }
    }

    /// Whether an edit touches a token: it is replaced, or something is inserted right at what it
    /// is part of.
    pub(crate) fn is_touched(&self, at: usize) -> bool {
        let Some(token) = self.before.get(at) else {
            return false;
        };
        self.hunks
            .iter()
            .any(|(old, new)| old.contains(&at) || self.is_beside(token, old, new))
    }

    /// Whether a hunk only inserts something, at what a token is part of and in its line.
    pub(crate) fn is_beside(&self, token: &Token, old: &Range<usize>, new: &Range<usize>) -> bool {
        let places = self.places(old, new);
        let mut places = places.into_iter().flatten();
        places.any(|place| token.around.start <= place && place <= token.around.end)
    }

    /// Where an insertion touches the input: the end of the token before it and the start of the
    /// one behind, as far as they stand in the same line with it.
    fn places(&self, old: &Range<usize>, new: &Range<usize>) -> [Option<usize>; 2] {
        if !old.is_empty() {
            return [None, None];
        }
        let row = |at: usize| self.after.get(at).map(|token| token.rows);
        let (first, last) = (row(new.start), row(new.end.saturating_sub(1)));
        let before = new.start.checked_sub(1).and_then(row);
        let same = |one: Option<(usize, usize)>, two: Option<(usize, usize)>| {
            one.zip(two).is_some_and(|(one, two)| one.1 == two.0)
        };
        let end = old.start.checked_sub(1).and_then(|at| self.before.get(at));
        let start = self.before.get(old.start);
        [
            end.filter(|_| same(before, first))
                .map(|token| token.at.end),
            start
                .filter(|_| same(last, row(new.end)))
                .map(|token| token.at.start),
        ]
    }
}

/// The tokens without the line that a port adds for the package for run time.
fn without_import(all: Vec<Token>) -> Vec<Token> {
    let is = |at: usize, text: &str| all.get(at).is_some_and(|token| token.text == text);
    let added = |at: usize| is(at, "import") && is(at + 1, "torchada");
    let keep: Vec<bool> = (0..all.len())
        .map(|at| !(added(at) || at > 0 && added(at - 1)))
        .collect();
    let mut keep = keep.into_iter();
    let mut all = all;
    all.retain(|_| keep.next().unwrap_or(true));
    all
}

#[cfg(test)]
mod tests {
    use super::Changes;

    fn touched(before: &str, after: &str) -> Vec<String> {
        let changes = Changes::new("a.py", before.into(), after.into()).unwrap();
        let all = changes.before.iter().enumerate();
        let touched = all.filter(|(at, token)| token.is_cuda() && changes.is_touched(*at));
        touched.map(|(_, token)| token.text.clone()).collect()
    }

    #[test]
    fn a_replaced_token_and_one_with_something_beside_it_are_touched() {
        let found = touched("f(cuda, \"cuda\")\n", "f(cuda, \"musa\")\n");
        assert_eq!(found, ["\"cuda\""]);
        let found = touched(
            "x = a.type == \"cuda\"\ncuda = 1\n",
            "x = a.type in (\"cuda\", \"musa\")\ncuda = 1\n",
        );
        assert_eq!(found, ["\"cuda\""]);
        let found = touched(
            "x = torch.cuda.is_available()\n",
            "x = (torch.cuda.is_available() or torchada.is_musa_platform())\n",
        );
        assert_eq!(found, ["cuda"]);
    }

    #[test]
    fn the_import_that_a_port_adds_touches_nothing() {
        let found = touched(
            "import torch.cuda\n",
            "import torchada\nimport torch.cuda\n",
        );
        assert!(found.is_empty());
    }
}
