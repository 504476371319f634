//! Which token of the output stands for which token of the input.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;

use torchada::text::stretches;

use crate::scan::{Kind, Token};

/// A file's text and tokens.
pub(crate) struct Scanned {
    /// The bytes of the file.
    pub(crate) text: Vec<u8>,
    /// All of them, cut up.
    pub(crate) tokens: Vec<Token>,
}

impl Scanned {
    /// Scan a file.
    pub(crate) fn new(text: Vec<u8>) -> Self {
        let tokens = crate::scan::scan(&text);
        Self { text, tokens }
    }

    /// The bytes of the token at `index`; none where there is no such token.
    pub(crate) fn bytes(&self, index: usize) -> &[u8] {
        self.tokens
            .get(index)
            .map_or(&[], |token| token.of(&self.text))
    }

    /// The kind of the token at `index`.
    pub(crate) fn kind(&self, index: usize) -> Option<Kind> {
        self.tokens.get(index).map(|token| token.kind)
    }

    /// The next token after `index` that a compiler would see.
    pub(crate) fn next(&self, index: usize) -> Option<usize> {
        let rest = self.tokens.get(index + 1..)?;
        let step = rest.iter().position(Token::is_significant)?;
        Some(index + 1 + step)
    }

    /// The token before `index` that a compiler would see.
    pub(crate) fn previous(&self, index: usize) -> Option<usize> {
        self.tokens
            .get(..index)?
            .iter()
            .rposition(Token::is_significant)
    }
}

/// A run of tokens of the input and what stands in their place in the output. The two differ.
/// Both ranges have length 1 wherever one token simply became another of its kind.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Change {
    /// Tokens of the input.
    pub(crate) before: Range<usize>,
    /// Tokens of the output.
    pub(crate) after: Range<usize>,
}

impl Change {
    /// Whether one token became another.
    pub(crate) fn is_single(&self) -> bool {
        self.before.len() == 1 && self.after.len() == 1
    }
}

/// Every difference between two scans, in order.
pub(crate) fn align(before: &Scanned, after: &Scanned) -> Vec<Change> {
    if before.text == after.text {
        return Vec::new();
    }
    let mut changes = Vec::new();
    let same_shape = before.tokens.len() == after.tokens.len()
        && (0..before.tokens.len()).all(|at| pairs(before, at, after, at));
    if same_shape {
        singles(before, after, 0, 0, before.tokens.len(), &mut changes);
        return changes;
    }
    let left: Vec<u64> = (0..before.tokens.len()).map(|at| key(before, at)).collect();
    let right: Vec<u64> = (0..after.tokens.len()).map(|at| key(after, at)).collect();
    for stretch in stretches(left, right) {
        let (before_range, after_range) = (stretch.old, stretch.new);
        let paired = before_range.len() == after_range.len()
            && before_range
                .clone()
                .zip(after_range.clone())
                .all(|(old, new)| pairs(before, old, after, new));
        if paired || stretch.is_same {
            let (old, new) = (before_range.start, after_range.start);
            singles(before, after, old, new, before_range.len(), &mut changes);
        } else {
            changes.push(Change {
                before: before_range,
                after: after_range,
            });
        }
    }
    changes
}

/// Record those of `len` token pairs that differ.
fn singles(
    before: &Scanned,
    after: &Scanned,
    old: usize,
    new: usize,
    len: usize,
    changes: &mut Vec<Change>,
) {
    for step in 0..len {
        if before.bytes(old + step) != after.bytes(new + step) {
            changes.push(Change {
                before: old + step..old + step + 1,
                after: new + step..new + step + 1,
            });
        }
    }
}

/// Whether one token could have become the other.
fn pairs(before: &Scanned, old: usize, after: &Scanned, new: usize) -> bool {
    let (kind, other) = (before.kind(old), after.kind(new));
    kind == other && (kind != Some(Kind::Punctuation) || before.bytes(old) == after.bytes(new))
}

/// A token's identity for the search: CUDA and MUSA spellings of a name are the same.
fn key(file: &Scanned, at: usize) -> u64 {
    let mut hasher = DefaultHasher::new();
    let bytes = file.bytes(at);
    match file.kind(at) {
        Some(Kind::Identifier | Kind::Header | Kind::String) => fold(bytes).hash(&mut hasher),
        _ => bytes.hash(&mut hasher),
    }
    hasher.finish()
}

fn fold(bytes: &[u8]) -> Vec<u8> {
    let mut folded = bytes.to_ascii_lowercase();
    for at in 0..folded.len() {
        let word_starts = at == 0 || !folded[at - 1].is_ascii_alphanumeric();
        let starts = |stem: &[u8]| folded[at..].starts_with(stem);
        if starts(b"cuda") || starts(b"nccl") || (word_starts && starts(b"cu")) {
            // `cuda` becomes `musa`, any other stem changes its first letter only.
            if folded[at..].starts_with(b"cuda") {
                folded[at + 2] = b's';
            }
            folded[at] = b'm';
        }
    }
    folded
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changes(before: &str, after: &str) -> Vec<(String, String)> {
        let before = Scanned::new(before.into());
        let after = Scanned::new(after.into());
        let text = |file: &Scanned, range: Range<usize>| {
            let parts: Vec<u8> = range.flat_map(|at| file.bytes(at).to_vec()).collect();
            String::from_utf8_lossy(&parts).into_owned()
        };
        align(&before, &after)
            .into_iter()
            .map(|change| (text(&before, change.before), text(&after, change.after)))
            .collect()
    }

    fn pair(before: &str, after: &str) -> (String, String) {
        (before.to_owned(), after.to_owned())
    }

    #[test]
    fn tokens_that_keep_their_shape_pair_one_to_one() {
        assert_eq!(
            changes("cudaFree(a, 1); // c", "musaFree(b, 1); // c"),
            [pair("cudaFree", "musaFree"), pair("a", "b")]
        );
    }

    #[test]
    fn an_inserted_line_does_not_shift_the_rest() {
        assert_eq!(
            changes(
                "#include <a.h>\n#include <cuda.h>\nint a;\n",
                "#include <a.h>\n#include <n.h>\n#include <musa.h>\nint a;\n"
            )
            .last(),
            Some(&pair("<cuda.h>", "<musa.h>"))
        );
    }

    #[test]
    fn a_name_may_become_several_tokens() {
        assert_eq!(
            changes("x = c10::kCUDA;", "x = at::DeviceType::PrivateUse1;"),
            [pair("c10", "at"), pair("kCUDA", "DeviceType::PrivateUse1")]
        );
    }
}
