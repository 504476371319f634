//! The stored record of the last port.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::Moment;
use super::file;
use super::report::StoredReport;
use super::stamp::FileStamp;
use crate::commands::analysis::ListingDigest;
use crate::emit::{EmitError, STATE_DIR};

/// The last port.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Last<'r> {
    /// The program and the settings that made it.
    pub(super) identity: [u8; 32],
    /// See [`ListingDigest`].
    pub(super) listing: [u8; 32],
    absent: Vec<Vec<u8>>,
    pub(super) stubbed: bool,
    /// The files that it read.
    pub(super) inputs: Vec<FileStamp>,
    /// The earliest moment at which these stamps were read from the file system.
    pub(super) inputs_at: Moment,
    /// The files that it wrote.
    pub(super) outputs: Vec<FileStamp>,
    /// The earliest moment at which these stamps were read from the file system.
    pub(super) outputs_at: Moment,
    /// The report that it made.
    pub(super) report: StoredReport<'r>,
}

impl<'r> Last<'r> {
    pub(super) fn new(
        identity: [u8; 32],
        digest: &ListingDigest,
        (inputs, inputs_at): (Vec<FileStamp>, Moment),
        (outputs, outputs_at): (Vec<FileStamp>, Moment),
        report: StoredReport<'r>,
    ) -> Self {
        let absent = digest.absent.iter();
        Self {
            identity,
            listing: digest.listing,
            absent: absent
                .map(|path| path.as_os_str().as_bytes().to_vec())
                .collect(),
            stubbed: digest.stubbed,
            inputs,
            inputs_at,
            outputs,
            outputs_at,
            report,
        }
    }

    /// Read the record of an output; `None` where nothing sound is there.
    pub(super) fn read(output: &Path) -> Option<Self> {
        file::read(output)
    }

    /// Leave it in an output.
    pub(super) fn write(&self, output: &Path) -> Result<(), EmitError> {
        file::write(output, self)
    }

    /// Files that would be input if they were there.
    pub(super) fn absent(&self) -> Vec<PathBuf> {
        let paths = self.absent.iter();
        paths.map(|path| OsStr::from_bytes(path).into()).collect()
    }

    /// The files of the output, without the program's own.
    pub(super) fn files(&self) -> Vec<PathBuf> {
        let paths = self.outputs.iter().map(FileStamp::path);
        paths.filter(|path| !path.starts_with(STATE_DIR)).collect()
    }
}
