//! The facts that a run rests on: the file that the arguments or the configuration name.

use std::collections::BTreeMap;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::confine::ConfinedFile;
use super::{ConfigError, Origin, Set};
use crate::cli::SharedArgs;
use crate::files::{self, OwnState};
use crate::mapping::{FactTable, safety};

/// Which facts a run is to rest on.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum FactsChoice {
    /// Those of the SDK on this machine, where they are known.
    #[default]
    Automatic,
    /// None.
    Off,
    /// Those of a file, by its path as it is written.
    File(String),
}

/// The facts that a run rests on.
#[derive(Clone, Debug)]
pub struct FactsInUse {
    /// The file.
    pub path: PathBuf,
    /// The hash of its text.
    pub hash: blake3::Hash,
    /// Its rows.
    pub table: FactTable,
}

impl FactsInUse {
    /// What a manifest says of them: which facts decided, wherever they lay.
    pub(super) fn stamp(&self) -> String {
        let hash = self.hash.to_hex();
        format!("{}, {hash}", self.table.head().releases())
    }
}

/// The facts of a run: those of the arguments, else of the configuration.
///
/// # Errors
/// A file that can't be read, or that has a fault.
pub(super) fn resolve(
    args: &SharedArgs,
    configured: Option<Set<FactsChoice>>,
    source: &ConfinedFile<'_>,
) -> Result<Set<Option<FactsInUse>>, ConfigError> {
    if args.no_facts {
        return Ok(Set {
            value: None,
            origin: Origin::Argument,
        });
    }
    if let Some(path) = &args.facts {
        return Ok(Set {
            value: Some(named(path)?),
            origin: Origin::Argument,
        });
    }
    let Set { value, origin } = configured.unwrap_or_default();
    let value = match value {
        FactsChoice::Off | FactsChoice::Automatic => None,
        FactsChoice::File(path) => {
            let path = source.path("facts", &path, &origin)?;
            // What a tree names is read through no link; what the user names, as the user says.
            let read = if source.is_named {
                files::read_named
            } else {
                files::read
            };
            Some(open(&path, read(&path, safety::BYTES_TABLE))?)
        }
    };
    Ok(Set { value, origin })
}

/// The facts of a file that the user names on the command line.
///
/// # Errors
/// A file that can't be read, or that has a fault.
pub fn named(path: &Path) -> Result<FactsInUse, ConfigError> {
    open(path, files::read_named(path, safety::BYTES_TABLE))
}

fn open(path: &Path, bytes: io::Result<Vec<u8>>) -> Result<FactsInUse, ConfigError> {
    let unreadable = |source| ConfigError::Unreadable {
        path: path.to_owned(),
        source,
    };
    let bytes = bytes.map_err(unreadable)?;
    let hash = blake3::hash(&bytes);
    let table = table(path, bytes, hash)?;
    Ok(FactsInUse {
        path: path.to_owned(),
        hash,
        table,
    })
}

/// The rows of a facts file. A run keeps them until it ends, so the same text is opened once.
fn table(path: &Path, bytes: Vec<u8>, hash: blake3::Hash) -> Result<FactTable, ConfigError> {
    static OPENED: Mutex<BTreeMap<[u8; 32], FactTable>> = Mutex::new(BTreeMap::new());
    let mut opened = OPENED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(table) = opened.get(hash.as_bytes()) {
        return Ok(*table);
    }
    let state = OwnState::open().ok();
    let kept = state.as_ref().and_then(|state| kept(state, hash));
    let table = if let Some(table) = kept.and_then(FactTable::open) {
        table
    } else {
        let unreadable = |source| ConfigError::Unreadable {
            path: path.to_owned(),
            source,
        };
        let text = String::from_utf8(bytes);
        let text = text.map_err(|error| {
            unreadable(io::Error::new(ErrorKind::InvalidData, error.utf8_error()))
        })?;
        let image = FactTable::image(&super::display_path(path), &text)?;
        if let Some(state) = &state {
            keep(state, hash, &image);
        }
        FactTable::open(image).ok_or_else(|| unreadable(ErrorKind::InvalidData.into()))?
    };
    opened.insert(*hash.as_bytes(), table);
    Ok(table)
}

/// How many images are kept. A tree may name a facts file of its own, and must not fill the disk.
const KEPT: u8 = 8;

/// The file of the user's own state that keeps the image of a facts file with this hash.
fn place(hash: blake3::Hash) -> String {
    let [first, ..] = hash.as_bytes();
    format!("facts-{}.image", first % KEPT)
}

/// What an image begins with: the program that made it, and of what.
fn front(hash: blake3::Hash) -> Vec<u8> {
    let program = env!("TORCHADA_PROGRAM_HASH");
    format!("torchada facts, {program}, {}\n", hash.to_hex()).into_bytes()
}

/// The image that an earlier run kept; `None` where there is none that is whole.
fn kept(state: &OwnState, hash: blake3::Hash) -> Option<Vec<u8>> {
    let bytes = state.read(&place(hash), safety::BYTES_CACHE).ok()??;
    let rest = bytes.strip_prefix(&*front(hash))?;
    let (sum, image) = rest.split_first_chunk::<{ blake3::OUT_LEN }>()?;
    (blake3::hash(image).as_bytes() == sum).then(|| image.to_vec())
}

/// Keep an image for the next run. Where the state takes none, the next run reads the text again.
fn keep(state: &OwnState, hash: blake3::Hash, image: &[u8]) {
    let mut bytes = front(hash);
    bytes.extend(blake3::hash(image).as_bytes());
    bytes.extend(image);
    let _ = state.write(&place(hash), &bytes);
}
