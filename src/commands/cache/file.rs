//! The file that the cache of an output is: a line that people can read, then a checked, compressed body.

use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::emit::{self, Compressor, EmitError};
use crate::mapping::safety;

/// What the file is called.
const NAME: &str = "last";

/// The first line: only the same program reads the file again.
fn first_line() -> String {
    format!("torchada cache of {}\n", emit::PROGRAM)
}

/// What is in the file of an output; `None` where nothing sound is there.
pub(super) fn read<T: DeserializeOwned>(output: &Path) -> Option<T> {
    decode(&emit::cached(output, NAME)?)
}

/// Leave a value in the file of an output.
///
/// # Errors
/// Where the output takes no such file.
pub(super) fn write<T: Serialize>(output: &Path, value: &T) -> Result<(), EmitError> {
    match encode(value) {
        Some(bytes) => emit::cache(output, NAME, &bytes),
        None => Ok(()),
    }
}

fn encode<T: Serialize>(value: &T) -> Option<Vec<u8>> {
    let mut head = first_line().into_bytes();
    // Git and others take what has a zero byte for no text.
    head.push(0);
    let place = head.len();
    let behind = place + blake3::OUT_LEN;
    head.resize(behind, 0);
    let compressor = Compressor::behind(head);
    let (hash, mut bytes) = postcard::to_io(value, compressor).ok()?.finish();
    bytes
        .get_mut(place..behind)?
        .copy_from_slice(hash.as_bytes());
    Some(bytes)
}

fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Option<T> {
    let body = bytes.strip_prefix(first_line().as_bytes())?;
    let (hash, body) = body
        .strip_prefix(b"\0")?
        .split_first_chunk::<{ blake3::OUT_LEN }>()?;
    let limit = usize::try_from(safety::BYTES_DECOMPRESSED).ok()?;
    let plain = emit::decompressed(body, limit)?;
    if blake3::hash(&plain).as_bytes() != hash {
        return None;
    }
    postcard::from_bytes(&plain).ok()
}
