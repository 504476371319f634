//! Labels of a shell's `case`: `cuda | rocm)`.

use super::Word;

/// What begins a `case`, stands in front of its first label, and ends it.
const CASE: &[u8] = b"case";
const IN: &[u8] = b"in";
const ESAC: &[u8] = b"esac";

/// Where the reader of a script is among the labels of `case … in`.
#[derive(Default)]
pub(super) struct CaseLabels {
    /// How many `case`s are open.
    open: usize,
    are_next: bool,
    labels: Vec<Word>,
}

impl CaseLabels {
    /// Whether the next words are a label.
    pub(super) fn are_next(&self) -> bool {
        self.are_next
    }

    /// Look at a command that has another word, and say whether that was the last one in front of a label:
    /// `case "$P" in`.
    pub(super) fn begin(&mut self, text: &[u8], words: &[Word]) -> bool {
        let is = |word: &Word, known: &[u8]| word.plain().is_some_and(|one| one.of(text) == known);
        match words {
            [only] if is(only, ESAC) => {
                self.open = self.open.saturating_sub(1);
                self.are_next = false;
                false
            }
            [.., case, _, last] if is(case, CASE) && is(last, IN) => {
                self.open += 1;
                self.next();
                true
            }
            _ => false,
        }
    }

    /// `;;` stands behind the commands of a label.
    pub(super) fn next(&mut self) {
        self.are_next = self.open > 0;
        self.labels.clear();
    }

    /// Another label for the same commands follows: `cuda |`.
    pub(super) fn and(&mut self, words: &mut Vec<Word>) {
        self.labels.append(words);
    }

    /// All labels in front of the bracket that ends them.
    pub(super) fn end(&mut self, words: &mut Vec<Word>) -> Vec<Word> {
        self.labels.append(words);
        self.are_next = false;
        std::mem::take(&mut self.labels)
    }
}
