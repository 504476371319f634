//! An index of trigrams: in which stretches of a list of words a part of a word may stand, by each three of its bytes that follow
//! each other.

use std::ops::Range;

use torchada_parallel as parallel;

/// How many bytes of the list a stretch has, about.
const STRETCH: usize = 2048;

/// How many stretches have their bits in one number.
const TOGETHER: usize = u64::BITS as usize;

/// How many rows there are. A row stands for all trigrams with one hash.
const ROWS: usize = 1 << 12;

/// How many trigrams of a part of a word are looked up at most.
const LOOKED_UP: usize = 8;

/// For each stretch of a list of words its trigrams: the three bytes that follow each other somewhere in the stretch.
#[derive(Debug, Default)]
pub(super) struct TrigramIndex {
    blocks: Vec<Block>,
}

/// Some stretches that lie beside each other.
#[derive(Debug)]
struct Block {
    /// Where each stretch starts in the list, and where the last one ends.
    starts: Vec<usize>,
    /// For each row the stretches that have one of its trigrams, a bit for each stretch.
    rows: Box<[u64]>,
}

impl TrigramIndex {
    /// Look at a list of words with a byte between each two.
    pub(super) fn of(list: &[u8], between: u8) -> Self {
        let mut starts = vec![0];
        let mut start = 0;
        while start < list.len() {
            let rest = list.get(start + STRETCH..).unwrap_or_default();
            let end = memchr::memchr(between, rest);
            start = end.map_or(list.len(), |end| start + STRETCH + end);
            starts.push(start);
        }
        // Neighbours share a start.
        let firsts = (0..starts.len().saturating_sub(1)).step_by(TOGETHER);
        let blocks = firsts.map(|first| {
            let end = (first + TOGETHER + 1).min(starts.len());
            starts.get(first..end).unwrap_or_default().to_vec()
        });
        let blocks = parallel::map(blocks, |starts| {
            let mut rows = vec![0; ROWS];
            for (at, stretch) in stretches(&starts).enumerate() {
                for row in rows_of(list.get(stretch).unwrap_or_default()) {
                    if let Some(bits) = rows.get_mut(row) {
                        *bits |= 1 << at;
                    }
                }
            }
            Block {
                starts,
                rows: rows.into(),
            }
        });
        Self { blocks }
    }

    /// The stretches of the list in which a part of a word may stand, in order.
    pub(super) fn stretches_with(&self, part: &[u8]) -> impl Iterator<Item = Range<usize>> {
        let rows: Vec<usize> = rows_of(part).take(LOOKED_UP).collect();
        self.blocks.iter().flat_map(move |block| {
            let bits = rows.iter().filter_map(|&row| block.rows.get(row));
            let may_have = bits.fold(u64::MAX, |all, bits| all & bits);
            let stretches = stretches(&block.starts).enumerate();
            stretches.filter_map(move |(at, one)| (may_have >> at & 1 == 1).then_some(one))
        })
    }
}

fn stretches(starts: &[usize]) -> impl Iterator<Item = Range<usize>> {
    starts
        .iter()
        .zip(starts.iter().skip(1))
        .map(|(&start, &end)| start..end)
}

/// The rows of the trigrams of a text.
fn rows_of(text: &[u8]) -> impl Iterator<Item = usize> {
    text.windows(3).map(|trigram| {
        let number = trigram
            .iter()
            .fold(0, |number, &byte| number << 8 | u32::from(byte));
        // The upper bits of the product depend on all bytes.
        (number.wrapping_mul(0x9E37_79B1) >> (u32::BITS - ROWS.ilog2())) as usize
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_of_a_word_leads_to_each_stretch_that_has_it() {
        let words: Vec<String> = (0..40_000).map(|at| format!("word_{at}")).collect();
        let list = format!("\n{}\n", words.join("\n"));
        let trigrams = TrigramIndex::of(list.as_bytes(), b'\n');
        for part in ["word_39999", "d_1234", "rd", "d_9"] {
            let found: usize = trigrams
                .stretches_with(part.as_bytes())
                .map(|one| list[one].matches(part).count())
                .sum();
            assert_eq!(found, list.matches(part).count(), "{part}");
        }
        let few = trigrams.stretches_with(b"word_39999").count();
        assert!(few < 10, "{few} stretches are looked at for one word");
    }
}
