//! The cache in the output of a port, by which the next port finds out whether anything changed.
//!
//! Architecture invariant: with the cache and without it a run writes the same bytes, says the same,
//! and ends the same. What is not known for sure counts as changed, and a cache that is lost, damaged
//! or another program's is as good as none.

mod codes;
mod file;
mod finding;
mod identity;
mod last_port;
mod report;
mod stamp;

use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use super::analysis::{self, ListingDigest, TranslatedTree};
use crate::cli::PortArgs;
use crate::config::{ConfigError, Mode, Settings, Write};
use crate::emit::Manifest;
use crate::mapping::effort::Effort;
use crate::parallel;
use crate::project::Source;
use crate::report::Report;
use crate::walk::{Entry, Walk};
use codes::Codes;
use last_port::Last;
use report::StoredReport;
use stamp::{FileStamp, Freshness, Moment};

/// The cache of an output.
pub(super) struct Cache {
    /// The tree that is ported.
    root: PathBuf,
    /// The output, which has the cache.
    output: PathBuf,
    /// A digest of what, besides the input, decides what a run writes and says.
    identity: [u8; 32],
    /// When the run began.
    began: Moment,
}

/// The files that a run read, to be stored once the run has written.
pub(super) struct Inputs {
    digest: ListingDigest,
    /// Each file with the hash of its text, where that was looked into.
    files: Vec<(Entry, Option<[u8; 32]>)>,
}

/// The result of the last port, where nothing changed since.
pub(super) struct Unchanged {
    /// The report of the last port.
    pub(super) report: Report,
    /// The files that the port wrote, relative to the output's root.
    pub(super) files: Vec<PathBuf>,
}

impl Inputs {
    /// Stamps of the files that a run read. Take them before anything is written.
    pub(super) fn of(done: &TranslatedTree) -> Self {
        let files = done.walk.files.iter().zip(&done.project.files);
        let hash = |source: &Source| {
            let text = source.text.as_ref()?;
            Some(text.hash().unwrap_or_else(|| blake3::hash(text).into()))
        };
        Self {
            digest: done.digest.clone(),
            files: parallel::map(files, |(entry, source)| (entry.clone(), hash(source))),
        }
    }
}

fn now() -> Moment {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| since.as_nanos().cast_signed())
}

impl Cache {
    /// The cache that a run with these settings has; `None` where it has none.
    ///
    /// # Errors
    /// When a table of the user's can't be read.
    pub(super) fn of(args: &PortArgs, settings: &Settings) -> Result<Option<Self>, ConfigError> {
        let (root, output) = match &settings.mode {
            _ if !settings.cache.value => return Ok(None),
            Mode::Tree { input, output } => (input, output),
            Mode::Part { root, output, .. } => (root, output),
            Mode::Layout { root, .. } => (root, root),
            _ => return Ok(None),
        };
        Ok(Some(Self {
            root: root.clone(),
            output: output.clone(),
            identity: identity::of(args, settings)?,
            began: now(),
        }))
    }

    /// The result of the last port, if another port would have the same: the files that it read are as they were, and
    /// so are the files that it wrote.
    pub(super) fn unchanged(&self, settings: &Settings) -> Option<Unchanged> {
        let mut last = Last::read(&self.output)?;
        if last.identity != self.identity {
            return None;
        }
        // Where the listing fails, the run says why.
        let walk = analysis::listing(settings, &self.root).ok()?;
        let digest = ListingDigest::new(&walk, &self.root);
        let is_there = |path: &PathBuf| self.root.join(path).symlink_metadata().is_ok();
        if digest.listing != last.listing
            || digest.stubbed != last.stubbed
            || last.absent().iter().any(is_there)
        {
            return None;
        }
        let looked = now();
        let inputs = unchanged(&walk.root, &last.inputs, last.inputs_at, Some(&walk))?;
        let outputs = unchanged(&self.output, &last.outputs, last.outputs_at, None)?;
        let files = last.files();
        let are_other = inputs.are_other || outputs.are_other;
        if are_other && settings.write == Write::Files {
            // What was looked into now need not be next time.
            (last.inputs, last.inputs_at) = (inputs.rows, self.began);
            (last.outputs, last.outputs_at) = (outputs.rows, looked);
            let _ = last.write(&self.output);
        }
        let report = last.report.revive(&Codes::new(), Effort::builtin())?;
        Some(Unchanged { report, files })
    }

    /// Keep what a run came to, if nothing happened meanwhile. Where the output takes no cache, the
    /// next run does everything anew.
    pub(super) fn keep(&self, inputs: &Inputs, report: &Report) {
        if let Some(last) = self.last(inputs, report) {
            let _ = last.write(&self.output);
        }
    }

    fn last<'r>(&self, inputs: &Inputs, report: &'r Report) -> Option<Last<'r>> {
        let manifest = Manifest::read(&self.output).ok()?;
        let rows = stamp::of_inputs(&self.root, &inputs.files, &manifest)?;
        let looked = now();
        let outputs = stamp::of_outputs(&self.output, &manifest)?;
        Some(Last::new(
            self.identity,
            &inputs.digest,
            (rows, self.began),
            (outputs, looked),
            StoredReport::of(report),
        ))
    }
}

/// Files that are as they were.
struct Rows {
    /// The stamps of the files now.
    rows: Vec<FileStamp>,
    /// Whether the file system reports some files otherwise than before.
    are_other: bool,
}

/// Some files, where all of them are as they were.
fn unchanged(root: &Path, rows: &[FileStamp], at: Moment, walk: Option<&Walk>) -> Option<Rows> {
    let looked = parallel::map(rows, |row| row.freshness(root, at, walk));
    let are_other = looked
        .iter()
        .any(|one| matches!(one, Freshness::Rehashed(_)));
    let rows = rows.iter().zip(looked).map(|(old, one)| match one {
        Freshness::Unchanged => Some(old.clone()),
        Freshness::Rehashed(row) => Some(row),
        Freshness::Stale => None,
    });
    let rows = rows.collect::<Option<_>>()?;
    Some(Rows { rows, are_other })
}
