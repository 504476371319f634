//! A set of edits to one text, and the one pass that applies them.

use std::collections::BTreeMap;
use std::ops::Deref;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use thiserror::Error;

use super::{Edit, GroupId};
use torchada_text::TextRange;

/// Two edits want the same bytes.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("an edit of bytes {}..{} collides with one of {}..{}", .new.start, .new.end, .old.start, .old.end)]
pub struct Overlap {
    /// The edit that is in the set already.
    pub old: TextRange,
    /// The edit that was refused.
    pub new: TextRange,
}

/// Edits to one text, sorted by place; no two of them share a byte.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct EditSet {
    /// The edits by start and end, so an insertion before a byte comes before a replacement of that byte.
    edits: BTreeMap<(usize, usize), Edit>,
    /// Where the edits of a group are, or were.
    groups: FxHashMap<GroupId, Vec<(usize, usize)>>,
}

impl EditSet {
    /// A set of these edits.
    ///
    /// # Errors
    /// [`Overlap`] where two of them want the same bytes.
    pub fn of(edits: &[Edit]) -> Result<Self, Overlap> {
        let mut set = Self::default();
        for edit in edits {
            set.insert(edit.clone())?;
        }
        Ok(set)
    }

    /// Add one edit. The very edit that is in the set already is accepted and changes nothing.
    ///
    /// # Errors
    /// [`Overlap`] when another edit covers one of its bytes; the set stays as it was.
    pub fn insert(&mut self, edit: Edit) -> Result<(), Overlap> {
        match self.at(edit.range) {
            Some(same) if same.range == edit.range && same.replacement == edit.replacement => {
                Ok(())
            }
            Some(other) => Err(Overlap {
                old: other.range,
                new: edit.range,
            }),
            None => {
                let key = (edit.range.start, edit.range.end);
                self.groups.entry(edit.group).or_default().push(key);
                self.edits.insert(key, edit);
                Ok(())
            }
        }
    }

    /// An edit that overlaps a range: the last one that does.
    pub fn at(&self, range: TextRange) -> Option<&Edit> {
        // They are disjoint, so that only the last one that starts before the end can reach in.
        let before = self.edits.range(..(range.end, 0)).next_back();
        before
            .map(|(_, edit)| edit)
            .filter(|edit| edit.range.overlaps(range))
            .or_else(|| self.edits.get(&(range.start, range.end)))
    }

    /// Whether some edit overlaps a range.
    pub fn touches(&self, range: TextRange) -> bool {
        self.at(range).is_some()
    }

    /// The edits that lie wholly in a range, by place.
    pub fn within(&self, range: TextRange) -> impl Iterator<Item = &Edit> {
        self.edits
            .range((range.start, 0)..)
            .map(|(_, edit)| edit)
            .take_while(move |edit| edit.range.start <= range.end)
            .filter(move |edit| range.covers(edit.range))
    }

    /// The edits that have a byte in a range or are put in before one of its bytes, the last one first.
    pub fn touching(&self, range: TextRange) -> impl Iterator<Item = &Edit> {
        // They are disjoint, so that one which ends before another starts before it, too.
        self.edits
            .range(..(range.end, 0))
            .rev()
            .map(|(_, edit)| edit)
            .take_while(move |edit| edit.range.end.max(edit.range.start + 1) > range.start)
    }

    /// The edits, by place.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Edit> {
        self.edits.values()
    }

    /// Whether there is nothing to do.
    pub fn is_empty(&self) -> bool {
        self.edits.is_empty()
    }

    /// How many edits there are.
    pub fn len(&self) -> usize {
        self.edits.len()
    }

    /// Take out all edits of a group and return them, by place.
    pub fn withdraw(&mut self, group: GroupId) -> Vec<Edit> {
        let mut places = self.groups.remove(&group).unwrap_or_default();
        places.sort_unstable();
        places.dedup();
        let mut gone = Vec::with_capacity(places.len());
        for place in places {
            // Another edit may have come to the place since.
            if self
                .edits
                .get(&place)
                .is_some_and(|edit| edit.group == group)
            {
                gone.extend(self.edits.remove(&place));
            }
        }
        gone
    }

    /// Take out the first edit that starts at a place.
    pub fn take_at(&mut self, start: usize) -> Option<Edit> {
        let place = *self.edits.range((start, 0)..=(start, usize::MAX)).next()?.0;
        self.edits.remove(&place)
    }

    /// Take out the edits that lie wholly in a range.
    pub fn remove_within(&mut self, range: TextRange) {
        let inside = self.within(range).map(|edit| edit.range);
        let inside: Vec<TextRange> = inside.collect();
        for place in inside {
            self.edits.remove(&(place.start, place.end));
        }
    }

    /// Keep only the edits that `keep` accepts.
    pub fn retain(&mut self, mut keep: impl FnMut(&Edit) -> bool) {
        self.edits.retain(|_, edit| keep(edit));
    }

    /// Apply every edit to `text` in one forward pass.
    pub fn apply(&self, text: &[u8]) -> Applied {
        apply(self.edits.values(), text)
    }
}

/// Edits to one text that are decided: by place, and disjoint. A copy shares them.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Edits(Arc<[Edit]>);

impl Edits {
    /// Apply every edit to `text`.
    pub fn apply(&self, text: &[u8]) -> Applied {
        apply(self.iter(), text)
    }
}

impl From<EditSet> for Edits {
    fn from(set: EditSet) -> Self {
        Self(set.edits.into_values().collect())
    }
}

impl Deref for Edits {
    type Target = [Edit];

    fn deref(&self) -> &[Edit] {
        &self.0
    }
}

/// One forward pass over `text` with edits that come by place and are disjoint.
fn apply<'e>(edits: impl ExactSizeIterator<Item = &'e Edit>, text: &[u8]) -> Applied {
    let mut out = Vec::with_capacity(text.len() + edits.len());
    let mut map = SourceMap::default();
    let mut from = 0;
    for edit in edits {
        out.extend_from_slice(text.get(from..edit.range.start).unwrap_or_default());
        let start = out.len();
        out.extend_from_slice(&edit.replacement);
        map.edits
            .push((edit.range, TextRange::new(start, out.len())));
        from = edit.range.end;
    }
    out.extend_from_slice(text.get(from..).unwrap_or_default());
    Applied { text: out, map }
}

/// The text after the edits, and where its bytes came from.
#[derive(Clone, Debug)]
pub struct Applied {
    /// The new text.
    pub text: Vec<u8>,
    /// The map from places in the old text to places in the new one.
    pub map: SourceMap,
}

/// The places in the new text of the edited ranges of the old one.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct SourceMap {
    edits: Vec<(TextRange, TextRange)>,
}

impl SourceMap {
    /// The places of the edits in the old text and in the new one.
    pub fn edits(&self) -> &[(TextRange, TextRange)] {
        &self.edits
    }

    /// The offset in the new text of an offset in the old one. An offset inside a replaced range
    /// goes to the start of the replacement.
    pub fn to_output(&self, offset: usize) -> usize {
        let at = self.edits.partition_point(|(old, _)| old.start <= offset);
        match at.checked_sub(1).and_then(|last| self.edits.get(last)) {
            None => offset,
            Some((old, new)) if offset < old.end => new.start,
            Some((old, new)) => new.end + (offset - old.end),
        }
    }

    /// The offset in the old text of an offset in the new one, and the number of the edit whose replacement it
    /// lies in. The old text of that is as long as it is: an offset in the replacement goes to the start of it.
    pub fn to_input(&self, offset: usize) -> (usize, Option<usize>) {
        let at = self.edits.partition_point(|(_, new)| new.start <= offset);
        // Of edits at one place the last that put something there has the byte.
        let before = self.edits.get(..at).unwrap_or_default();
        let inside = before.iter().rposition(|(_, new)| !new.is_empty());
        match inside.and_then(|last| Some((last, self.edits.get(last)?))) {
            Some((last, (old, new))) if offset < new.end => (old.start, Some(last)),
            _ => match before.last() {
                None => (offset, None),
                Some((old, new)) => (old.end + (offset - new.end), None),
            },
        }
    }
}

impl FromIterator<(TextRange, TextRange)> for SourceMap {
    /// A map of the places of edits in both texts, by place.
    fn from_iter<T: IntoIterator<Item = (TextRange, TextRange)>>(edits: T) -> Self {
        Self {
            edits: edits.into_iter().collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn edit(start: usize, end: usize, to: &str) -> Edit {
        Edit::rewrite(TextRange::new(start, end), to, "test", None, GroupId(0))
    }

    #[test]
    fn edits_are_applied_in_order_of_place_and_mapped() {
        let mut set = EditSet::default();
        set.insert(edit(8, 11, "C")).expect("free");
        set.insert(edit(0, 3, "aaaa")).expect("free");
        let applied = set.apply(b"one two six!");
        assert_eq!(applied.text, b"aaaa two C!");
        assert_eq!(applied.map.to_output(4), 5);
        assert_eq!(applied.map.to_output(9), 9);
        assert_eq!(applied.map.to_output(11), 10);
    }

    #[test]
    fn a_colliding_edit_is_refused_and_changes_nothing() {
        let mut set = EditSet::default();
        set.insert(edit(2, 6, "x")).expect("free");
        assert!(set.insert(edit(4, 8, "y")).is_err());
        assert!(set.insert(edit(0, 3, "y")).is_err());
        assert!(set.insert(edit(2, 6, "x")).is_ok());
        assert_eq!(set.apply(b"0123456789").text, b"01x6789");
    }

    /// A text, and edits to it as they come: in any order, over one another, some of them empty places.
    fn wanted() -> impl Strategy<Value = (Vec<u8>, Vec<Edit>)> {
        let text = prop::collection::vec(b'a'..=b'z', 0..40);
        text.prop_flat_map(|text| {
            let end = text.len();
            let one = (0..=end, 0..=end, "[A-Z]{0,6}").prop_map(|(from, to, new)| {
                let from_to = (from.min(to), from.max(to).min(from.min(to) + 8));
                edit(from_to.0, from_to.1, &new)
            });
            (Just(text), prop::collection::vec(one, 0..20))
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn edits_that_are_taken_are_disjoint_and_leave_every_other_byte((text, wanted) in wanted()) {
            let mut set = EditSet::default();
            let mut taken: Vec<Edit> = Vec::new();
            for edit in wanted {
                let free = taken.iter().all(|one| !one.range.overlaps(edit.range));
                let known = taken.contains(&edit);
                prop_assert_eq!(set.insert(edit.clone()).is_ok(), free || known);
                if free {
                    taken.push(edit);
                }
            }
            prop_assert_eq!(set.len(), taken.len());
            let applied = set.apply(&text);
            // From the last to the first, so that the places of the others still hold.
            taken.sort_by_key(|edit| (edit.range.start, edit.range.end));
            let mut expected = text.clone();
            for edit in taken.iter().rev() {
                expected.splice(edit.range.start..edit.range.end, edit.replacement.clone());
            }
            prop_assert_eq!(&applied.text, &expected);
            for at in 0..text.len() {
                let byte = TextRange::new(at, at + 1);
                if !taken.iter().any(|edit| edit.range.overlaps(byte)) {
                    prop_assert_eq!(applied.text.get(applied.map.to_output(at)), text.get(at));
                }
            }
        }
    }
}
