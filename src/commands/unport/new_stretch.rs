//! Text that a patch added: which of its words may have been others under CUDA's names.

use std::ops::Range;

use super::assembly;
use super::origins::WordKind;
use super::prose::{Quiet, TextRole};
use super::words::{MusaWord, OldNames, words_of};
use crate::text::{LineIndex, TextRange, line_start};

/// A piece of the text with CUDA's names.
pub(super) enum TextPart {
    /// Text that stays as it is.
    Fixed(Vec<u8>),
    /// A word that may have been several.
    Word {
        /// The likeliest first.
        options: Vec<Vec<u8>>,
        /// The index of the name that was taken.
        taken: usize,
        /// The 1-based lines of its beginning and end in the patched port.
        line: usize,
        last: usize,
        /// Which words of its line it is, counted from 0, where it lies on one.
        numbers: Range<usize>,
        /// Whether nothing but the tables tells which.
        is_open: bool,
        /// Whether it is what inline assembly became, and none of the file's words.
        is_assembly: bool,
        /// The word as it stands in the port.
        musa: Vec<u8>,
        /// The place of the word in the port after the patch.
        place: TextRange,
    },
}

/// A stretch of text that the patch added, with the files and names around it.
pub(super) struct NewStretch<'a> {
    pub(super) new: &'a [u8],
    pub(super) near: Option<(usize, usize)>,
    pub(super) words: &'a OldNames<'a>,
    pub(super) quiet: &'a Quiet,
    pub(super) lines: &'a LineIndex,
    pub(super) build: bool,
    pub(super) is_cpp: bool,
}

impl NewStretch<'_> {
    /// The words of a stretch that may have been others, and what assembly became, in order.
    fn found(&self, range: TextRange) -> Vec<MusaWord> {
        let mut found = self.words.find(range.of(self.new), self.near);
        if self.is_cpp {
            for one in assembly::written(self.new, range) {
                let place = one.place;
                let (start, end) = (place.start - range.start, place.end - range.start);
                // The statement as the tree has it knows more than its comment.
                let known = found.iter_mut().find(|word| {
                    word.kind == WordKind::Assembly && word.start <= start && end <= word.end
                });
                if let Some(known) = known {
                    if known.start == start {
                        known.options.extend(one.options);
                    }
                    continue;
                }
                found.retain(|word| word.end <= start || end <= word.start);
                found.push(MusaWord {
                    start,
                    end,
                    options: one.options,
                    is_open: false,
                    kind: WordKind::Assembly,
                    is_seen: true,
                });
            }
            found.sort_by_key(|word| word.start);
        }
        found
    }

    /// The parts of a stretch that is new.
    pub(super) fn parts(&self, range: TextRange, parts: &mut Vec<TextPart>) {
        let (new, lines) = (self.new, self.lines);
        let text = range.of(new);
        let mut at = 0;
        for found in self.found(range) {
            let place = TextRange::new(range.start + found.start, range.start + found.end);
            let musa = place.of(new).to_vec();
            let says = self.quiet.role_of(place);
            let mut options = found.options;
            let is_assembly = found.kind == WordKind::Assembly;
            let stays = !is_assembly
                && (says == TextRole::Comment
                    || (says == TextRole::Text && !found.is_seen)
                    || (found.kind == WordKind::Ending && says == TextRole::Code && !self.build));
            if stays {
                // Both would come back the same: what is no name is none.
                continue;
            }
            if !options.contains(&musa) {
                options.push(musa.clone());
            }
            parts.push(TextPart::Fixed(
                text.get(at..found.start).unwrap_or_default().to_vec(),
            ));
            parts.push(TextPart::Word {
                options,
                taken: 0,
                line: lines.position(new, place.start).line,
                last: lines.position(new, place.end).line,
                numbers: numbers(new, place),
                is_open: found.is_open,
                is_assembly,
                musa,
                place,
            });
            at = found.end;
        }
        parts.push(TextPart::Fixed(text.get(at..).unwrap_or_default().to_vec()));
    }
}

/// Which words of its line a place touches, counted from 0.
fn numbers(text: &[u8], place: TextRange) -> Range<usize> {
    let line = TextRange::new(line_start(text, place.start), text.len().min(place.end + 1));
    let words = words_of(text, line);
    let before = words.iter().take_while(|word| word.end <= place.start);
    let first = before.count();
    let inside = words.iter().skip(first);
    first..first + inside.take_while(|word| word.start < place.end).count()
}
