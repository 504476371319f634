//! The facts that a run rests on: the file that the arguments or the configuration name, else that of the SDK on this
//! machine.

use std::collections::BTreeMap;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::confine::ConfinedFile;
use super::{ConfigError, Origin, Set};
use crate::cli::SharedArgs;
use crate::files::{self, OwnState};
use crate::machine::Environment;
use crate::machine::sdk::{self, Sdk};
use crate::mapping::{FactTable, Facts, Version, Versions, safety};

/// Which facts a run is to rest on.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum FactsChoice {
    /// The facts of the SDK on this machine, where they are known.
    #[default]
    Automatic,
    /// No facts.
    Off,
    /// The facts of a file, by its path as it is written.
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

/// The facts of a run: those of the arguments, else of the configuration, else those that are known of the SDK on this
/// machine.
///
/// # Errors
/// A file that can't be read, or that has a fault.
pub(super) fn resolve(
    args: &SharedArgs,
    configured: Option<Set<FactsChoice>>,
    source: &ConfinedFile<'_>,
    environment: &Environment,
) -> Result<Set<Option<FactsInUse>>, ConfigError> {
    if args.no_facts || args.facts.is_some() {
        return of_arguments(args.facts.as_deref(), args.no_facts, environment);
    }
    let Set { value, origin } = configured.unwrap_or_default();
    let value = match value {
        FactsChoice::Automatic => return Ok(of_machine(environment)),
        FactsChoice::Off => None,
        FactsChoice::File(path) => {
            let path = source.path("facts", &path, &origin)?;
            // What a tree names is read through no link; what the user names, as the user says.
            let read = if source.is_named {
                files::read_named
            } else {
                files::read
            };
            let opened = open(&path, read(&path, safety::BYTES_TABLE));
            Some(opened.map_err(|error| error.named_by("facts", &origin))?)
        }
    };
    Ok(Set { value, origin })
}

/// The facts that the command line asks for, without a configuration: those of a file, none, or those that are known of
/// the SDK on this machine.
///
/// # Errors
/// A file that can't be read, or that has a fault.
pub fn of_arguments(
    file: Option<&Path>,
    none: bool,
    environment: &Environment,
) -> Result<Set<Option<FactsInUse>>, ConfigError> {
    let value = match file {
        _ if none => None,
        Some(path) => Some(open(path, files::read_named(path, safety::BYTES_TABLE))?),
        None => return Ok(of_machine(environment)),
    };
    Ok(Set {
        value,
        origin: Origin::Argument,
    })
}

/// The facts that were learned of the SDK on this machine, as it is now.
fn of_machine(environment: &Environment) -> Set<Option<FactsInUse>> {
    let Ok(sdk) = sdk::find(None, environment) else {
        return Set::default();
    };
    match of_sdk(&sdk) {
        Ok(Some(facts)) => {
            let place = format!("learned of {}", super::display_path(&sdk.root));
            Set {
                value: Some(facts),
                origin: Origin::Machine(place),
            }
        }
        Ok(None) | Err(_) => Set::default(),
    }
}

/// The facts that `learn` kept of an SDK, as it is now; `None` where it kept none, or kept them of another state of the
/// SDK. Looking for them leaves nothing behind.
///
/// # Errors
/// Folders that can't be read, and a file with a fault, as one of another form of facts has.
pub fn of_sdk(sdk: &Sdk) -> Result<Option<FactsInUse>, ConfigError> {
    let unreadable = |path: &Path, source| ConfigError::Unreadable {
        path: path.to_owned(),
        source,
    };
    let listing = sdk::listing_digest(sdk).map_err(|error| unreadable(&sdk.root, error))?;
    let Ok(Some(state)) = OwnState::open_known() else {
        return Ok(None);
    };
    let name = Facts::kept_as(&listing);
    let path = state.path(&name);
    let bytes = state.read(&name, safety::BYTES_TABLE);
    let Some(bytes) = bytes.map_err(|error| unreadable(&path, error))? else {
        return Ok(None);
    };
    let facts = open(&path, Ok(bytes))?;
    Ok((facts.table.head().listing.as_ref() == Some(&listing)).then_some(facts))
}

/// What speaks against these facts: they are of another SDK, of another `torch_musa` or of other GPUs than the port
/// is for, or there are none of the SDK that is on this machine. Each is a sentence.
pub(super) fn doubts(
    facts: &Set<Option<FactsInUse>>,
    versions: &Versions,
    targets: &[String],
    environment: &Environment,
) -> Vec<String> {
    let Some(used) = &facts.value else {
        // A user who turned facts off knows that none are used, and needs no warning.
        let is_asked = facts.origin == Origin::Default;
        let sdk = sdk::find(None, environment).ok().filter(|_| is_asked);
        let doubt = sdk.map(|sdk| {
            let sdk = super::display_path(&sdk.root);
            format!("no facts are known of the SDK in {sdk} as it is now, so the tables alone decide: run `torchada learn`")
        });
        return doubt.into_iter().collect();
    };
    let head = used.table.head();
    let file = super::display_path(&used.path);
    let mut doubts = Vec::new();
    let mut compare = |of: &str, learned: Option<&String>, other: &Version, whose: &str| {
        let learned: Option<Version> = learned.and_then(|release| release.parse().ok());
        if let Some(learned) = learned.filter(|learned| learned != other) {
            doubts.push(format!(
                "{file} has the facts of {of} {learned}, and {whose} {other}"
            ));
        }
    };
    if let Some(sdk) = &versions.sdk {
        compare("MUSA SDK", head.sdk.as_ref(), sdk, "the port is for");
    } else if !matches!(facts.origin, Origin::Machine(_))
        && let Ok(sdk) = sdk::find(None, environment)
        && let Some(version) = sdk.sure_version()
    {
        let whose = format!("{} is", super::display_path(&sdk.root));
        compare("MUSA SDK", head.sdk.as_ref(), version, &whose);
    }
    if let Some(release) = &versions.torch_musa {
        compare(
            "torch_musa",
            head.torch_musa.as_ref(),
            release,
            "the port is for",
        );
    }
    let known = &head.architectures;
    for target in targets.iter().filter(|target| !known.contains(target)) {
        if !known.is_empty() {
            let known = known.join(", ");
            doubts.push(format!(
                "the port is for {target}, and the compiler that {file} speaks of knows {known} only"
            ));
        }
    }
    doubts
}

/// The facts of a file that was just written. The next run finds their image.
///
/// # Errors
/// A fault of the text.
pub fn of_text(path: &Path, text: String) -> Result<FactsInUse, ConfigError> {
    open(path, Ok(text.into_bytes()))
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
    let state = OwnState::open_known().ok().flatten();
    let kept = state.and_then(|state| stored_image(&state, hash));
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
        if let Ok(state) = OwnState::open() {
            keep(&state, hash, &image);
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
fn stored_image(state: &OwnState, hash: blake3::Hash) -> Option<Vec<u8>> {
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
