//! A file of the cache: one thing, as bytes that only the same program takes back.

use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::commands::stored::Envelope;
use crate::emit::{self, EmitError};

/// A file of the cache.
#[derive(Clone, Copy, Debug)]
pub(super) struct CacheFile {
    /// What it is called.
    name: &'static str,
    envelope: Envelope,
}

impl CacheFile {
    /// A file of this name, with what its first line calls it.
    pub(super) const fn new(name: &'static str, kind: &'static str) -> Self {
        Self {
            name,
            envelope: Envelope {
                kind,
                program: emit::PROGRAM,
            },
        }
    }

    /// What is in that of an output; `None` where nothing sound is there.
    pub(super) fn read<T: DeserializeOwned>(self, output: &Path) -> Option<T> {
        let bytes = emit::cached(output, self.name)?;
        self.envelope.read(&bytes).ok()
    }

    /// Leave a thing in an output.
    pub(super) fn write<T: Serialize>(self, output: &Path, thing: &T) -> Result<(), EmitError> {
        match self.envelope.bytes(thing) {
            Some(bytes) => emit::cache(output, self.name, &bytes),
            None => Ok(()),
        }
    }
}
