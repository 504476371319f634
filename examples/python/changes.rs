//! What a port did to the tokens of a file, by holding the tokens of both against each other.

use std::ops::Range;

use anyhow::Result;
use torchada::text::stretches;

use super::token::{Token, tokens};

/// A range of tokens of the input, and what stands for it in the output.
type Hunk = (Range<usize>, Range<usize>);

/// The tokens of a file before and after.
pub(crate) struct Changes {
    /// The tokens of the input.
    pub(crate) before: Vec<Token>,
    /// The tokens of the output, but the import that a port adds.
    pub(crate) after: Vec<Token>,
    /// Where they differ.
    pub(crate) hunks: Vec<Hunk>,
    /// The output's token for each one of the input that stayed, or that has MUSA's name there.
    pub(crate) now: Vec<Option<usize>>,
}

impl Changes {
    /// Compare a file before and after a port.
    pub(crate) fn new(path: &str, before: Vec<u8>, after: Vec<u8>) -> Result<Self> {
        let before = tokens(path, before)?;
        let mut after = tokens(path, after)?;
        if !imports(&before).contains(&true) {
            let mut added = imports(&after).into_iter();
            after.retain(|_| !added.next().unwrap_or(false));
        }
        Ok(Self::between(before, after))
    }

    fn between(before: Vec<Token>, after: Vec<Token>) -> Self {
        // A token with MUSA's name is the one that had CUDA's: else a list that loses some of its items would pair
        // those that are left by their order.
        let keys = |all: &[Token]| -> Vec<String> {
            let key = |token: &Token| token.text.replace("musa", "cuda").replace("MUSA", "CUDA");
            all.iter().map(key).collect()
        };
        let mut hunks: Vec<Hunk> = Vec::new();
        let mut differ = |old: Range<usize>, new: Range<usize>| match hunks.last_mut() {
            Some(last) if (last.0.end, last.1.end) == (old.start, new.start) => {
                (last.0.end, last.1.end) = (old.end, new.end);
            }
            _ => hunks.push((old, new)),
        };
        let mut now = vec![None; before.len()];
        for stretch in stretches(keys(&before), keys(&after)) {
            let (old, new) = (stretch.old, stretch.new);
            if !stretch.is_same {
                differ(old, new);
                continue;
            }
            for (at, new) in old.zip(new) {
                let text = |all: &[Token], at: usize| all.get(at).map(|token| token.text.clone());
                if let Some(now) = now.get_mut(at) {
                    *now = Some(new);
                }
                if text(&before, at) != text(&after, new) {
                    differ(at..at + 1, new..new + 1);
                }
            }
        }
        let mut found = Self {
            before,
            after,
            hunks: Vec::new(),
            now,
        };
        found.hunks = hunks.into_iter().map(|hunk| found.moved_up(hunk)).collect();
        found
    }

    /// An insertion, moved to where it belongs. Which of two equal tokens is new the comparison can't tell: of
    /// `f() or g()) or h` it may take the second `or` for new, as if something had been put before `h`. What
    /// closes a bracket that it does not open belongs to what stands before it, so it goes up as far as it can.
    fn moved_up(&mut self, (mut old, mut new): Hunk) -> Hunk {
        if !old.is_empty() || self.opened(&new) >= 0 {
            return (old, new);
        }
        while let (Some(above), Some(first), Some(last)) = (
            old.start.checked_sub(1),
            new.start.checked_sub(1),
            new.end.checked_sub(1),
        ) {
            let text = |all: &[Token], at: usize| all.get(at).map(|token| token.text.clone());
            let stood = self.now.get(above).copied().flatten();
            if stood != Some(first) || text(&self.before, above) != text(&self.after, last) {
                break;
            }
            if let Some(now) = self.now.get_mut(above) {
                *now = Some(last);
            }
            (old, new) = (above..above, first..last);
        }
        (old, new)
    }

    /// How many more brackets some tokens of the output open than they close.
    fn opened(&self, new: &Range<usize>) -> isize {
        let tokens = self.after.get(new.clone()).unwrap_or_default();
        let weigh = |token: &Token| match token.text.as_str() {
            "(" | "[" | "{" => 1,
            ")" | "]" | "}" => -1,
            _ => 0,
        };
        tokens.iter().map(weigh).sum()
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
    /// one behind, as far as they stand in the same line with it. What only opens a bracket touches
    /// what is behind it, and what only closes one what is before.
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
        let opened = self.opened(new);
        [
            end.filter(|_| opened <= 0 && same(before, first))
                .map(|token| token.at.end),
            start
                .filter(|_| opened >= 0 && same(last, row(new.end)))
                .map(|token| token.at.start),
        ]
    }
}

/// Which tokens import the package for run time.
fn imports(all: &[Token]) -> Vec<bool> {
    let is = |at: usize, text: &str| all.get(at).is_some_and(|token| token.text == text);
    let here = |at: usize| is(at, "import") && is(at + 1, "torchada");
    (0..all.len())
        .map(|at| here(at) || at.checked_sub(1).is_some_and(here))
        .collect()
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
    fn words_behind_a_token_belong_to_it_and_not_to_the_next_one() {
        let found = touched(
            "x = not torch.cuda.is_available() or torch.cuda.device_count() < 2\n",
            "x = not (torch.cuda.is_available() or torchada.is_musa_platform()) or torch.cuda.device_count() < 2\n",
        );
        assert_eq!(found, ["cuda"]);
        let found = touched(
            "assert a.type == \"cuda\", \"not on CUDA\"\n",
            "assert a.type in (\"cuda\", \"musa\"), \"not on CUDA\"\n",
        );
        assert_eq!(found, ["\"cuda\""]);
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
