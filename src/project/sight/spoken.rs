//! What of all that C++ says together a file can ask for: rules ask by words of the file.

use std::hash::Hasher;

use rustc_hash::FxHashMap;

use crate::project::Project;
use crate::project::digest::{Digest, Digester};

/// What is said of names.
#[derive(Debug)]
pub(super) struct Spoken {
    /// By name, sorted.
    said: Vec<(Vec<u8>, Digest)>,
    /// Where in that list stands what can be asked for with a word.
    by_word: FxHashMap<Vec<u8>, Vec<usize>>,
    /// The bytes that such words start with, and their lengths.
    measures: Box<[u64; 256]>,
    /// Of what can be asked for without a word that is written in the file.
    always: Digest,
}

impl Spoken {
    pub(super) fn new(project: &Project) -> Self {
        let mut said = project.taints.said();
        let sets = [&project.members, &project.defined_functions];
        for (set, what) in sets.into_iter().zip(["member", "function"]) {
            let what = Digester::of(what);
            said.extend(set.iter().map(|name| (name.clone(), what)));
        }
        let forwarders = project.forwarders.iter();
        said.extend(forwarders.map(|(name, what)| (name.clone(), Digester::of(what))));
        said.sort_unstable();
        let mut spoken = Self {
            said: Vec::new(),
            by_word: FxHashMap::default(),
            measures: Box::new([0; 256]),
            always: Digest::default(),
        };
        let mut always = Digester::default();
        for (at, (name, what)) in said.iter().enumerate() {
            // Of `Class::method` the last part.
            let mut parts = name.split(|&byte| byte == b':');
            let word = parts.rfind(|part| !part.is_empty()).unwrap_or_default();
            if let Some((first, bit)) = measure(word).filter(|_| word.iter().copied().all(is_plain))
            {
                let places = spoken.by_word.entry(word.to_vec()).or_default();
                places.push(at);
                if let Some(known) = spoken.measures.get_mut(first) {
                    *known |= bit;
                }
            } else {
                always.write_usize(name.len());
                always.write(name);
                always.write(what);
            }
        }
        always.write_u8(project.taints.any_shut().into());
        always.write_u8(project.forwarders.is_empty().into());
        spoken.said = said;
        spoken.always = always.digest();
        spoken
    }

    /// Put into a digest what a text can ask for; `false` where that can't be told.
    pub(super) fn of(&self, text: &[u8], digester: &mut Digester) -> bool {
        // A word may go on behind the line's end.
        let mut ends = memchr::memchr_iter(b'\\', text);
        if ends.any(|at| is_splice(text, at)) {
            return false;
        }
        let mut places: Vec<usize> = Vec::new();
        for run in text.split(|&byte| !is_plain(byte)) {
            places.extend(self.places(run));
            // A number ends where a name begins, for whoever sees it so.
            let digits = run.iter().take_while(|byte| byte.is_ascii_digit()).count();
            if digits > 0 {
                places.extend(self.places(run.get(digits..).unwrap_or_default()));
            }
        }
        places.sort_unstable();
        places.dedup();
        digester.write(&self.always);
        for (name, what) in places.iter().filter_map(|&at| self.said.get(at)) {
            digester.write_usize(name.len());
            digester.write(name);
            digester.write(what);
        }
        true
    }

    fn places(&self, word: &[u8]) -> &[usize] {
        let known = measure(word).is_some_and(|(first, bit)| {
            let known = self.measures.get(first);
            known.is_some_and(|known| known & bit != 0)
        });
        let places = if known { self.by_word.get(word) } else { None };
        places.map_or(&[], Vec::as_slice)
    }
}

/// Whether a backslash stands between a word and the end of a line.
fn is_splice(text: &[u8], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|at| text.get(at));
    let behind = text.get(at + 1);
    before.copied().is_some_and(is_plain) && behind.is_some_and(u8::is_ascii_whitespace)
}

fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// The first byte of a word, and a bit for its length.
fn measure(word: &[u8]) -> Option<(usize, u64)> {
    Some((usize::from(*word.first()?), 1 << word.len().min(63)))
}
