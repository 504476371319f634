//! Compression of what the program keeps in an output, in blocks of LZ4: a port compresses each text that it writes, and
//! DEFLATE took a tenth of a port of C++ for that.

use std::io::{self, Write};

use blake3::{Hash, Hasher};
use lz4_flex::block::{compress_prepend_size, decompress, uncompressed_size};

/// How many bytes one block has before it is compressed. The compressor needs as many again for its result.
const BLOCK: usize = 1 << 20;

/// The bytes, compressed: of each block its length in four bytes, the lowest first, and the block behind its own length.
pub fn compress(bytes: &[u8]) -> Vec<u8> {
    let mut packed = Vec::new();
    pack(bytes, &mut packed);
    packed
}

fn pack(bytes: &[u8], packed: &mut Vec<u8>) {
    for block in bytes.chunks(BLOCK) {
        let block = compress_prepend_size(block);
        packed.extend((block.len() as u32).to_le_bytes());
        packed.extend(block);
    }
}

/// Compresses the bytes that are written to it block by block, so that they are never in memory as a whole.
#[derive(Default)]
pub struct Compressor {
    waiting: Vec<u8>,
    packed: Vec<u8>,
    hasher: Hasher,
}

impl Compressor {
    /// What puts the compressed bytes behind others.
    pub fn behind(head: Vec<u8>) -> Self {
        Self {
            packed: head,
            ..Self::default()
        }
    }

    /// The hash of all that was written, and the bytes as [`compress`] gives them.
    pub fn finish(mut self) -> (Hash, Vec<u8>) {
        self.pack_waiting();
        (self.hasher.finalize(), self.packed)
    }

    fn pack_waiting(&mut self) {
        self.hasher.update(&self.waiting);
        pack(&self.waiting, &mut self.packed);
        self.waiting.clear();
    }
}

impl Write for Compressor {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let room = BLOCK - self.waiting.len();
        let bytes = bytes.get(..room).unwrap_or(bytes);
        self.waiting.extend_from_slice(bytes);
        if self.waiting.len() == BLOCK {
            self.pack_waiting();
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The bytes that were compressed; `None` where they are damaged, or more than `limit`.
pub fn decompressed(mut packed: &[u8], limit: usize) -> Option<Vec<u8>> {
    let mut whole = Vec::new();
    while !packed.is_empty() {
        let (length, rest) = packed.split_first_chunk()?;
        let (block, behind) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
        packed = behind;
        let (size, block) = uncompressed_size(block).ok()?;
        let fits = size <= BLOCK && whole.len() + size <= limit;
        let block = fits.then(|| decompress(block, size).ok())??;
        whole.extend((block.len() == size).then_some(block)?);
    }
    Some(whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_compressed_comes_back_and_nothing_larger_or_damaged() {
        let text: Vec<u8> = (0..3 * BLOCK).map(|at| (at / 7 % 251) as u8).collect();
        for bytes in [&text[..], b"one", b""] {
            let packed = compress(bytes);
            let mut compressor = Compressor::default();
            for part in bytes.chunks(BLOCK / 3 + 1) {
                compressor.write_all(part).expect("taken");
            }
            let (hash, parts) = compressor.finish();
            assert_eq!(hash, blake3::hash(bytes));
            assert_eq!(parts, packed);
            assert!(packed.len() < bytes.len() / 10 + 16);
            assert_eq!(decompressed(&packed, bytes.len()).as_deref(), Some(bytes));
            let less = bytes.len().checked_sub(1);
            assert!(less.is_none_or(|less| decompressed(&packed, less).is_none()));
        }
        let packed = compress(b"one");
        assert_eq!(decompressed(&packed[..packed.len() - 1], 3), None);
    }
}
