//! The tables, the rules' settings and the threads that a run works with.

use std::num::NonZeroUsize;
use std::sync::Arc;

use anyhow::{Context as _, Result};
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::cli;
use crate::config::{ConfigError, CudaVersion, Origin, Settings};
use crate::hazards::Hazards;
use crate::mapping::knowledge::Knowledge;
use crate::mapping::{Dialect, Tables};
use crate::project::Context;
use crate::ptx::{Platform, Translator};
use crate::rules::{RuleSettings, StubImport};

/// What a run translates with.
#[derive(Clone, Copy)]
pub(in crate::commands) struct Run<'a> {
    /// The user's settings.
    pub(in crate::commands) settings: &'a Settings,
    /// The tables that the settings choose.
    pub(in crate::commands) context: Context<'a>,
    /// The rules' part of the settings.
    pub(in crate::commands) rules: &'a RuleSettings,
}

/// Do something with the tables and the rules' settings that `settings` choose.
///
/// # Errors
/// A fault in a table of the user's, or what `work` gives.
pub(in crate::commands) fn with_context<T>(
    settings: &Settings,
    work: impl FnOnce(Run<'_>) -> Result<T>,
) -> Result<T> {
    let tables = Tables::for_run(
        settings.fact_table(),
        &settings.overlays()?,
        &settings.versions(),
    )?;
    let knowledge = Knowledge::builtin();
    check_targets(settings, &tables)?;
    let hazards = Hazards::new(&tables, &knowledge.shapes, &settings.targets.value);
    let context = Context {
        tables: &tables,
        knowledge,
        hazards: &hazards,
        ptx: (settings.ptx.value != cli::InlinePtx::Keep).then(|| Translator {
            weakest: settings.min_evidence.value,
            emulates: settings.ptx.value == cli::InlinePtx::Emulate,
            writes_header: settings.mode.is_whole(),
            platform: Platform {
                targets: &settings.targets.value,
                sdk: settings.sdk.value.as_ref(),
                tables: Some(&tables),
            },
        }),
        cuda_version: match &settings.cuda_version.value {
            CudaVersion::Is(release) => Some(release.major_minor()),
            CudaVersion::Off | CudaVersion::Project => None,
        },
        takes_project_version: settings.cuda_version.value == CudaVersion::Project,
    };
    let rules = rule_settings(settings);
    work(Run {
        settings,
        context,
        rules: &rules,
    })
}

/// Refuse a target that no table has.
fn check_targets(settings: &Settings, tables: &Tables) -> Result<(), ConfigError> {
    let known = tables.targets();
    let is_unknown = |target: &&String| !known.iter().any(|one| one.name == **target);
    let Some(target) = settings.targets.value.iter().find(is_unknown) else {
        return Ok(());
    };
    let names: Vec<&str> = known.iter().map(|one| &*one.name).collect();
    let place = match &settings.targets.origin {
        place @ Origin::File { .. } => place.to_string(),
        _ => "--target".to_owned(),
    };
    Err(ConfigError::usage(
        format!("{place}: `{target}` is no target"),
        format!("one of {}", names.join(", ")),
    ))
}

/// The rules' part of the settings.
fn rule_settings(settings: &Settings) -> RuleSettings {
    RuleSettings {
        min_evidence: settings.min_evidence.value,
        own_names: settings.own_names.value.clone(),
        unsafe_edits: settings.unsafe_edits,
        all_code: settings.all_code.value,
        import_stub: match settings.dialect.value {
            _ if !settings.stub.value => StubImport::Never,
            _ if settings.mode.is_whole() => StubImport::Beside,
            // MUSA's own names need no package to stand for them.
            Dialect::Musa => StubImport::Never,
            Dialect::Portable => StubImport::Elsewhere,
        },
        targets: settings.targets.value.clone(),
        verify_all: settings.verify == cli::Verify::Full,
        only: None,
        times: settings.timings.then(Arc::default),
        dialect: settings.dialect.value,
    }
}

/// The threads that a run works on: those of the process, or a pool where they are too many or too few.
pub(in crate::commands) struct Threads(Option<ThreadPool>);

impl Threads {
    /// Do some work on these threads.
    pub(in crate::commands) fn install<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        match &self.0 {
            Some(pool) => pool.install(work),
            None => rayon::scope(|_| work()),
        }
    }
}

/// As many threads as the user wants, or the machine has cores. The first run of the process starts the threads that the
/// process has for all other work, too: a port is written by those that translated it, which have memory at hand.
///
/// # Errors
/// When the system gives none.
pub(in crate::commands) fn threads(jobs: Option<NonZeroUsize>) -> Result<Threads> {
    let wanted = jobs.or_else(|| std::thread::available_parallelism().ok());
    let wanted = wanted.map_or(1, Into::into);
    let builder = || ThreadPoolBuilder::new().num_threads(wanted);
    if builder().build_global().is_ok() || rayon::current_num_threads() == wanted {
        return Ok(Threads(None));
    }
    let pool = builder().build().context("can't start threads")?;
    Ok(Threads(Some(pool)))
}
