//! How what the program keeps in an output is compressed: in blocks of LZ4, since a port compresses each text that it writes,
//! and DEFLATE took a tenth of a port of C++ for that.

use lz4_flex::block::{compress_prepend_size, decompress, uncompressed_size};

/// The bytes, compressed, behind their length.
pub fn compress(bytes: &[u8]) -> Vec<u8> {
    compress_prepend_size(bytes)
}

/// The bytes that were compressed; `None` where they are damaged, or more than `limit`.
pub fn decompressed(packed: &[u8], limit: usize) -> Option<Vec<u8>> {
    let (size, block) = uncompressed_size(packed).ok()?;
    let whole = (size <= limit).then(|| decompress(block, size).ok())??;
    (whole.len() == size).then_some(whole)
}
