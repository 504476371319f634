//! Merges arguments, configuration file and defaults, in this order of precedence.

use std::path::{Path, PathBuf};

use super::confine::ConfinedFile;
use super::layout::Configured;
use super::{
    ConfigError, Mode, Origin, Set, Settings, Write, absolute, cuda_version, discover, facts,
    resolve, versions as releases,
};
use crate::cli::{PortArgs, WriteArgs};
use crate::machine::Environment;
use crate::mapping::{Evidence, Version, Versions};

impl Settings {
    /// The settings for `torchada port`: the arguments over the configuration file over the
    /// defaults. Reads the configuration and looks at PATH and OUT; writes nothing.
    ///
    /// # Errors
    /// [`ConfigError`], always before anything is written.
    pub fn port(args: &PortArgs, environment: &Environment) -> Result<Self, ConfigError> {
        let shared = &args.shared;
        let start = || resolve::start_folder(args);
        let file = discover::holding(shared, start)?.unwrap_or_default();
        // A run without a configuration file has an empty path here, and so no folder.
        let config_base = file.path.parent();
        let is_named = file.is_named;
        let configured = file.layout.as_ref().zip(config_base);
        let configured = configured.map(|(set, base)| Configured {
            source: ConfinedFile { base, is_named },
            pairs: &set.value,
            origin: &set.origin,
        });
        let rename = over(file.rename, shared.rename);
        let mode = Mode::resolve(args, rename.value, configured.as_ref())?;
        let base = config_base.or(mode.root()).unwrap_or(Path::new("."));
        let base = base.to_owned();
        let of_file = file.layout.filter(|_| args.layout.is_empty());
        let origin = of_file.map_or(Origin::Argument, |set| set.origin);
        let layout = match &mode {
            Mode::Layout { pairs, .. } => Set {
                value: pairs.clone(),
                origin,
            },
            _ => Set::default(),
        };
        let source = ConfinedFile {
            base: &base,
            is_named,
        };
        let mapping = source.paths("mapping", &file.mapping.unwrap_or_default())?;
        let facts = facts::resolve(shared, file.facts, &source, environment)?;
        let include_roots =
            source.paths("include-roots", &file.include_roots.unwrap_or_default())?;
        let release = |option: &str, argument: Option<&str>, file: Option<Set<Version>>| {
            let argument = releases::argument(option, argument, releases::HELP)?;
            Ok::<_, ConfigError>(optional(file).or_argument(argument.map(Some)))
        };
        let sdk = release("--sdk", shared.sdk.as_deref(), file.sdk)?;
        let (argument, of_file) = (shared.torch_musa.as_deref(), file.torch_musa);
        let torch_musa = release("--torch-musa", argument, of_file)?;
        let targets = (!shared.target.is_empty()).then(|| shared.target.clone());
        let targets = over(file.target, targets);
        let versions = Versions {
            sdk: sdk.value.clone(),
            torch_musa: torch_musa.value.clone(),
        };
        let facts_doubts = facts::doubts(&facts, &versions, &targets.value, environment);
        let argument = shared.cuda_version.as_deref();
        let cuda_release = releases::argument("--cuda-version", argument, cuda_version::HELP)?;
        Ok(Self {
            write: Write::of(args),
            config_file: config_base.map(|_| file.path.clone()),
            exclude: file.exclude.unwrap_or_default(),
            rename,
            dialect: over(file.dialect, shared.dialect),
            ptx: over(file.ptx, shared.ptx),
            even_so: over(file.even_so, shared.even_so.then_some(true)),
            min_evidence: over_default(Evidence::Contested, file.min_evidence, shared.min_evidence),
            vendored: file.vendored.unwrap_or_default(),
            own_names: file.own_names.unwrap_or_default(),
            mapping,
            mapping_arguments: shared.mapping.clone(),
            inline_tables: file.tables,
            facts,
            facts_doubts,
            layout,
            include_roots: include_roots.map(|paths| {
                let paths = paths.iter();
                paths.map(|path| seen_from(mode.root(), path)).collect()
            }),
            select: file.select.unwrap_or_default(),
            ignore: file.ignore.unwrap_or_default(),
            sdk,
            torch_musa,
            cuda_version: over(file.cuda_version, cuda_release),
            targets,
            paths: file.paths.unwrap_or_default(),
            per_file_ignores: file
                .per_file_ignores
                .unwrap_or_default()
                .map(|ignores| ignores.below(&base)),
            table_keys: file.table_keys,
            all_code: over(file.all_code, shared.all_code.then_some(true)),
            cache: over_default(true, file.cache, args.no_cache.then_some(false)),
            stub: over_default(true, file.stub, args.write.no_stub.then_some(false)),
            on_conflict: over(file.on_conflict, args.write.on_conflict),
            no_ignore: shared.no_ignore,
            unsafe_edits: shared.unsafe_edits,
            force: args.force,
            report: args.write.report.clone(),
            quiet: args.write.quiet,
            verify: shared.verify,
            timings: shared.timings,
            jobs: shared.jobs,
            base,
            mode,
        })
    }
}

impl Write {
    /// What the arguments ask to be done with the port.
    fn of(args: &PortArgs) -> Self {
        match args {
            PortArgs {
                diff: true,
                by_rule,
                ..
            } => Self::Diff { by_rule: *by_rule },
            PortArgs {
                write: WriteArgs { check: true, .. },
                ..
            } => Self::Check,
            PortArgs { dry_run: true, .. } => Self::Nothing,
            _ => Self::Files,
        }
    }
}

/// An argument over the value of the configuration file over the default.
fn over<T: Default>(file: Option<Set<T>>, argument: Option<T>) -> Set<T> {
    file.unwrap_or_default().or_argument(argument)
}

/// An argument over the value of the configuration file over a default that is not the type's own.
fn over_default<T>(default: T, file: Option<Set<T>>, argument: Option<T>) -> Set<T> {
    let file = file.unwrap_or_else(|| Set::default_to(default));
    file.or_argument(argument)
}

/// A value that need not be there.
fn optional<T>(set: Option<Set<T>>) -> Set<Option<T>> {
    set.map(|set| set.map(Some)).unwrap_or_default()
}

/// `path` relative to `root` where it lies in it.
fn seen_from(root: Option<&Path>, path: &Path) -> PathBuf {
    let full = absolute(path).unwrap_or_else(|_| path.to_owned());
    match root.and_then(|root| full.strip_prefix(root).ok()) {
        Some(inside) => inside.to_owned(),
        None => full,
    }
}
