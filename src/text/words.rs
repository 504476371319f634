//! The words of a text, found eight bytes at a time.

/// How many bytes are looked at before words are taken from them.
const BLOCK: usize = 64;

/// The highest bit of each of eight bytes.
const HIGH: u64 = repeated(0x80);

/// The words of a text, in order.
pub fn words(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    Words {
        text,
        block: 0,
        mask: 0,
        behind: 0,
    }
}

struct Words<'t> {
    text: &'t [u8],
    /// Where the bytes start that are looked at.
    block: usize,
    /// A bit for each of these bytes that is a part of a word which was not taken yet.
    mask: u64,
    /// Where the next bytes start.
    behind: usize,
}

impl Words<'_> {
    /// Look at the next bytes. Returns whether there are any.
    fn advance(&mut self) -> bool {
        let rest = self.text.get(self.behind..).unwrap_or_default();
        let bytes = rest.get(..BLOCK).unwrap_or(rest);
        self.block = self.behind;
        self.behind += bytes.len();
        let eights = bytes.chunks(8).zip((0_u32..).step_by(8));
        self.mask = eights.fold(0, |mask, (eight, shift)| mask | parts(eight) << shift);
        !bytes.is_empty()
    }

    /// Take the run of set bits that starts at `from`. Returns where the run ends; `None` where it goes on in the next bytes.
    fn take_run(&mut self, from: u32) -> Option<usize> {
        let end = from + (!(self.mask >> from)).trailing_zeros();
        let rest = u64::MAX.checked_shl(end)?;
        self.mask &= rest;
        Some(self.block + end as usize)
    }
}

impl<'t> Iterator for Words<'t> {
    type Item = &'t [u8];

    fn next(&mut self) -> Option<&'t [u8]> {
        while self.mask == 0 {
            if !self.advance() {
                return None;
            }
        }
        let from = self.mask.trailing_zeros();
        let start = self.block + from as usize;
        let mut end = self.take_run(from);
        while end.is_none() {
            end = if self.advance() {
                self.take_run(0)
            } else {
                Some(self.text.len())
            };
        }
        self.text.get(start..end?)
    }
}

/// A bit for each of up to eight bytes that is a part of a word.
fn parts(bytes: &[u8]) -> u64 {
    let eight = <[u8; 8]>::try_from(bytes).unwrap_or_else(|_| {
        let mut eight = [0; 8];
        for (one, &byte) in eight.iter_mut().zip(bytes) {
            *one = byte;
        }
        eight
    });
    let all = u64::from_le_bytes(eight);
    let low = all & !HIGH;
    // The highest bit of each byte that is at least a number: no sum goes beyond its byte.
    let from = |bytes: u64, least: u8| bytes + repeated(0x80 - least);
    let is_within = |bytes, first: u8, last: u8| from(bytes, first) & !from(bytes, last + 1);
    let letters = is_within(low | repeated(0x20), b'a', b'z');
    let digits = is_within(low, b'0', b'9');
    let lines = is_within(low, b'_', b'_');
    let flags = (all | letters | digits | lines) & HIGH;
    // The flag of each byte goes to the bit of its place.
    (flags >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56
}

/// Eight times the same byte.
const fn repeated(byte: u8) -> u64 {
    u64::from_le_bytes([byte; 8])
}

/// Whether a byte is a part of a word.
#[inline]
pub fn is_part_of_word(byte: u8) -> bool {
    const PARTS: [bool; 256] = {
        let mut parts = [false; 256];
        let mut byte = 0;
        while byte < 256 {
            let one = byte as u8;
            parts[byte] = one.is_ascii_alphanumeric() || one == b'_' || !one.is_ascii();
            byte += 1;
        }
        parts
    };
    PARTS.get(usize::from(byte)).is_some_and(|&part| part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_what_stands_between_other_bytes() {
        // Each byte, in all places of a block, beside words that go on over the ends of blocks.
        let mut texts: Vec<Vec<u8>> = (0..=u8::MAX)
            .map(|byte| {
                (0..140)
                    .map(|at| if at % 11 == 3 { b'a' } else { byte })
                    .collect()
            })
            .collect();
        for length in [0, 1, 7, 8, 9, 63, 64, 65, 127, 128, 129, 200] {
            texts.push(vec![b'_'; length]);
            texts.push([vec![b' '; length], b"if x".to_vec(), vec![b'0'; length]].concat());
        }
        texts.push((0..=u8::MAX).cycle().take(1000).collect());
        for text in texts {
            let each = text.split(|&byte| !is_part_of_word(byte));
            let expected: Vec<&[u8]> = each.filter(|word| !word.is_empty()).collect();
            assert_eq!(words(&text).collect::<Vec<_>>(), expected);
        }
    }
}
