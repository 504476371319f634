//! Whether the tokens of a text are read as before once edits are applied to it.

use crate::edit::{Applied, Edit, EditKind, EditSet, GroupId};
use crate::syntax::{LexOptions, Token, lex};
use crate::text::TextRange;

/// Two readings of a text, or of a part of it: before the edits in it, and with them.
struct Readings<'a> {
    text: &'a [u8],
    applied: &'a Applied,
    /// The tokens before.
    old: &'a [Token],
    /// The tokens with the edits, at places that are counted from `base` on.
    new: Vec<Token>,
    base: usize,
    edits: &'a [&'a Edit],
}

impl Readings<'_> {
    /// The group of the first edit after which the two part ways.
    fn broken_group(&self) -> Option<GroupId> {
        let rewrites = self.edits.iter();
        let rewrites = rewrites.filter(|edit| edit.kind == EditKind::Rewrite);
        let rewritten: Vec<TextRange> = rewrites.map(|edit| edit.range).collect();
        // Both are in the order of the file, so that one look at the nearest is enough.
        let outside = |range: TextRange| {
            let at = rewritten.partition_point(|edit| edit.start < range.end);
            let near = at.checked_sub(1).and_then(|at| rewritten.get(at));
            near.is_none_or(|edit| !edit.overlaps(range))
        };
        let mut new = self.new.iter();
        let mut edits_behind = self.edits.iter().peekable();
        let mut last = None;
        for old in self.old.iter().filter(|token| outside(token.range())) {
            let range = old.range();
            let mut touched = false;
            while let Some(edit) = edits_behind.next_if(|edit| edit.range.start < range.end) {
                last = Some(edit.group);
                touched |= edit.range.start >= range.start;
            }
            let want = self.applied.map.to_output(range.start);
            let place = |token: &Token| token.range().start + self.base;
            let same = new.find(|token| place(token) >= want).is_some_and(|token| {
                token.kind == old.kind
                    && token.in_directive == old.in_directive
                    && (touched || self.new_text(token) == old.text(self.text))
                    && (place(token) == want || touched)
            });
            if !same {
                return last.or_else(|| self.edits.first().map(|edit| edit.group));
            }
        }
        let complete = rewritten.is_empty() && self.new.len() != self.old.len();
        if complete { last } else { None }
    }

    fn new_text(&self, token: &Token) -> &[u8] {
        let rest = self.applied.text.get(self.base..).unwrap_or_default();
        token.text(rest)
    }

    /// Whether both end with the same token.
    fn end_alike(&self) -> bool {
        let (Some(old), Some(new)) = (self.old.last(), self.new.last()) else {
            return false;
        };
        let place = new.range().start + self.base;
        new.kind == old.kind
            && new.in_directive == old.in_directive
            && place == self.applied.map.to_output(old.range().start)
            && self.new_text(new) == old.text(self.text)
    }
}

/// The group of the first edit after which a text is read otherwise than before.
pub(super) fn broken_group(
    text: &[u8],
    before: &[Token],
    edits: &EditSet,
    applied: &Applied,
    template: bool,
) -> Option<GroupId> {
    let edits: Vec<&Edit> = edits.iter().collect();
    let readings = Readings {
        text,
        applied,
        old: before,
        new: lex(&applied.text, LexOptions { template }).tokens,
        base: 0,
        edits: &edits,
    };
    readings.broken_group()
}

/// Whether what stands around each edit shows that the whole text is read as before. Where that does not show it, the
/// text may be read as before nonetheless.
pub(super) fn is_alike_around_edits(
    text: &[u8],
    before: &[Token],
    edits: &EditSet,
    applied: &Applied,
    template: bool,
) -> bool {
    let edits: Vec<&Edit> = edits.iter().collect();
    // In front of such a token, and behind it where white space follows, the lexer bears nothing in mind.
    let is_apart = |token: &Token| !token.in_directive && !token.is_mark(text, b'#');
    let ends_apart = |token: &Token| {
        let next = text.get(token.range().end);
        is_apart(token) && next.is_none_or(u8::is_ascii_whitespace)
    };
    let mut rest = edits.as_slice();
    // The token that ends what is looked at.
    let mut end = 0;
    while let Some(first) = rest.first() {
        let at = before.partition_point(|token| token.range().end <= first.range.start);
        let front = before.get(..at).unwrap_or_default();
        let from = front.iter().rposition(is_apart);
        let mut behind = 0;
        // Of edits that no such token parts all are looked at together.
        let together = |edit: &&&Edit| {
            let is_first = behind == 0;
            if is_first || edit.range.start <= behind {
                let is_end =
                    |token: &Token| token.range().start >= edit.range.end && ends_apart(token);
                while before.get(end).is_some_and(|token| !is_end(token)) {
                    end += 1;
                }
                behind = before
                    .get(end)
                    .map_or(usize::MAX, |token| token.range().end);
                return true;
            }
            false
        };
        let count = rest.iter().take_while(together).count();
        let (edits, others) = rest.split_at(count);
        rest = others;
        let place = |token: &Token| applied.map.to_output(token.range().start);
        let base = from.and_then(|from| before.get(from)).map_or(0, place);
        let last = before.get(end);
        let to = last.map_or(applied.text.len(), |token| {
            place(token) + token.range().len()
        });
        let part = applied.text.get(base..to).unwrap_or_default();
        let old = before.get(from.unwrap_or(0)..).unwrap_or_default();
        let readings = Readings {
            text,
            applied,
            old: old.get(..=end - from.unwrap_or(0)).unwrap_or(old),
            new: lex(part, LexOptions { template }).tokens,
            base,
            edits,
        };
        if readings.broken_group().is_some() || last.is_some() && !readings.end_alike() {
            return false;
        }
    }
    true
}
