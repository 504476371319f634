//! What is surely not in a text, known without reading it again.

use memchr::memmem;

/// How many letters are looked at together.
const GRAM: usize = 4;

/// The most bits that are kept, as a power of two: 8 kB.
const MOST: u32 = 16;

/// A bit for each run of four bytes that a text has, so that most words that it does not have need
/// no search.
#[derive(Debug)]
pub struct Grams {
    bits: Vec<u64>,
    size: u32,
}

fn slot(gram: &[u8], size: u32) -> Option<usize> {
    let number = u32::from_le_bytes(gram.try_into().ok()?);
    usize::try_from(number.wrapping_mul(0x9E37_79B1) >> (32 - size)).ok()
}

impl Grams {
    /// Read a text.
    pub fn new(text: &[u8]) -> Self {
        // A few bits for each byte; a text that fills all of them is searched as before.
        let size = text.len().saturating_mul(4).checked_ilog2().unwrap_or(0);
        let size = size.clamp(6, MOST);
        let mut bits = vec![0_u64; 1 << (size - 6)];
        for gram in text.windows(GRAM) {
            if let Some(at) = slot(gram, size)
                && let Some(word) = bits.get_mut(at / 64)
            {
                *word |= 1 << (at % 64);
            }
        }
        Self { bits, size }
    }

    /// Whether a word stands somewhere in `text`, which is what this was made of.
    pub fn contain(&self, text: &[u8], word: &[u8]) -> bool {
        let may_have = |gram: &[u8]| {
            slot(gram, self.size).is_none_or(|at| {
                let bits = self.bits.get(at / 64).copied().unwrap_or(u64::MAX);
                bits >> (at % 64) & 1 == 1
            })
        };
        word.windows(GRAM).all(may_have) && memmem::find(text, word).is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::Grams;

    #[test]
    fn a_word_is_found_wherever_it_stands() {
        let text = b"import torch\nx = torch.cuda.device_count()\n";
        let grams = Grams::new(text);
        for start in 0..text.len() {
            for end in start..text.len() {
                assert!(grams.contain(text, &text[start..end]), "{start}..{end}");
            }
        }
        for absent in [
            "musa",
            "cud\u{e9}",
            "cuda.cuda",
            "xy",
            "torch.cuda.device_count()\n\n",
        ] {
            assert!(!grams.contain(text, absent.as_bytes()), "{absent}");
        }
        let empty = Grams::new(b"");
        assert!(!empty.contain(b"", b"a") && empty.contain(b"", b""));
    }
}
