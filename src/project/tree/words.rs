//! Which files of a tree have a word: asked of all files at once, so that a question takes no longer in a larger tree.

use std::borrow::Cow;
use std::hash::Hasher;
use std::sync::OnceLock;

use memchr::memmem;
use rustc_hash::{FxBuildHasher, FxHashSet, FxHasher};

use super::file_set::{FileSet, next_gap, push_gap};
use super::trigrams::TrigramIndex;
use super::vocabulary::{BETWEEN, Vocabulary};
use rayon::slice::ParallelSliceMut;
use torchada_parallel as parallel;
use torchada_text::{is_part_of_word, words};

/// How many of the words that were met last are remembered.
const LATEST: usize = 1 << 10;

/// How many answers about parts of words are kept.
const ANSWERS: usize = 1 << 12;

/// The number of places among the kept answers in which one answer is looked for.
const PLACES: usize = 16;

/// The least bytes of a part of a word that is looked for: a trigram.
const LEAST: usize = 3;

/// For each word of some texts, the files that it stands in by itself. The index stores a word as a number: should two
/// words have one number, the index names the files of both for either.
#[derive(Debug, Default)]
pub struct TreeWords {
    /// How many bits the number of a file takes: a word and a file are sorted as one number.
    file_bits: u32,
    /// The numbers of all words, sorted.
    numbers: Vec<u64>,
    /// Where the files of each word start in the list, and where those of the last one end.
    starts: Vec<u32>,
    /// Of each file how many files it lies behind the one before it, seven bits a byte: most words stand in files that are near.
    files: Vec<u8>,
    /// Each word once, in no order, with a line end before and behind it.
    vocabulary: Vec<u8>,
    /// The stretches of the vocabulary in which a part of a word may stand.
    trigrams: TrigramIndex,
    /// Answers about parts of words, at places that the number of a part gives. An answer is never changed, so no thread
    /// waits to read one.
    containing: Box<[OnceLock<Answer>]>,
}

/// The files with a word that a part of a word stands in.
#[derive(Debug)]
struct Answer {
    part: Box<[u8]>,
    files: FileSet,
}

/// The words of some texts, before they are sorted into an index.
pub struct FoundWords {
    /// How many bits the number of a file takes.
    file_bits: u32,
    /// The numbers of the words of each file, with the number of the file behind each.
    of_files: Vec<Box<[u64]>>,
    vocabulary: Vocabulary,
}

impl FoundWords {
    /// The words of the texts that `text` gives of some files.
    pub fn of<'f, F: Sync>(
        files: &'f [F],
        text: impl Fn(&'f F) -> Option<Cow<'f, [u8]>> + Sync,
    ) -> Self {
        let file_bits = files.len().checked_ilog2().map_or(1, |bits| bits + 1);
        let vocabulary = Vocabulary::for_files(files.len());
        let files = files.iter().enumerate();
        let of_files: Vec<Box<[u64]>> = parallel::map(files, |(file, one)| {
            text(one).map_or_else(Box::default, |text| {
                words_of_file(&text, file as u64, file_bits, &vocabulary)
            })
        });
        Self {
            file_bits,
            of_files,
            vocabulary,
        }
    }
}

impl TreeWords {
    /// The words of the texts that `text` gives of some files.
    pub fn of<'f, F: Sync>(
        files: &'f [F],
        text: impl Fn(&'f F) -> Option<Cow<'f, [u8]>> + Sync,
    ) -> Self {
        Self::index(FoundWords::of(files, text))
    }

    /// The index of words that were found.
    pub fn index(words: FoundWords) -> Self {
        let vocabulary = words.vocabulary.into_text();
        let file_bits = words.file_bits;
        let (trigrams, mut index) = rayon::join(
            || TrigramIndex::of(&vocabulary, BETWEEN),
            || Self::files_of_words(file_bits, words.of_files),
        );
        index.trigrams = trigrams;
        index.vocabulary = vocabulary;
        index
    }

    /// The index without the texts of the words.
    fn files_of_words(file_bits: u32, of_files: Vec<Box<[u64]>>) -> Self {
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
            vocabulary: Vec::new(),
            trigrams: TrigramIndex::default(),
            containing: (0..ANSWERS).map(|_| OnceLock::new()).collect(),
        };
        let mut before = 0;
        for both in found {
            let number = both >> file_bits;
            if index.numbers.last() != Some(&number) {
                index.numbers.push(number);
                index.starts.push(index.files.len() as u32);
                before = 0;
            }
            let file = (both ^ number << file_bits) as u32;
            push_gap(&mut index.files, file - before);
            before = file;
        }
        index.starts.push(index.files.len() as u32);
        index.files.shrink_to_fit();
        index.numbers.shrink_to_fit();
        index.starts.shrink_to_fit();
        index
    }

    /// The files that a word stands in by itself, in order.
    pub fn files_with(&self, word: &[u8]) -> impl Iterator<Item = u32> + use<'_> {
        let number = number(word) << self.file_bits >> self.file_bits;
        let found = self.numbers.binary_search(&number).ok();
        let files = found.and_then(|at| {
            let (start, end) = (*self.starts.get(at)?, *self.starts.get(at + 1)?);
            self.files.get(start as usize..end as usize)
        });
        let mut gaps = files.unwrap_or_default().iter();
        let mut file = 0;
        std::iter::from_fn(move || {
            file += next_gap(&mut gaps)?;
            Some(file)
        })
    }

    /// Whether a file may contain a text: each word of the text stands in the file, by itself or as a part of another one.
    /// Of words with one or two letters nothing is known: they are parts of too many others.
    pub fn may_contain(&self, file: u32, text: &[u8]) -> bool {
        let mut parts = words(text).filter(|part| part.len() >= LEAST);
        parts.all(|part| self.files_containing(part).has(file))
    }

    /// Whether [`Self::may_contain`] is exact for a text of letters alone.
    pub fn knows_part(part: &[u8]) -> bool {
        part.len() >= LEAST && part.iter().copied().all(is_part_of_word)
    }

    /// The files that may contain a text, in order. Only the first and the last of its words may be parts of longer ones.
    pub fn files_that_may_contain(&self, text: &[u8]) -> Vec<u32> {
        let goes_on = |end: Option<&u8>| end.copied().is_some_and(is_part_of_word);
        let parts: Vec<&[u8]> = words(text).collect();
        let is_open = |at: usize| {
            at == 0 && goes_on(text.first()) || at + 1 == parts.len() && goes_on(text.last())
        };
        let files = parts.iter().enumerate().map(|(at, part)| {
            if is_open(at) {
                self.files_containing(part)
            } else {
                Cow::Owned(self.set_of(self.files_with(part)))
            }
        });
        let files: Vec<Cow<'_, FileSet>> = files.collect();
        let all = 0..1 << self.file_bits;
        all.filter(|&file| files.iter().all(|files| files.has(file)))
            .collect()
    }

    /// Files as a set.
    fn set_of(&self, files: impl Iterator<Item = u32>) -> FileSet {
        let mut bits = vec![0; (1 << self.file_bits) / 64 + 1];
        for file in files {
            if let Some(some) = bits.get_mut(file as usize / 64) {
                *some |= 1 << (file % 64);
            }
        }
        FileSet::of(bits)
    }

    /// The files with a word that a part of a word stands in.
    fn files_containing(&self, part: &[u8]) -> Cow<'_, FileSet> {
        let number = number(part) as usize;
        for place in (number..).take(PLACES) {
            let Some(answer) = self.containing.get(place % ANSWERS) else {
                break;
            };
            let answer = answer.get_or_init(|| Answer {
                part: part.into(),
                files: self.search(part),
            });
            if *answer.part == *part {
                return Cow::Borrowed(&answer.files);
            }
        }
        Cow::Owned(self.search(part))
    }

    fn search(&self, part: &[u8]) -> FileSet {
        let finder = memmem::Finder::new(part);
        let stretches = self.trigrams.stretches_with(part);
        let files = stretches.flat_map(|stretch| {
            let words = self.vocabulary.get(stretch).unwrap_or_default();
            words_with(words, &finder).flat_map(|word| self.files_with(word))
        });
        self.set_of(files)
    }
}

/// The words with a part, of words that stand between line ends.
fn words_with<'w>(words: &'w [u8], part: &memmem::Finder<'_>) -> impl Iterator<Item = &'w [u8]> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let next = part.find(words.get(at..)?)?;
        let (front, rest) = words.split_at(at + next);
        let start = memchr::memrchr(BETWEEN, front).map_or(0, |line_end| line_end + 1);
        at += next + memchr::memchr(BETWEEN, rest).unwrap_or(rest.len());
        words.get(start..at)
    })
}

/// The words of a file, each once, as numbers of a word and the file.
fn words_of_file(text: &[u8], file: u64, file_bits: u32, vocabulary: &Vocabulary) -> Box<[u64]> {
    // About as many as a module has.
    let mut seen = FxHashSet::with_capacity_and_hasher(text.len() / 64, FxBuildHasher);
    // Most words stood there a moment ago.
    let mut latest = [0; LATEST];
    for word in words(text) {
        let both = number(word) << file_bits | file;
        let number = both >> file_bits;
        let slot = latest.get_mut(number as usize % LATEST);
        let is_new = slot.is_none_or(|slot| std::mem::replace(slot, both) != both);
        if is_new && seen.insert(both) {
            vocabulary.add(number, word);
        }
    }
    seen.into_iter().collect()
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
        let texts: [Option<&[u8]>; 4] = [
            Some(b"aaa.bbb(aaa)"),
            None,
            Some(b"aaabbb bbb_c"),
            Some(b"bbb d"),
        ];
        let index = TreeWords::of(&texts, |text| text.map(Cow::Borrowed));
        for (word, files) in [
            ("aaa", &[0][..]),
            ("bbb", &[0, 3]),
            ("aaabbb", &[2]),
            ("bbb_c", &[2]),
            ("c", &[]),
            ("d", &[3]),
            ("", &[]),
        ] {
            let found: Vec<u32> = index.files_with(word.as_bytes()).collect();
            assert_eq!(found, files, "{word}");
        }
        assert_eq!(TreeWords::default().files_with(b"a").next(), None);
        for (text, files) in [
            ("bbb", &[0, 2, 3][..]),
            ("bbb_", &[2]),
            ("aaa.bbb", &[0, 2]),
            ("", &[0, 1, 2, 3]),
            ("d", &[0, 1, 2, 3]),
            ("bbbb", &[]),
        ] {
            let found: Vec<u32> = (0..4)
                .filter(|&file| index.may_contain(file, text.as_bytes()))
                .collect();
            assert_eq!(found, files, "{text}");
        }
        for (text, files) in [
            ("bbb", &[0, 2, 3][..]),
            (".bbb(", &[0, 3]),
            ("a.bbb(", &[0]),
            (".bbb", &[0, 2, 3]),
        ] {
            assert_eq!(
                index.files_that_may_contain(text.as_bytes()),
                files,
                "{text}"
            );
        }
    }
}
