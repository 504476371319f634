//! What stored things come in: a line that people can read, then a checked, compressed body.

use std::io::Read;

use serde::Serialize;
use serde::de::DeserializeOwned;
use thiserror::Error;

use crate::mapping::safety;

/// Above this, and the time goes into compressing.
const LEVEL: i32 = 3;

/// A kind of stored things.
#[derive(Clone, Copy, Debug)]
pub(in crate::commands) struct Envelope {
    /// What it is called in the first line.
    pub(in crate::commands) kind: &'static str,
    /// The program that made it: nobody else's can be read.
    pub(in crate::commands) program: &'static str,
}

/// Why stored bytes can't be used.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub(in crate::commands) enum Unusable {
    /// They are something else.
    #[error("it holds something else")]
    Foreign,
    /// Another program made them.
    #[error("it was made by {0}")]
    Program(String),
    /// They are not as they were written.
    #[error("it is damaged")]
    Damaged,
}

impl Envelope {
    /// The bytes of a thing; `None` where it can't be told in bytes.
    pub(in crate::commands) fn bytes<T: Serialize>(self, thing: &T) -> Option<Vec<u8>> {
        let plain = postcard::to_stdvec(thing).ok()?;
        let body = zstd::bulk::compress(&plain, LEVEL).ok()?;
        let mut bytes = format!("{} of {}\n", self.kind, self.program).into_bytes();
        // Git and others take what has a zero byte for no text.
        bytes.push(0);
        bytes.extend(blake3::hash(&plain).as_bytes());
        bytes.extend(body);
        Some(bytes)
    }

    /// The thing in some bytes.
    ///
    /// # Errors
    /// [`Unusable`].
    pub(in crate::commands) fn read<T: DeserializeOwned>(
        self,
        bytes: &[u8],
    ) -> Result<T, Unusable> {
        let front = format!("{} of ", self.kind);
        let rest = bytes
            .strip_prefix(front.as_bytes())
            .ok_or(Unusable::Foreign)?;
        let end = rest.iter().take(200).position(|&byte| byte == b'\n');
        let (program, rest) = rest.split_at(end.ok_or(Unusable::Damaged)?);
        if program != self.program.as_bytes() {
            let name = String::from_utf8_lossy(program).into_owned();
            return Err(Unusable::Program(name));
        }
        body(rest).ok_or(Unusable::Damaged)
    }
}

fn body<T: DeserializeOwned>(rest: &[u8]) -> Option<T> {
    let rest = rest.strip_prefix(b"\n\0")?;
    let (hash, body) = rest.split_first_chunk::<{ blake3::OUT_LEN }>()?;
    // What a body says of its own size is not believed.
    let mut plain = Vec::new();
    let limit = safety::BYTES_DECOMPRESSED;
    let body = zstd::stream::Decoder::new(body).ok()?;
    body.take(limit + 1).read_to_end(&mut plain).ok()?;
    if plain.len() as u64 > limit {
        return None;
    }
    if blake3::hash(&plain).as_bytes() != hash {
        return None;
    }
    postcard::from_bytes(&plain).ok()
}
