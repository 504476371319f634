//! The manifest: the list by which the next port knows the program's own files.
//!
//! The manifest and the report are made to be committed with the port: they hold no time and no
//! absolute path, and a file a line. Whoever ports again, on whatever machine, needs them to tell
//! the program's files from a person's.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use blake3::Hash;
use serde::{Deserialize, Serialize};

use super::path_text::PathText;
use super::record::FileRecord;
use super::{EmitError, OutputFile, Plan, Stamp, checked, content};
use crate::files::{Folder, is_plain};
use crate::mapping::safety;

/// The folder of an output that belongs to this program.
pub const STATE_DIR: &str = safety::STATE;
/// The manifest's path in an output.
pub const MANIFEST: &str = safety::MANIFEST;
/// The report's path in an output.
pub const REPORT: &str = safety::REPORT;
/// A file that older versions of the program left in an output if a run was cut short. Nobody reads it any more.
pub(super) const PENDING: &str = safety::PENDING;
/// What the name of the folder in [`STATE_DIR`] begins with where the files of a run lie that are not whole yet,
/// or not in their place.
pub(super) const STAGED: &str = "tmp-";

/// The program, its version, and the hash of all that it was made of.
pub const PROGRAM: &str = concat!(
    "torchada ",
    env!("CARGO_PKG_VERSION"),
    "+",
    env!("TORCHADA_PROGRAM_HASH")
);

/// The program and its version.
pub const TOOL: &str = concat!("torchada ", env!("CARGO_PKG_VERSION"));

/// The version of the schema of the manifest and the journal.
pub(super) const SCHEMA_VERSION: u32 = 1;

/// The list of the files that the last port wrote.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Manifest {
    /// The version of this schema.
    pub schema_version: u32,
    /// The program and its version.
    pub tool: String,
    /// The version of the mapping tables.
    pub tables: String,
    /// The hash of all that the program was made of; empty in the manifests of older ones.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub program: String,
    /// The settings that decided what was written.
    pub settings: BTreeMap<String, String>,
    /// The files, by path in the output.
    pub files: Vec<ManifestEntry>,
}

/// One file that a port wrote.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ManifestEntry {
    /// The path, relative to the output's root.
    pub path: PathText,
    /// The source, relative to the input's root.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<PathText>,
    /// The BLAKE3 hash of a file's bytes, in hexadecimal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blake3: Option<String>,
    /// The hash of the source's bytes, where they differ from the file's. Older programs did not write it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source_blake3: Option<String>,
    /// A file's permission bits, in octal, where the source decided them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mode: Option<String>,
    /// A link's target.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub link: Option<PathText>,
    /// The file that a person changed and beside which this one lies, because the two can't be
    /// merged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub beside: Option<PathText>,
}

impl ManifestEntry {
    /// The manifest's row for a file or link.
    pub(super) fn new(path: &Path, source: Option<&Path>, record: &FileRecord) -> Self {
        let (blake3, mode, link) = match record {
            FileRecord::File { hash, mode } => (
                Some(hash.to_hex().to_string()),
                mode.map(|mode| format!("{mode:o}")),
                None,
            ),
            FileRecord::Link(target) => (None, None, Some(target.as_path().into())),
        };
        Self {
            path: path.into(),
            source: source.map(Into::into),
            blake3,
            source_blake3: None,
            mode,
            link,
            beside: None,
        }
    }

    /// The entry of a file of the plan, with the source that the file was made from.
    pub(super) fn planned(plan: &Plan, file: &OutputFile, record: &FileRecord) -> Self {
        let row = Self::new(&file.path, file.source.as_deref(), record);
        let source = content::source_hash(plan, file).map(|hash| hash.to_hex().to_string());
        Self {
            source_blake3: source.filter(|hash| row.blake3.as_ref() != Some(hash)),
            ..row
        }
    }

    /// The hash of the source's bytes, as far as it is known.
    pub fn source_hash(&self) -> Option<Hash> {
        let hash = self.source_blake3.as_ref().or(self.blake3.as_ref())?;
        Hash::from_hex(hash).ok().filter(|_| self.source.is_some())
    }

    /// The hash of the bytes of a file.
    pub fn hash(&self) -> Option<Hash> {
        Hash::from_hex(self.blake3.as_ref()?).ok()
    }

    /// Remember what was written in place of what was to be.
    pub(super) fn follow(&mut self, record: &FileRecord) {
        if let FileRecord::File { hash, mode } = record {
            self.blake3 = Some(hash.to_hex().to_string());
            self.mode = mode.map(|mode| format!("{mode:o}"));
        }
    }

    /// Whether a port can have written the row: its paths lie in the input and in the output, and it has
    /// the hash of a file or the target of a link.
    pub(super) fn is_sound(&self) -> bool {
        let is_input = |path: &PathText| path.to_path().is_some_and(|path| is_plain(&path));
        let is_output = |path: &PathText| {
            path.to_path()
                .is_some_and(|path| checked::is_possible(&path))
        };
        self.record().is_some()
            && is_output(&self.path)
            && self.source.as_ref().is_none_or(is_input)
            && self.beside.as_ref().is_none_or(is_output)
    }

    /// The path and what was there; `None` for a row that can't be understood.
    pub(super) fn record(&self) -> Option<(PathBuf, FileRecord)> {
        let path = self.path.to_path()?;
        let record = match (&self.blake3, &self.link) {
            (Some(hash), _) => FileRecord::File {
                hash: Hash::from_hex(hash).ok()?,
                mode: match &self.mode {
                    Some(mode) => {
                        let mode = u32::from_str_radix(mode, 8).ok();
                        Some(mode.filter(|mode| *mode <= 0o777)?)
                    }
                    None => None,
                },
            },
            (None, Some(target)) => FileRecord::Link(target.to_path()?),
            (None, None) => return None,
        };
        Some((path, record))
    }
}

impl Manifest {
    /// An empty manifest with the stamp of this run.
    pub(super) fn new(stamp: &Stamp<'_>) -> Self {
        Self {
            schema_version: SCHEMA_VERSION,
            tool: TOOL.to_owned(),
            tables: stamp.tables.to_owned(),
            program: env!("TORCHADA_PROGRAM_HASH").to_owned(),
            settings: stamp.settings.clone(),
            files: Vec::new(),
        }
    }

    /// Add what was written.
    pub(super) fn add(&mut self, written: ManifestEntry) {
        self.files.push(written);
    }

    /// A manifest of these rows with the stamp of this run.
    pub(super) fn of<'a>(stamp: &Stamp<'_>, rows: impl Iterator<Item = &'a ManifestEntry>) -> Self {
        Self {
            files: rows.cloned().collect(),
            ..Self::new(stamp)
        }
    }

    /// Write the manifest: its head, then a file a line, so that a change of one file is a change of one line.
    ///
    /// # Errors
    /// What `out` says.
    pub(super) fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut files: Vec<&ManifestEntry> = self.files.iter().collect();
        files.sort_by(|a, b| a.path.cmp(&b.path));
        let head = Self {
            schema_version: self.schema_version,
            tool: self.tool.clone(),
            tables: self.tables.clone(),
            program: self.program.clone(),
            settings: self.settings.clone(),
            files: Vec::new(),
        };
        let text = serde_json::to_string_pretty(&head)?;
        let text = text.strip_suffix("[]\n}").unwrap_or(&text);
        write!(out, "{text}[")?;
        for (at, file) in files.into_iter().enumerate() {
            let before = if at == 0 { "\n    " } else { ",\n    " };
            out.write_all(before.as_bytes())?;
            serde_json::to_writer(&mut *out, file)?;
        }
        out.write_all(b"\n  ]\n}\n")
    }

    /// Read the manifest of an output.
    ///
    /// # Errors
    /// [`EmitError::Manifest`] when it is missing, unreadable, of another schema or malformed, or when a
    /// row of it leads out of the output.
    pub fn read(output: &Path) -> Result<Self, EmitError> {
        let opened = Folder::open(output);
        let root = opened.map_err(|error| fault(output, MANIFEST, error.to_string()))?;
        Self::read_in(&root)
    }

    /// Read the manifest of an output whose folder is open.
    pub(super) fn read_in(root: &Folder) -> Result<Self, EmitError> {
        let bytes = root.read(Path::new(MANIFEST), safety::BYTES_MANIFEST);
        let bytes = bytes.map_err(|error| fault(root.path(), MANIFEST, error.to_string()))?;
        Self::parse(&bytes).map_err(|message| fault(root.path(), MANIFEST, message))
    }

    /// Parse a manifest.
    pub(super) fn parse(bytes: &[u8]) -> Result<Self, String> {
        let manifest: Self = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
        if manifest.schema_version != SCHEMA_VERSION {
            return Err(format!(
                "its schema is version {}, and this program knows {SCHEMA_VERSION}",
                manifest.schema_version
            ));
        }
        match manifest.files.iter().find(|row| !row.is_sound()) {
            None => Ok(manifest),
            Some(row) => Err(format!(
                "its row for {} names what no port writes",
                row.path.shown()
            )),
        }
    }
}

/// A manifest that can't be used.
pub(super) fn fault(output: &Path, name: &str, message: String) -> EmitError {
    EmitError::Manifest {
        path: output.join(name),
        message,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_manifest_reads_what_it_wrote() {
        let settings = BTreeMap::from([("rename".to_owned(), "auto".to_owned())]);
        let stamp = Stamp {
            tables: "1",
            settings: &settings,
            report: None,
            map: None,
            progress: &crate::progress::Silent,
        };
        let mut manifest = Manifest::new(&stamp);
        let record = FileRecord::File {
            hash: blake3::hash(b"x"),
            mode: Some(0o644),
        };
        let source = Some(Path::new("a.cu"));
        manifest.add(ManifestEntry::new(Path::new("a.mu"), source, &record));
        let mut bytes = Vec::new();
        manifest.write(&mut bytes).expect("written");
        let read: Manifest = serde_json::from_slice(&bytes).expect("sound");
        assert_eq!(read, manifest);
        assert_eq!(read.files[0].record(), Some(("a.mu".into(), record)));
    }
}
