//! What a port wrote, and in place of what: a place in the port leads back to the original by this alone.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::{Edit, SourceMap};
use torchada_text::TextRange;

/// What one or more edits put in place of what.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Replaced {
    /// The text of the original.
    pub old: Vec<u8>,
    /// The text of the port.
    pub new: Vec<u8>,
    /// The rule that made the edit.
    pub rule: String,
    /// The word for the evidence of the mapping; empty for an edit without one.
    pub evidence: String,
}

/// An edit of a file: the bytes of the original since the edit before it, and its number in the list of replacements.
type Row = (u32, u32);

/// The edits of all files of a port. What is replaced alike in many places is kept once.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct PortMap {
    replaced: Vec<Replaced>,
    /// The rows of each file, by the bytes of its path in the port.
    files: BTreeMap<Vec<u8>, Vec<Row>>,
}

/// What makes a replacement the same as another of the same text: what comes in its place, the rule and the evidence.
type Key<'a> = (&'a [u8], &'static str, &'static str);

/// Collects a [`PortMap`].
#[derive(Default, Debug)]
pub struct PortMapBuilder<'a> {
    map: PortMap,
    /// The number of each replacement, by the text that it replaces.
    known: FxHashMap<Key<'a>, FxHashMap<Vec<u8>, u32>>,
}

impl<'a> PortMapBuilder<'a> {
    /// Add the edits that make a file of the port from `text`.
    pub fn add(&mut self, path: &[u8], text: &[u8], edits: &'a [Edit]) {
        let mut rows = Vec::with_capacity(edits.len());
        let mut from = 0;
        for edit in edits {
            let evidence = edit.evidence.map_or("", torchada_mapping::Evidence::as_str);
            let old = edit.range.of(text);
            let key = (edit.replacement.as_slice(), edit.rule, evidence);
            let known = self.known.entry(key).or_default();
            let number = known.get(old).copied().unwrap_or_else(|| {
                let number = self.map.replaced.len() as u32;
                self.map.replaced.push(Replaced {
                    old: old.to_vec(),
                    new: edit.replacement.clone(),
                    rule: edit.rule.to_owned(),
                    evidence: evidence.to_owned(),
                });
                known.insert(old.to_vec(), number);
                number
            });
            // No file that is translated has more bytes than 32 bits count.
            rows.push(((edit.range.start - from) as u32, number));
            from = edit.range.end;
        }
        self.map.files.insert(path.to_vec(), rows);
    }

    /// The map.
    pub fn finish(self) -> PortMap {
        self.map
    }
}

/// One edit, with its places in both texts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MappedEdit<'m> {
    /// The bytes of the original.
    pub old: TextRange,
    /// The bytes of the port.
    pub new: TextRange,
    /// What was put in place of what.
    pub replaced: &'m Replaced,
}

/// The edits of one file.
#[derive(Clone, Default, Debug)]
pub struct FileMap<'m> {
    edits: Vec<MappedEdit<'m>>,
    places: SourceMap,
}

impl PortMap {
    /// The edits of a file of the port; none for a file that the port copied, or one that it does not know.
    pub fn file(&self, path: &[u8]) -> FileMap<'_> {
        let mut edits = Vec::new();
        let (mut old, mut new) = (0_usize, 0_usize);
        for (gap, number) in self.files.get(path).into_iter().flatten() {
            // A damaged map has numbers that lead nowhere.
            let Some(replaced) = self.replaced.get(*number as usize) else {
                continue;
            };
            let gap = *gap as usize;
            let before = TextRange::new(old + gap, old + gap + replaced.old.len());
            let after = TextRange::new(new + gap, new + gap + replaced.new.len());
            edits.push(MappedEdit {
                old: before,
                new: after,
                replaced,
            });
            (old, new) = (before.end, after.end);
        }
        let places = edits.iter().map(|edit| (edit.old, edit.new)).collect();
        FileMap { edits, places }
    }

    /// The files with edits, by the bytes of their paths.
    pub fn paths(&self) -> impl Iterator<Item = &[u8]> {
        self.files.keys().map(Vec::as_slice)
    }

    /// All that was put in place of something, in the order in which the port came to it.
    pub fn replaced(&self) -> &[Replaced] {
        &self.replaced
    }
}

impl<'m> FileMap<'m> {
    /// The text of the original, from the port's; `None` where that is not what the edits made.
    pub fn original(&self, ported: &[u8]) -> Option<Vec<u8>> {
        let mut text = Vec::with_capacity(ported.len());
        let mut from = 0;
        for edit in &self.edits {
            text.extend_from_slice(ported.get(from..edit.new.start)?);
            if edit.new.of(ported) != edit.replaced.new {
                return None;
            }
            text.extend_from_slice(&edit.replaced.old);
            from = edit.new.end;
        }
        text.extend_from_slice(ported.get(from..)?);
        Some(text)
    }

    /// The place in the original of an offset in the port, and the edit that it lies in.
    pub fn to_original(&self, offset: usize) -> (usize, Option<MappedEdit<'m>>) {
        let (at, edit) = self.places.to_input(offset);
        (at, edit.and_then(|edit| self.edits.get(edit)).copied())
    }

    /// The edits, by place.
    pub fn edits(&self) -> &[MappedEdit<'m>] {
        &self.edits
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{EditSet, GroupId};

    fn edit(start: usize, end: usize, to: &str) -> Edit {
        Edit::rewrite(TextRange::new(start, end), to, "test", None, GroupId(0))
    }

    #[test]
    fn a_port_leads_back_to_its_original_by_the_map_alone() {
        let text = b"one cudaA; two cudaA; drop me; end";
        let edits = [
            edit(0, 0, "// new\n"),
            edit(4, 9, "musaAA"),
            edit(15, 20, "musaAA"),
            edit(20, 29, ""),
        ];
        let ported = EditSet::of(&edits).expect("apart").apply(text).text;
        let mut builder = PortMapBuilder::default();
        builder.add(b"k.mu", text, &edits);
        let map = builder.finish();
        assert_eq!(map.replaced().len(), 3);
        let file = map.file(b"k.mu");
        assert_eq!(file.original(&ported).as_deref(), Some(&text[..]));
        assert_eq!(file.original(b"other"), None);
        let place = |word: &str| {
            let shown = String::from_utf8_lossy(&ported).into_owned();
            file.to_original(shown.find(word).expect("there"))
        };
        assert_eq!(place("end").0, 31);
        assert_eq!(place("one").0, 0);
        assert_eq!(place("new").0, 0);
        let (at, edit) = file.to_original(ported.len() - 9);
        assert_eq!((at, edit.map(|edit| edit.old.start)), (15, Some(15)));
        assert!(map.file(b"other").edits().is_empty());
    }
}
