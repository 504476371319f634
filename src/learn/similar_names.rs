//! Names of the SDK that a missing one may have been mistaken for.

use rustc_hash::FxHashMap;

use super::headers::Headers;

/// The names of the SDK, by the words that they are made of.
pub(super) struct SimilarNames<'h> {
    headers: &'h Headers,
    names: Vec<(&'h str, usize)>,
    by_word: FxHashMap<String, Vec<u32>>,
}

/// Two names are near if so many hundredths of their words are the same.
const LIKENESS: usize = 70;
/// How many similar names the facts suggest for a missing one.
const SUGGESTIONS: usize = 2;

impl<'h> SimilarNames<'h> {
    /// An index of what stands by itself in code.
    pub(super) fn new(headers: &'h Headers) -> Self {
        let mut near = Self {
            headers,
            names: Vec::new(),
            by_word: FxHashMap::default(),
        };
        for name in headers.names() {
            let words = words(name);
            // One word alone is like too many others.
            if words.len() < 2 {
                continue;
            }
            let id = near.names.len() as u32;
            near.names.push((name, words.len()));
            for word in words {
                let ids = near.by_word.entry(word).or_default();
                if ids.last() != Some(&id) {
                    ids.push(id);
                }
            }
        }
        near
    }

    /// ``"`musaMemcpyAsync` of musa_runtime_api.h is near"``; `None` where no name is.
    pub(super) fn advice(&self, missing: &str) -> Option<String> {
        let words = words(missing);
        let first = words.first().map_or(0, String::len);
        let first = missing.get(..first)?;
        let mut shared: FxHashMap<u32, usize> = FxHashMap::default();
        for word in &words {
            for id in self.by_word.get(word).into_iter().flatten() {
                *shared.entry(*id).or_default() += 1;
            }
        }
        let fits = |(id, shared): (&u32, &usize)| {
            let (name, count) = self.names.get(*id as usize)?;
            let all = words.len() + count;
            // Names of another library begin otherwise.
            let is_near = shared * 200 >= all * LIKENESS
                && name.starts_with(first)
                && !name.eq_ignore_ascii_case(missing);
            is_near.then_some((std::cmp::Reverse(shared * 2000 / all), *name))
        };
        let mut found: Vec<_> = shared.iter().filter_map(fits).collect();
        found.sort_unstable();
        found.truncate(SUGGESTIONS);
        let file = |name: &str| {
            self.headers
                .plain(name)
                .map(|known| self.headers.file(known.place))
        };
        match found.as_slice() {
            [] => None,
            [(_, one)] => Some(format!("`{one}` of {} is near", file(one)?)),
            [(_, one), (_, other), ..] if file(one) == file(other) => {
                Some(format!("`{one}` and `{other}` of {} are near", file(one)?))
            }
            [(_, one), (_, other), ..] => Some(format!(
                "`{one}` of {} and `{other}` of {} are near",
                file(one)?,
                file(other)?
            )),
        }
    }
}

/// The names among some that are nearest to a missing one, the nearest first.
pub(super) fn among<'n>(missing: &str, names: impl Iterator<Item = &'n str>) -> Vec<&'n str> {
    let wanted = words(missing);
    let likeness = |name: &'n str| {
        let own = words(name);
        let shared = own.iter().filter(|word| wanted.contains(word)).count();
        let all = wanted.len() + own.len();
        let is_near = shared * 200 >= all * LIKENESS && name != missing;
        is_near.then_some((std::cmp::Reverse(shared * 2000 / all), name))
    };
    let mut found: Vec<_> = names.filter_map(likeness).collect();
    found.sort_unstable();
    found.truncate(SUGGESTIONS);
    found.into_iter().map(|(_, name)| name).collect()
}

/// The words of a name in small letters: `musa`, `memcpy`, `async`.
fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut before = b'_';
    for byte in name.bytes() {
        let starts = before == b'_'
            || byte.is_ascii_uppercase() && !before.is_ascii_uppercase()
            || byte.is_ascii_digit() && !before.is_ascii_digit();
        if byte != b'_' {
            if starts || words.is_empty() {
                words.push(String::new());
            }
            if let Some(word) = words.last_mut() {
                word.push(char::from(byte.to_ascii_lowercase()));
            }
        }
        before = byte;
    }
    words
}
