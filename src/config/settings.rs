//! The settings of a run, each with where it came from.

use std::collections::BTreeSet;
use std::fmt;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use super::file::FileConfig;
use super::layout::Configured;
use super::versions;
use super::{
    ConfigError, LayoutPair, Mode, PerFileIgnores, absolute, discover, read_overlays, resolve,
};
use crate::cli::{Dialect, MinEvidence, OnConflict, PortArgs, Rename, Verify};
use crate::mapping::{Evidence, Overlay, Version, Versions};

/// Where a value came from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Origin {
    /// Nobody said anything.
    Default,
    /// A configuration file.
    File {
        /// The file, as messages name it.
        file: String,
        /// The 1-based line.
        line: usize,
    },
    /// The command line.
    Argument,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => f.write_str("default"),
            Self::File { file, line } => write!(f, "{file}:{line}"),
            Self::Argument => f.write_str("command line"),
        }
    }
}

/// A value and where it came from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Set<T> {
    /// The value that holds.
    pub value: T,
    /// Who said so.
    pub origin: Origin,
}

impl<T> Set<T> {
    /// A value that nobody set.
    pub fn default_to(value: T) -> Self {
        Self {
            value,
            origin: Origin::Default,
        }
    }

    /// The same, unless the command line says otherwise.
    #[must_use]
    pub fn or_argument(self, argument: Option<T>) -> Self {
        match argument {
            Some(value) => Self {
                value,
                origin: Origin::Argument,
            },
            None => self,
        }
    }
}

/// What happens to a library that the tree carries along.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Vendored {
    /// It stays whole, with one finding.
    #[default]
    Keep,
    /// Its includes go to MUSA's counterpart, where that has every header that is used.
    Swap,
}

impl Vendored {
    /// The word in the configuration.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Keep => "keep",
            Self::Swap => "swap",
        }
    }
}

/// What is done with the result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Write {
    /// It is written.
    Files,
    /// A diff goes to standard output.
    Diff {
        /// Grouped by rule and evidence, instead of a patch.
        by_rule: bool,
    },
    /// Nothing; it is compared with what is there.
    Check,
    /// Nothing, but findings and summary.
    Nothing,
}

/// Everything that a run was told.
#[derive(Clone, Debug)]
// Switches of the command line, each by its own name.
#[allow(clippy::struct_excessive_bools)]
pub struct Settings {
    /// What is read and where the result goes.
    pub mode: Mode,
    /// What is done with the result.
    pub write: Write,
    /// The configuration file that holds, absolute.
    pub config_file: Option<PathBuf>,
    /// Globs of files that are not input, as in a `.gitignore` at [`Settings::base`].
    pub exclude: Set<Vec<String>>,
    /// Whether source files get MUSA's endings.
    pub rename: Set<Rename>,
    /// The names that the result is written in.
    pub dialect: Set<Dialect>,
    /// The weakest evidence that is acted upon: a row holds when its evidence is `<=` this.
    pub min_evidence: Set<Evidence>,
    /// What happens to libraries that the tree carries along.
    pub vendored: Set<Vendored>,
    /// Identifiers that are the project's own and never translated.
    pub own_names: Set<BTreeSet<String>>,
    /// The table files that the configuration names, absolute.
    pub mapping: Set<Vec<PathBuf>>,
    /// The table files of the command line, as given.
    pub mapping_arguments: Vec<PathBuf>,
    /// The tables that stand in the configuration file itself.
    pub inline_tables: Option<Overlay>,
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
    /// The CUDA whose versions stand in place of the macros, if the user names one.
    pub cuda_version: Set<Option<Version>>,
    /// The GPU generations that the port is for; none for all.
    pub targets: Set<Vec<String>>,
    /// What a check looks at where no PATH is given, as written; relative to [`Settings::base`].
    pub paths: Set<Vec<String>>,
    /// Codes of the findings that are suppressed in some files.
    pub per_file_ignores: Set<PerFileIgnores>,
    /// The names of the tables in the configuration file itself, with how many entries each has.
    pub table_keys: Vec<(String, Set<usize>)>,
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
    /// Whether only errors are said.
    pub quiet: bool,
    /// How much is parsed to check a result.
    pub verify: Verify,
    /// How many files are done at once; `None` for one a core.
    pub jobs: Option<NonZeroUsize>,
    /// The folder that the paths of the configuration are relative to: the configuration file's,
    /// else the input's root.
    pub base: PathBuf,
}

impl Settings {
    /// The settings for `torchada port`: the arguments over the configuration file over the
    /// defaults. Reads the configuration and looks at PATH and OUT; writes nothing.
    ///
    /// # Errors
    /// [`ConfigError`], always before anything is written.
    pub fn port(args: &PortArgs) -> Result<Self, ConfigError> {
        let file = configuration(args)?.unwrap_or_default();
        // A run without a configuration file has an empty path here, and so no folder.
        let config_base = file.path.parent();
        let configured = match (&file.layout, config_base) {
            (Some(set), Some(base)) => Some(Configured {
                base,
                pairs: &set.value,
            }),
            _ => None,
        };
        let rename = file
            .rename
            .unwrap_or_else(|| Set::default_to(Rename::default()))
            .or_argument(args.shared.rename);
        let mode = Mode::resolve(args, rename.value, configured.as_ref())?;
        let base = match (config_base, mode.root()) {
            (Some(folder), _) => folder.to_owned(),
            (None, Some(root)) => root.to_owned(),
            (None, None) => PathBuf::from("."),
        };
        let layout_origin = match (&mode, file.layout) {
            (Mode::Layout { .. }, Some(set)) if args.layout.is_empty() => set.origin,
            (Mode::Layout { .. }, _) => Origin::Argument,
            _ => Origin::Default,
        };
        let layout = Set {
            value: match &mode {
                Mode::Layout { pairs, .. } => pairs.clone(),
                _ => Vec::new(),
            },
            origin: layout_origin,
        };
        let config_tables = file.mapping.unwrap_or_else(|| Set::default_to(Vec::new()));
        let config_mapping = Set {
            value: config_tables
                .value
                .iter()
                .map(|path| base.join(path))
                .collect(),
            origin: config_tables.origin,
        };
        let include_roots = file
            .include_roots
            .unwrap_or_else(|| Set::default_to(Vec::new()));
        let include_roots = Set {
            value: include_roots
                .value
                .iter()
                .map(|path| seen_from(mode.root(), &base.join(path)))
                .collect(),
            origin: include_roots.origin,
        };
        let release = |option: &str, argument: Option<&str>, file: Option<Set<Version>>| {
            Ok::<_, ConfigError>(match (versions::argument(option, argument)?, file) {
                (Some(version), _) => Set {
                    value: Some(version),
                    origin: Origin::Argument,
                },
                (None, file) => optional(file),
            })
        };
        let shared = &args.shared;
        let sdk = release("--sdk", shared.sdk.as_deref(), file.sdk)?;
        let torch_musa = release(
            "--torch-musa",
            shared.torch_musa.as_deref(),
            file.torch_musa,
        )?;
        Ok(Self {
            write: match args {
                PortArgs {
                    diff: true,
                    by_rule,
                    ..
                } => Write::Diff { by_rule: *by_rule },
                PortArgs { check: true, .. } => Write::Check,
                PortArgs { dry_run: true, .. } => Write::Nothing,
                _ => Write::Files,
            },
            config_file: config_base.map(|_| file.path.clone()),
            exclude: file.exclude.unwrap_or_else(|| Set::default_to(Vec::new())),
            rename,
            dialect: file
                .dialect
                .unwrap_or_else(|| Set::default_to(Dialect::default()))
                .or_argument(args.shared.dialect),
            min_evidence: file
                .min_evidence
                .unwrap_or_else(|| Set::default_to(MinEvidence::default().into()))
                .or_argument(args.shared.min_evidence.map(Into::into)),
            vendored: file
                .vendored
                .unwrap_or_else(|| Set::default_to(Vendored::default())),
            own_names: file
                .own_names
                .unwrap_or_else(|| Set::default_to(BTreeSet::new())),
            mapping: config_mapping,
            mapping_arguments: args.shared.mapping.clone(),
            inline_tables: file.tables,
            layout,
            include_roots,
            select: file.select.unwrap_or_else(|| Set::default_to(Vec::new())),
            ignore: file.ignore.unwrap_or_else(|| Set::default_to(Vec::new())),
            sdk,
            torch_musa,
            cuda_version: optional(file.cuda_version),
            targets: file
                .target
                .unwrap_or_else(|| Set::default_to(Vec::new()))
                .or_argument((!shared.target.is_empty()).then(|| shared.target.clone())),
            paths: file.paths.unwrap_or_else(|| Set::default_to(Vec::new())),
            per_file_ignores: file.per_file_ignores.map_or_else(
                || Set::default_to(PerFileIgnores::default()),
                |set| Set {
                    value: set.value.below(&base),
                    origin: set.origin,
                },
            ),
            table_keys: file.table_keys,
            cache: file
                .cache
                .unwrap_or_else(|| Set::default_to(true))
                .or_argument(args.no_cache.then_some(false)),
            stub: file
                .stub
                .unwrap_or_else(|| Set::default_to(true))
                .or_argument(args.no_stub.then_some(false)),
            on_conflict: file
                .on_conflict
                .unwrap_or_else(|| Set::default_to(OnConflict::default()))
                .or_argument(args.on_conflict),
            no_ignore: args.shared.no_ignore,
            unsafe_edits: args.shared.unsafe_edits,
            force: args.force,
            report: args.report.clone(),
            quiet: args.quiet,
            verify: args.shared.verify,
            jobs: args.shared.jobs,
            base,
            mode,
        })
    }

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

    /// The user's tables in the order in which they are laid over the built-in ones: the files
    /// that the configuration names, its inline tables, the files of the command line.
    ///
    /// # Errors
    /// When a file can't be read.
    pub fn overlays(&self) -> Result<Vec<Overlay>, ConfigError> {
        let mut overlays = read_overlays(&self.mapping.value)?;
        overlays.extend(self.inline_tables.clone());
        overlays.extend(read_overlays(&self.mapping_arguments)?);
        Ok(overlays)
    }
}

/// The configuration file that holds for these arguments.
fn configuration(args: &PortArgs) -> Result<Option<FileConfig>, ConfigError> {
    if args.shared.no_config {
        return Ok(None);
    }
    if let Some(path) = &args.shared.config {
        return discover::named(path).map(Some);
    }
    let start = resolve::start_folder(args)?;
    discover::upwards(&start)
}

/// A value that need not be there.
fn optional<T>(set: Option<Set<T>>) -> Set<Option<T>> {
    match set {
        Some(set) => Set {
            value: Some(set.value),
            origin: set.origin,
        },
        None => Set::default_to(None),
    }
}

/// `path` relative to `root` where it lies in it.
fn seen_from(root: Option<&Path>, path: &Path) -> PathBuf {
    let full = absolute(path).unwrap_or_else(|_| path.to_owned());
    match root.and_then(|root| full.strip_prefix(root).ok()) {
        Some(inside) => inside.to_owned(),
        None => full,
    }
}

impl From<MinEvidence> for Evidence {
    fn from(level: MinEvidence) -> Self {
        match level {
            MinEvidence::Confirmed => Self::Confirmed,
            MinEvidence::Table => Self::Table,
            MinEvidence::Rule => Self::Rule,
            MinEvidence::Contested => Self::Contested,
        }
    }
}
