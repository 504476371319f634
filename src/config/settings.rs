//! The settings of a run, each with where it came from.

use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use super::{
    ConfigError, CudaVersion, FactsInUse, LayoutPair, Mode, OnConflict, PerFileIgnores, Set,
    read_overlays,
};
use crate::cli::{InlinePtx, Verify};
use crate::mapping::{Dialect, Evidence, FactTable, Overlay, Rename, Vendored, Version, Versions};

/// The ways in which a run hands over its result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Write {
    /// The port is written.
    Files,
    /// A diff goes to standard output.
    Diff {
        /// Grouped by rule and evidence, instead of a patch.
        by_rule: bool,
    },
    /// Nothing is written: the port is compared with the existing output.
    Check,
    /// Nothing is written; findings and the summary are shown.
    Nothing,
}

/// All settings of a run, from the command line and the configuration.
#[derive(Clone, Debug)]
// Switches of the command line, each by its own name.
#[allow(clippy::struct_excessive_bools)]
pub struct Settings {
    /// The input, and the place of the result.
    pub mode: Mode,
    /// The way in which the run hands over its result.
    pub write: Write,
    /// The configuration file that holds, absolute.
    pub config_file: Option<PathBuf>,
    /// Globs of files that are not input, as in a `.gitignore` at [`Settings::base`].
    pub exclude: Set<Vec<String>>,
    /// Whether source files get MUSA's endings.
    pub rename: Set<Rename>,
    /// The names that the result is written in.
    pub dialect: Set<Dialect>,
    /// What becomes of inline PTX.
    pub ptx: Set<InlinePtx>,
    /// Whether what builds for MUSA already is ported all the same.
    pub even_so: Set<bool>,
    /// The weakest evidence that is acted upon: a row holds when its evidence is `<=` this.
    pub min_evidence: Set<Evidence>,
    /// What happens to libraries that the tree carries along.
    pub vendored: Set<Vendored>,
    /// Identifiers that are the project's own and never translated.
    pub own_names: Set<BTreeSet<String>>,
    /// The table files that the configuration names, absolute.
    pub mapping: Set<Vec<PathBuf>>,
    /// The table files of the command line, as typed.
    pub mapping_arguments: Vec<PathBuf>,
    /// The tables that stand in the configuration file itself.
    pub inline_tables: Option<Overlay>,
    /// What is known of the user's own SDK; `None` where the tables that come with the program are all.
    pub facts: Set<Option<FactsInUse>>,
    /// What speaks against these facts, in sentences.
    pub facts_doubts: Vec<String>,
    /// Folders that are ported into others beside them, relative to the root.
    pub layout: Set<Vec<LayoutPair>>,
    /// Folders that includes are looked up in: relative to the root where they lie in it,
    /// absolute otherwise.
    pub include_roots: Set<Vec<PathBuf>>,
    /// Codes, or fronts of codes, of the findings that a check shows; empty for all.
    pub select: Set<Vec<String>>,
    /// Codes, or fronts of codes, of the findings that a check leaves out.
    pub ignore: Set<Vec<String>>,
    /// The MUSA SDK that the port is for, if the user names one.
    pub sdk: Set<Option<Version>>,
    /// The `torch_musa` release that the port is for, if the user names one.
    pub torch_musa: Set<Option<Version>>,
    /// The CUDA whose versions stand in place of the macros.
    pub cuda_version: Set<CudaVersion>,
    /// The GPU generations that the port is for; none for all.
    pub targets: Set<Vec<String>>,
    /// The paths that a check without a PATH looks at, as written; relative to [`Settings::base`].
    pub paths: Set<Vec<String>>,
    /// Codes of the findings that are suppressed in some files.
    pub per_file_ignores: Set<PerFileIgnores>,
    /// The names of the tables in the configuration file itself, with how many entries each has.
    pub table_keys: Vec<(String, Set<usize>)>,
    /// Whether findings in what no build for MUSA compiles count like others.
    pub all_code: Set<bool>,
    /// Whether a port keeps by what the next one knows what changed.
    pub cache: Set<bool>,
    /// Whether a port of a tree with Python writes the package for run time.
    pub stub: Set<bool>,
    /// What happens where a person's edit of the output and the port disagree.
    pub on_conflict: Set<OnConflict>,
    /// Whether git and ignore files have no say in what the input is.
    pub no_ignore: bool,
    /// Whether edits that may change what the program does are applied.
    pub unsafe_edits: bool,
    /// Whether files may be changed that git does not have safe.
    pub force: bool,
    /// Where else the report goes, besides the output's own folder.
    pub report: Option<PathBuf>,
    /// Whether only errors are printed.
    pub quiet: bool,
    /// How much is parsed to check a result.
    pub verify: Verify,
    /// Whether the time of each rule is noted.
    pub timings: bool,
    /// How many files are done at once; `None` for one a core.
    pub jobs: Option<NonZeroUsize>,
    /// The folder that the paths of the configuration are relative to: the configuration file's,
    /// else the input's root.
    pub base: PathBuf,
}

impl Settings {
    /// The releases that the port is for.
    pub fn versions(&self) -> Versions {
        Versions {
            sdk: self.sdk.value.clone(),
            torch_musa: self.torch_musa.value.clone(),
        }
    }

    /// The root of the input, where it is a tree.
    pub fn root(&self) -> Option<&Path> {
        self.mode.root()
    }

    /// The rows of the facts that the run rests on.
    pub fn fact_table(&self) -> Option<FactTable> {
        self.facts.value.as_ref().map(|facts| facts.table)
    }

    /// The user's tables in the order in which they are laid over the built-in ones: the files
    /// that the configuration names, its inline tables, the files of the command line.
    ///
    /// # Errors
    /// When a file can't be read.
    pub fn overlays(&self) -> Result<Vec<Overlay>, ConfigError> {
        let named = read_overlays(&self.mapping.value);
        let mut overlays =
            named.map_err(|error| error.named_by("mapping", &self.mapping.origin))?;
        overlays.extend(self.inline_tables.clone());
        overlays.extend(read_overlays(&self.mapping_arguments)?);
        Ok(overlays)
    }
}
