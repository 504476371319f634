//! Sets and lists of files in little memory.

use std::slice;

/// Some files.
#[derive(Clone, Debug)]
pub(super) enum FileSet {
    /// Few files, sorted.
    Few(Box<[u32]>),
    /// A bit for each file.
    Many(Box<[u64]>),
}

impl FileSet {
    /// Files with a bit for each, in the smaller form.
    pub(super) fn of(bits: Vec<u64>) -> Self {
        let count: u32 = bits.iter().map(|some| some.count_ones()).sum();
        if count as usize > 2 * bits.len() {
            return Self::Many(bits.into());
        }
        let mut files = Vec::with_capacity(count as usize);
        for (at, mut some) in (0..).zip(bits) {
            while some != 0 {
                files.push(at * u64::BITS + some.trailing_zeros());
                some &= some - 1;
            }
        }
        Self::Few(files.into())
    }

    /// Whether a file is one of them.
    pub(super) fn has(&self, file: u32) -> bool {
        match self {
            Self::Few(files) => files.binary_search(&file).is_ok(),
            Self::Many(bits) => {
                let some = bits.get(file as usize / 64);
                some.is_some_and(|some| some >> (file % 64) & 1 == 1)
            }
        }
    }
}

/// Put a number behind others, the lowest seven bits first, with a mark on each byte that another one follows.
pub(super) fn push_gap(bytes: &mut Vec<u8>, mut gap: u32) {
    while gap > 0x7f {
        bytes.push(gap as u8 | 0x80);
        gap >>= 7;
    }
    bytes.push(gap as u8);
}

/// The next number; `None` behind the last one.
pub(super) fn next_gap(bytes: &mut slice::Iter<'_, u8>) -> Option<u32> {
    let (mut gap, mut bits) = (0, 0);
    loop {
        let byte = *bytes.next()?;
        gap |= u32::from(byte & 0x7f) << bits;
        if byte <= 0x7f {
            return Some(gap);
        }
        bits += 7;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_are_read_as_they_were_written() {
        let gaps = [0, 1, 0x7f, 0x80, 0x3fff, 0x4000, u32::MAX];
        let mut bytes = Vec::new();
        for gap in gaps {
            push_gap(&mut bytes, gap);
        }
        let mut rest = bytes.iter();
        let read: Vec<u32> = std::iter::from_fn(|| next_gap(&mut rest)).collect();
        assert_eq!(read, gaps);
    }

    #[test]
    fn a_set_has_the_files_of_its_bits_in_both_forms() {
        for step in [1, 64 * 7] {
            let mut bits = vec![0_u64; 64];
            for file in (0..64 * 64).step_by(step) {
                bits[file / 64] |= 1 << (file % 64);
            }
            let set = FileSet::of(bits);
            assert_eq!(matches!(set, FileSet::Many(_)), step == 1);
            let all = 0..64 * 64;
            let has = |file: &u32| set.has(*file);
            let found: Vec<u32> = all.clone().filter(has).collect();
            assert_eq!(found, all.step_by(step).collect::<Vec<u32>>());
        }
    }
}
