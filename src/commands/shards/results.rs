//! What a shard leaves.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::input::InputFile;
use crate::cli::Shard;
use crate::commands::stored::{Envelope, Identity, StoredTranslation, Unusable};
use crate::emit;

const ENVELOPE: Envelope = Envelope {
    kind: "torchada shard",
    program: emit::PROGRAM,
};

/// What the names of such files begin and end with: no input has them.
const FRONT: &str = "shard-";
const ENDING: &str = ".torchada";

/// The results of a shard.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct ShardResults {
    /// Which it is, counted from 1.
    pub(super) number: u32,
    /// How many there are.
    pub(super) of: u32,
    /// What it was made with.
    pub(super) identity: Identity,
    /// What it was made of.
    pub(super) inputs: Vec<InputFile>,
    /// What became of its files, in their order.
    pub(super) translations: Vec<StoredTranslation>,
}

impl ShardResults {
    /// The bytes of the file.
    pub(super) fn bytes(&self) -> Option<Vec<u8>> {
        ENVELOPE.bytes(self)
    }

    /// What such bytes say.
    ///
    /// # Errors
    /// [`Unusable`].
    pub(super) fn read(bytes: &[u8]) -> Result<Self, Unusable> {
        ENVELOPE.read(bytes)
    }
}

/// What the file of a shard is called.
pub(super) fn file_name(shard: Shard) -> String {
    format!("{FRONT}{}-of-{}{ENDING}", shard.number(), shard.of())
}

/// Whether a file is called so.
pub(super) fn is_named_so(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str());
    name.is_some_and(|name| name.starts_with(FRONT) && name.ends_with(ENDING))
}
