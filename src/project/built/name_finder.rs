//! Finds the names of files in a text.

use aho_corasick::{AhoCorasick, BuildError};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::tree::finder::finder;

/// What finds some names of files where they stand by themselves.
///
/// Almost all names are words with an ending, and few dots of a text have one of their endings behind them: the names in
/// front of these are looked up. An automaton for thousands of names takes ten times as long.
pub(super) struct NameFinder<'n> {
    /// Names of words and dots, by their texts, with their places in the list.
    plain: FxHashMap<&'n [u8], usize>,
    /// What stands behind the last dot of these names.
    endings: FxHashSet<&'n [u8]>,
    /// How many bytes the longest of them has.
    longest: usize,
    /// All other names.
    others: AhoCorasick,
    /// The places of the other names in the list.
    places: Vec<usize>,
}

impl<'n> NameFinder<'n> {
    /// What finds these names.
    ///
    /// # Errors
    /// When there are too many names that are not plain.
    pub(super) fn new(names: &[&'n str]) -> Result<Self, BuildError> {
        let (mut plain, mut endings) = (FxHashMap::default(), FxHashSet::default());
        let (mut others, mut places) = (Vec::new(), Vec::new());
        for (at, name) in names.iter().enumerate() {
            let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
            if !ending.is_empty() && name.bytes().all(|byte| is_part(byte) || byte == b'.') {
                plain.insert(name.as_bytes(), at);
                endings.insert(ending.as_bytes());
            } else {
                others.push(*name);
                places.push(at);
            }
        }
        Ok(Self {
            longest: plain.keys().map(|name| name.len()).max().unwrap_or(0),
            plain,
            endings,
            others: finder(&others)?,
            places,
        })
    }

    /// Hand over where each name starts that stands in a text by itself, with the name's place in the list.
    pub(super) fn each(&self, text: &[u8], mut take: impl FnMut(usize, usize)) {
        let length = |part: &[u8]| part.iter().take_while(|&&byte| is_part(byte)).count();
        for dot in memchr::memchr_iter(b'.', text) {
            let (front, rest) = text.split_at(dot);
            let ending = rest.get(1..).unwrap_or_default();
            let ending = ending.split_at(length(ending)).0;
            if !self.endings.contains(ending) {
                continue;
            }
            let end = dot + 1 + ending.len();
            // `a.b.cu` is one name, or `b.cu` behind another word.
            let mut start = dot;
            while end - start <= self.longest {
                let first = start.saturating_sub(self.longest + 1);
                let word = front.get(first..start).unwrap_or_default();
                start -= word.iter().rev().take_while(|&&byte| is_part(byte)).count();
                let name = text.get(start..end).unwrap_or_default();
                if let Some(&place) = self.plain.get(name) {
                    take(start, place);
                }
                match start.checked_sub(1) {
                    Some(before) if front.get(before) == Some(&b'.') => start = before,
                    _ => break,
                }
            }
        }
        if self.places.is_empty() {
            return;
        }
        for one in self.others.find_overlapping_iter(text) {
            let before = one.start().checked_sub(1).and_then(|at| text.get(at));
            let around = [before, text.get(one.end())];
            let is_whole = !around.into_iter().flatten().any(|&byte| is_part(byte));
            if let Some(&place) = self.places.get(one.pattern().as_usize())
                && is_whole
            {
                take(one.start(), place);
            }
        }
    }
}

/// Whether a name goes on with a byte.
fn is_part(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_where_they_stand_by_themselves() {
        let names = [
            "k.cu", "a.k.cu", "k.cu.in", "a b.cu", "Dense", ".cu", "k-1.h",
        ];
        let finder = NameFinder::new(&names).expect("few names");
        let found = |text: &str| {
            let mut found = Vec::new();
            finder.each(text.as_bytes(), |start, name| {
                found.push((start, names[name]));
            });
            found
        };
        assert_eq!(found("x/k.cu"), [(2, "k.cu")]);
        assert_eq!(found("a.k.cu"), [(2, "k.cu"), (0, "a.k.cu")]);
        assert_eq!(found("k.cu.in"), [(0, "k.cu"), (0, "k.cu.in")]);
        assert_eq!(found("k.cu, k-1.h"), [(0, "k.cu"), (6, "k-1.h")]);
        assert_eq!(found("<Dense> a b.cu"), [(1, "Dense"), (8, "a b.cu")]);
        assert_eq!(found("*.cu"), [(1, ".cu")]);
        for text in [
            "k.cuh", "xk.cu", "k.cu_", "-k-1.h", "Denser", "k.", "k-1.hh",
        ] {
            assert_eq!(found(text), [], "{text}");
        }
    }
}
