//! The translations of the last port, as the next one finds them.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::file::CacheFile;
use crate::commands::stored::StoredTranslation;
use crate::emit::EmitError;
use crate::project::digest::Digest;
use crate::project::python::Question;

const FILE: CacheFile = CacheFile::new("translations", "torchada translations");

/// The translations of a port.
#[derive(Clone, Default, Debug, Serialize, Deserialize)]
pub(super) struct Kept {
    /// What they were made with.
    pub(super) identity: [u8; 32],
    /// Of the modules of Python.
    pub(super) modules: Digest,
    /// The files of the tree, in its order.
    pub(super) files: Vec<KeptFile>,
    /// What was asked of modules of Python, with the answers. Files are told by their places here.
    pub(super) questions: Vec<(Question<usize>, Digest)>,
}

/// A file.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct KeptFile {
    pub(super) path: String,
    /// What became of it, if that is kept.
    pub(super) made: Option<KeptMade>,
}

/// What became of a file.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct KeptMade {
    /// Of all that its translation saw.
    pub(super) key: Digest,
    /// What it asked besides, as places in the list of questions.
    pub(super) asked: Vec<u32>,
    /// A [`StoredTranslation`]; nothing for a file that stays, with nothing to say of it.
    bytes: Vec<u8>,
}

impl KeptMade {
    pub(super) fn new(
        key: Digest,
        asked: Vec<u32>,
        made: Option<&StoredTranslation>,
    ) -> Option<Self> {
        let bytes = match made {
            Some(made) => postcard::to_stdvec(made).ok()?,
            None => Vec::new(),
        };
        Some(Self { key, asked, bytes })
    }

    /// The translation: `Ok(None)` for a file that stays.
    pub(super) fn stored(&self) -> Result<Option<StoredTranslation>, postcard::Error> {
        if self.bytes.is_empty() {
            return Ok(None);
        }
        postcard::from_bytes(&self.bytes).map(Some)
    }
}

impl Kept {
    /// Those of an output; `None` where nothing sound is there.
    pub(super) fn read(output: &Path) -> Option<Self> {
        FILE.read(output)
    }

    /// Leave them in an output.
    pub(super) fn write(&self, output: &Path) -> Result<(), EmitError> {
        FILE.write(output, self)
    }
}
