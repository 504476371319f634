//! Which files of a tree have a word: asked of all files at once, so that a question takes no longer in a larger tree.

use std::borrow::Cow;
use std::hash::Hasher;

use rustc_hash::{FxBuildHasher, FxHashSet, FxHasher};

use rayon::slice::ParallelSliceMut;
use torchada_parallel as parallel;
use torchada_text::words;

/// How many of the words that were met last are remembered.
const LATEST: usize = 1 << 10;

/// For each word of some texts, the files that it stands in by itself. Words are kept as numbers: should two words have
/// one number, each is said to stand in the files of both.
#[derive(Debug, Default)]
pub struct TreeWords {
    /// How many bits the number of a file takes: a word and a file are sorted as one number.
    file_bits: u32,
    /// The numbers of all words, sorted.
    numbers: Vec<u64>,
    /// Where the files of each word start in the list, and where those of the last one end.
    starts: Vec<u32>,
    files: Vec<u32>,
}

impl TreeWords {
    /// The words of the texts that `text` gives of some files.
    pub fn of<'f, F: Sync>(
        files: &'f [F],
        text: impl Fn(&'f F) -> Option<Cow<'f, [u8]>> + Sync,
    ) -> Self {
        let file_bits = files.len().checked_ilog2().map_or(1, |bits| bits + 1);
        let files = files.iter().enumerate();
        let of_files: Vec<Box<[u64]>> = parallel::map(files, |(file, one)| {
            let Some(text) = text(one) else {
                return Box::default();
            };
            // About as many as a module has.
            let mut seen = FxHashSet::with_capacity_and_hasher(text.len() / 64, FxBuildHasher);
            // Most words stood there a moment ago.
            let mut latest = [0; LATEST];
            for word in words(&text) {
                let both = number(word) << file_bits | file as u64;
                let slot = latest.get_mut((both >> file_bits) as usize % LATEST);
                if slot.is_none_or(|slot| std::mem::replace(slot, both) != both) {
                    seen.insert(both);
                }
            }
            seen.into_iter().collect()
        });
        // There are millions: no list of them grows, which would hold them twice.
        let mut found = Vec::with_capacity(of_files.iter().map(|one| one.len()).sum());
        for one in of_files {
            found.extend(one);
        }
        found.par_sort_unstable();
        let mut index = Self {
            file_bits,
            numbers: Vec::new(),
            starts: Vec::new(),
            files: Vec::with_capacity(found.len()),
        };
        for both in found {
            let number = both >> file_bits;
            if index.numbers.last() != Some(&number) {
                index.numbers.push(number);
                index.starts.push(index.files.len() as u32);
            }
            index.files.push((both ^ number << file_bits) as u32);
        }
        index.starts.push(index.files.len() as u32);
        index.numbers.shrink_to_fit();
        index.starts.shrink_to_fit();
        index
    }

    /// The files that a word stands in by itself, in order.
    pub fn files_with(&self, word: &[u8]) -> &[u32] {
        let number = number(word) << self.file_bits >> self.file_bits;
        let found = self.numbers.binary_search(&number).ok();
        let files = found.and_then(|at| {
            let (start, end) = (*self.starts.get(at)?, *self.starts.get(at + 1)?);
            self.files.get(start as usize..end as usize)
        });
        files.unwrap_or_default()
    }
}

fn number(word: &[u8]) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(word);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_leads_to_the_files_that_have_it() {
        let texts: [Option<&[u8]>; 4] = [Some(b"a.b(a)"), None, Some(b"ab b_c"), Some(b"b")];
        let index = TreeWords::of(&texts, |text| text.map(Cow::Borrowed));
        for (word, files) in [
            ("a", &[0][..]),
            ("b", &[0, 3]),
            ("ab", &[2]),
            ("b_c", &[2]),
            ("c", &[]),
            ("", &[]),
        ] {
            assert_eq!(index.files_with(word.as_bytes()), files, "{word}");
        }
        assert!(TreeWords::default().files_with(b"a").is_empty());
    }
}
