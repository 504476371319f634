//! The journal of a run: all changes that it is about to make, written down before the first one.
//!
//! From the journal the next run tells which files of an unfinished one are new already and which
//! are old: each is one or the other, because it was put in place by a rename.
//!
//! Architecture invariant: a journal lies in the folder that this program keeps for this user, under a name
//! made of the output's path, and never in the output: nobody who hands over a tree can hand over a journal.
//! The journal is compared with the output all the same before anything is moved.

use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::manifest::{Manifest, ManifestEntry, PENDING, SCHEMA_VERSION};
use super::path_text::PathText;
use super::staging::Staging;
use super::{EmitError, sync};
use crate::diagnostic::Finding;
use crate::diagnostic::codes::project::FOREIGN_JOURNAL;
use crate::files::{Folder, OwnState};
use crate::mapping::safety;

/// The kind of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum RunKind {
    /// The update of an output that has a manifest: the next run makes the rest anew from the input.
    Update,
    /// A port in the input's own place: the next run puts the rest in place from what is staged, because
    /// the input is no longer what it was.
    InPlace,
}

/// The changes of a run.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Journal {
    schema_version: u32,
    /// The output's root.
    output: PathText,
    /// The kind of the run.
    pub(super) kind: RunKind,
    /// The files that are put in place, as they will be. The staged file of the first is called
    /// `0`, that of the second `1`.
    pub(super) puts: Vec<PutFile>,
    /// The files that are removed, as they are.
    pub(super) removes: Vec<ManifestEntry>,
    /// The files that only get another mode, as they will be.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) modes: Vec<ManifestEntry>,
    /// The manifest that the run leaves behind; none in the input's own place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) manifest: Option<Manifest>,
}

/// One file that is put in place.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct PutFile {
    /// The file that the run puts there.
    pub(super) new: ManifestEntry,
    /// The file that is there now; `None` if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) old: Option<ManifestEntry>,
    /// The file of another name that it comes from, and that goes once this one is there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) from: Option<ManifestEntry>,
}

impl Journal {
    /// A journal of these changes.
    pub(super) fn new(
        root: &Path,
        kind: RunKind,
        puts: Vec<PutFile>,
        removes: Vec<ManifestEntry>,
    ) -> Self {
        Self {
            schema_version: SCHEMA_VERSION,
            output: root.into(),
            kind,
            puts,
            removes,
            modes: Vec::new(),
            manifest: None,
        }
    }

    /// A folder for what a run into `root` makes before it writes its journal, empty.
    ///
    /// # Errors
    /// [`EmitError::Busy`] while another run is at work there, or where one was cut short that
    /// nobody has completed since; else those of [`Staging::inside`].
    pub(super) fn begin(root: Folder) -> Result<Staging, EmitError> {
        let mut staging = Staging::inside(root)?;
        let output = staging.root().path().to_owned();
        if is_unfinished(&output) {
            // Whoever completes that run needs what it made.
            staging.keep();
            return Err(EmitError::Busy(output));
        }
        staging.clear()?;
        Ok(staging)
    }

    /// Write it, once all that it speaks of is on the disk. From then on the staging folder stays
    /// until the run is done.
    ///
    /// # Errors
    /// What the system says, as an error before anything was written.
    pub(super) fn open(&self, staging: &mut Staging) -> Result<(), EmitError> {
        let output = staging.root().path().to_owned();
        staging.keep();
        let written = self.write(staging, &output);
        if written.is_err() && Self::close(&output).is_ok() {
            staging.forget();
        }
        written
    }

    fn write(&self, staging: &Staging, output: &Path) -> Result<(), EmitError> {
        sync::folder(staging.folder(), Path::new("")).map_err(EmitError::early(output))?;
        // Strings and numbers always serialize.
        let mut bytes = serde_json::to_vec(self).unwrap_or_default();
        bytes.push(b'\n');
        let state = OwnState::open().map_err(EmitError::State)?;
        state.write(&name(output), &bytes).map_err(EmitError::State)
    }

    /// The journal of a run that was cut short; `None` where there was none.
    ///
    /// # Errors
    /// [`EmitError::Manifest`] for one that can't be read.
    pub(super) fn read(output: &Path) -> Result<Option<Self>, EmitError> {
        // Where nothing can be kept, nothing was.
        let Ok(state) = OwnState::open() else {
            return Ok(None);
        };
        let name = name(output);
        let fault = |message: String| EmitError::Journal {
            path: state.path(&name),
            message,
        };
        let bytes = match state.read(&name, safety::BYTES_JOURNAL) {
            Ok(Some(bytes)) => bytes,
            Ok(None) => return Ok(None),
            Err(error) => return Err(fault(error.to_string())),
        };
        let journal: Self =
            serde_json::from_slice(&bytes).map_err(|error| fault(error.to_string()))?;
        if journal.schema_version != SCHEMA_VERSION {
            return Err(fault(format!(
                "its schema is version {}, and this program knows {SCHEMA_VERSION}",
                journal.schema_version
            )));
        }
        if journal.output != output.into() || !journal.rows().all(ManifestEntry::is_sound) {
            return Err(fault("it is not of this output".to_owned()));
        }
        Ok(Some(journal))
    }

    /// All that it tells of files.
    fn rows(&self) -> impl Iterator<Item = &ManifestEntry> {
        let puts = self.puts.iter();
        let puts = puts.flat_map(|put| {
            [Some(&put.new), put.old.as_ref(), put.from.as_ref()]
                .into_iter()
                .flatten()
        });
        let manifest = self.manifest.iter().flat_map(|manifest| &manifest.files);
        puts.chain(&self.removes).chain(&self.modes).chain(manifest)
    }

    /// The run is done, or what it left undone is known: nothing is pending.
    ///
    /// # Errors
    /// What the system says.
    pub(super) fn close(output: &Path) -> std::io::Result<()> {
        OwnState::open()?.remove(&name(output))
    }
}

/// The name of the journal of an output.
fn name(output: &Path) -> String {
    let hash = blake3::hash(output.as_os_str().as_bytes());
    format!("journal-{}.json", hash.to_hex())
}

/// Whether a run into `output` was cut short, and no run has completed it since.
pub fn is_unfinished(output: &Path) -> bool {
    let found = OwnState::open().and_then(|state| state.read(&name(output), safety::BYTES_JOURNAL));
    !matches!(found, Ok(None) | Err(_))
}

/// A finding about a journal that lies in an output. This program writes none there, so it came with the tree,
/// or from an older version.
pub(super) fn foreign(root: &Folder) -> Option<Finding> {
    root.has(Path::new(PENDING)).then(|| {
        Finding::whole(
            FOREIGN_JOURNAL,
            PENDING,
            "a journal lies in the tree; it was not read, because a journal of yours never lies there".to_owned(),
        )
        .help("remove it; where it came with the tree, look at what it was meant to do")
    })
}
