//! What a port of an input would do, up to the point where something is written: the part that
//! `port` and `check` share.

mod account;
mod build;
mod cython;
mod earlier;
mod inputs;
mod limits;
mod listing_digest;
mod names;
mod notebook;
mod one;
mod overlay;
mod pull;
mod python;
mod translate;

use std::num::NonZeroUsize;

use anyhow::{Context as _, Result};
use rayon::{ThreadPool, ThreadPoolBuilder};

pub(super) use account::failed;
pub(super) use inputs::{Unread, is_stubbed, listing};
pub(super) use listing_digest::ListingDigest;
pub(super) use one::{One, one, several};
pub(super) use overlay::FileOverlay;
pub(super) use translate::{Translated, alias_headers};

use crate::cli;
use crate::config::{ConfigError, Settings};
use crate::diagnostic::{Code, Finding};
use crate::edit::Edits;
use crate::hazards::Hazards;
use crate::mapping::knowledge::Knowledge;
use crate::mapping::{Tables, Version};
use crate::parallel::largest_first;
use crate::progress::{Phase, Progress};
use crate::project::python::{Index, Trees};
use crate::project::{Context, NameParts, Project};
use crate::rules::build::Makefiles;
use crate::rules::python::Summaries;
use crate::rules::{Dialect, RuleSettings, StubImport, lints};
use crate::walk::Walk;
use inputs::Gathered;
use translate::{AnalysisContext, translate};

/// All codes of this folder.
pub(super) const CODES: &[Code] = &[
    inputs::NOT_TEXT,
    limits::TOO_MANY_INCLUDES,
    limits::TOO_MUCH,
    inputs::PYTHON_LEFT,
    inputs::BUILD_LEFT,
    notebook::NO_NOTEBOOK,
    notebook::MAGIC_LEFT,
    notebook::ACROSS_LINES,
    cython::NAME_LEFT,
    account::FILE_FAILED,
    translate::RULE_FAILED,
    names::NAME_TAKEN_BACK,
];

/// Translate some files of a project, in parallel.
fn translate_files(
    project: &Project,
    which: &[usize],
    context: Context<'_>,
    settings: &RuleSettings,
    progress: &dyn Progress,
) -> Vec<Translated> {
    progress.begin(Phase::Translate, Some(which.len()));
    if which.is_empty() {
        return Vec::new();
    }
    let index = Index::new(project, context);
    let analysis = AnalysisContext {
        project,
        index: &index,
        trees: &Trees::new(&index, settings.verify_all),
        summaries: &Summaries::default(),
        makefiles: &Makefiles::default(),
        context,
        settings,
    };
    let size = |&at: &usize| {
        let file = project.files.get(at);
        let text = file.and_then(|file| file.text.as_ref());
        text.map_or(0, Vec::len)
    };
    largest_first(which.iter().copied(), size, |at| {
        let done = translate(analysis, at);
        progress.step();
        done
    })
}

/// Do something with the tables and the rules' settings that `settings` ask for.
///
/// # Errors
/// A fault in a table of the user's, or what `work` gives.
pub(super) fn with_context<T>(
    settings: &Settings,
    work: impl FnOnce(Context<'_>, &RuleSettings) -> Result<T>,
) -> Result<T> {
    let tables = Tables::for_run(&settings.overlays()?, &settings.versions())?;
    let parts = NameParts::new(&tables);
    let knowledge = Knowledge::builtin();
    for target in &settings.targets.value {
        let known = tables.targets();
        if !known.iter().any(|one| one.name == *target) {
            let names: Vec<&str> = known.iter().map(|one| &*one.name).collect();
            return Err(ConfigError::usage(
                format!("`{target}` is no target"),
                format!("one of {}", names.join(", ")),
            )
            .into());
        }
    }
    let hazards = Hazards::new(&tables, &knowledge.shapes, &settings.targets.value);
    let context = Context {
        tables: &tables,
        knowledge,
        parts: &parts,
        hazards: &hazards,
        cuda_version: settings
            .cuda_version
            .value
            .as_ref()
            .map(Version::major_minor),
    };
    let rules = RuleSettings {
        min_evidence: settings.min_evidence.value,
        own_names: settings.own_names.value.clone(),
        cuda_version: settings
            .cuda_version
            .value
            .as_ref()
            .map(Version::major_minor),
        unsafe_edits: settings.unsafe_edits,
        import_stub: match settings.dialect.value {
            _ if !settings.stub.value => StubImport::Never,
            _ if settings.mode.is_whole() => StubImport::Beside,
            // MUSA's own names need no package to stand for them.
            cli::Dialect::Musa => StubImport::Never,
            cli::Dialect::Portable => StubImport::Elsewhere,
        },
        targets: settings.targets.value.clone(),
        verify_all: settings.verify == cli::Verify::Full,
        dialect: match settings.dialect.value {
            cli::Dialect::Musa => Dialect::Musa,
            cli::Dialect::Portable => Dialect::Portable,
        },
    };
    work(context, &rules)
}

/// As many threads as the user wants, or the machine has cores.
///
/// # Errors
/// When the system gives none.
pub(super) fn threads(jobs: Option<NonZeroUsize>) -> Result<ThreadPool> {
    ThreadPoolBuilder::new()
        .num_threads(jobs.map_or(0, Into::into))
        .build()
        .context("can't start threads")
}

/// A tree after translation, before anything is written.
pub(super) struct Tree {
    /// The listing.
    pub(super) walk: Walk,
    /// What decided it.
    pub(super) digest: ListingDigest,
    /// Its files and what they say to each other; in the order of the listing.
    pub(super) project: Project,
    /// For each file of the listing, what became of it.
    pub(super) translated: Vec<Translated>,
    /// Findings about reading.
    pub(super) findings: Vec<Finding>,
    /// Files that matter and could not be read.
    pub(super) unread: Vec<Unread>,
}

/// Read and translate the tree that `settings` name, on as many threads as they say.
///
/// # Errors
/// When the tree can't be listed.
pub(super) fn tree(
    settings: &Settings,
    context: Context<'_>,
    rules: &RuleSettings,
    progress: &dyn Progress,
) -> Result<Tree> {
    tree_with(settings, context, rules, &FileOverlay::default(), progress)
}

/// The same, with other texts in place of some of the files.
///
/// # Errors
/// When the tree can't be listed.
pub(super) fn tree_with(
    settings: &Settings,
    context: Context<'_>,
    rules: &RuleSettings,
    overlay: &FileOverlay,
    progress: &dyn Progress,
) -> Result<Tree> {
    threads(settings.jobs)?.install(|| {
        let root = settings.root().context("no input tree")?;
        let Gathered {
            walk,
            digest,
            mut project,
            findings,
            unread,
        } = inputs::gather(settings, root, context, overlay, progress)?;
        let all: Vec<usize> = (0..project.files.len()).collect();
        let mut translated = translate_files(&project, &all, context, rules, progress);
        // A name goes back once at most, so this ends.
        loop {
            let stale = names::take_back(&mut project, &translated);
            if stale.is_empty() {
                break;
            }
            let again = translate_files(&project, &stale, context, rules, progress);
            for (index, one) in stale.into_iter().zip(again) {
                if let Some(slot) = translated.get_mut(index) {
                    *slot = one;
                }
            }
        }
        let edits: Vec<Edits> = translated.iter().map(|one| one.edits.clone()).collect();
        let ported = lints::Ported {
            project: &project,
            edits: &edits,
            context,
        };
        for (index, finding) in lints::check(&ported) {
            if let Some(one) = translated.get_mut(index) {
                one.findings.push(finding);
            }
        }
        progress.end();
        Ok(Tree {
            walk,
            digest,
            project,
            translated,
            findings,
            unread,
        })
    })
}
