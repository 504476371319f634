//! What a run is about to change, written down before it changes anything.
//!
//! From the journal the next run tells which files of an unfinished one are new already and which
//! are old: each is one or the other, because it was put in place by a rename.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::manifest::{PENDING, SCHEMA_VERSION, Written};
use super::staging::{Staging, put_state};
use super::{EmitError, sync};

/// What kind of run it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Kind {
    /// Of an output that has a manifest: the next run makes the rest anew from the input.
    Update,
    /// In the input's own place: the next run puts the rest in place from what is staged, because
    /// the input is no longer what it was.
    InPlace,
}

/// The changes of a run.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Journal {
    schema_version: u32,
    /// What kind of run it is.
    pub(super) kind: Kind,
    /// The files that are put in place, as they will be. The staged file of the first is called
    /// `0`, that of the second `1`.
    pub(super) puts: Vec<Put>,
    /// The files that are removed, as they are.
    pub(super) removes: Vec<Written>,
    /// The files that only get another mode, as they will be.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) modes: Vec<Written>,
}

/// One file that is put in place.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Put {
    /// What will be there.
    pub(super) new: Written,
    /// What is there; `None` where nothing is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) old: Option<Written>,
    /// The file of another name that it comes from, and that goes once this one is there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) from: Option<Written>,
}

impl Journal {
    /// A journal of these changes.
    pub(super) fn new(kind: Kind, puts: Vec<Put>, removes: Vec<Written>) -> Self {
        Self {
            schema_version: SCHEMA_VERSION,
            kind,
            puts,
            removes,
            modes: Vec::new(),
        }
    }

    /// The same, with files that only get another mode.
    pub(super) fn with_modes(self, modes: Vec<Written>) -> Self {
        Self { modes, ..self }
    }

    /// A folder for what a run into `root` makes before it writes its journal, empty.
    ///
    /// # Errors
    /// [`EmitError::Busy`] while another run is at work there, or where one was cut short that
    /// nobody has completed since; else those of [`Staging::inside`].
    pub(super) fn begin(root: &Path) -> Result<Staging, EmitError> {
        let mut staging = Staging::inside(root)?;
        if is_unfinished(root) {
            // Whoever completes that run needs what it made.
            staging.keep();
            return Err(EmitError::Busy(root.to_owned()));
        }
        staging.clear()?;
        Ok(staging)
    }

    /// Write it, once all that it speaks of is on the disk. From then on the staging folder stays
    /// until the run is done.
    ///
    /// # Errors
    /// What the system says, as an error before anything was written.
    pub(super) fn open(&self, staging: &mut Staging, root: &Path) -> Result<(), EmitError> {
        staging.keep();
        let written = self.write(staging, root);
        if written.is_err() && Self::close(root).is_ok() {
            staging.forget();
        }
        written.map_err(|error| EmitError::early(root, error))
    }

    fn write(&self, staging: &Staging, root: &Path) -> std::io::Result<()> {
        sync::folder(&staging.path(""))?;
        // Strings and numbers always serialize.
        let mut bytes = serde_json::to_vec_pretty(self).unwrap_or_default();
        bytes.push(b'\n');
        put_state(staging, root, PENDING, &bytes)
    }

    /// The journal of a run that was cut short; `None` where there was none.
    ///
    /// # Errors
    /// [`EmitError::Manifest`] for one that can't be read.
    pub(super) fn read(root: &Path) -> Result<Option<Self>, EmitError> {
        let path = root.join(PENDING);
        let fault = |message: String| EmitError::Manifest {
            path: path.clone(),
            message,
        };
        let bytes = match std::fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(fault(error.to_string())),
        };
        let journal: Self =
            serde_json::from_slice(&bytes).map_err(|error| fault(error.to_string()))?;
        if journal.schema_version == SCHEMA_VERSION {
            Ok(Some(journal))
        } else {
            Err(fault(format!(
                "its schema is version {}, and this program knows {SCHEMA_VERSION}",
                journal.schema_version
            )))
        }
    }

    /// The run is done, or what it left undone is known: nothing is pending.
    ///
    /// # Errors
    /// What the system says.
    pub(super) fn close(root: &Path) -> std::io::Result<()> {
        match std::fs::remove_file(root.join(PENDING)) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }
}

/// Whether a run into `output` was cut short, and no run has completed it since.
pub fn is_unfinished(output: &Path) -> bool {
    output.join(PENDING).symlink_metadata().is_ok()
}
