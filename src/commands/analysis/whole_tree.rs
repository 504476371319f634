//! A whole tree, read and translated.

use std::sync::Arc;

use anyhow::Result;

use super::inputs::{Gathered, gather};
use super::listing_digest::ListingDigest;
use super::names_taken_back::take_back;
use super::overlay::FileOverlay;
use super::read_file::UnreadableFile;
use super::setup::{Run, threads};
use super::texts::{KEEP_ALL, TreeTexts};
use super::translate_tree::translate_files;
use super::translated::Translated;
use crate::config::Mode;
use crate::diagnostic::Finding;
use crate::edit::Edits;
use crate::mapping::{Dialect, safety};
use crate::progress::{Phase, Progress};
use crate::project::Project;
use crate::rules::lints;
use crate::walk::Walk;

/// A tree after translation, before anything is written.
pub(in crate::commands) struct TranslatedTree {
    /// The listing.
    pub(in crate::commands) walk: Walk,
    /// The digest of everything that decided which files are input.
    pub(in crate::commands) digest: ListingDigest,
    /// Its files and what they say to each other; in the order of the listing.
    pub(in crate::commands) project: Project,
    /// For each file of the listing, what became of it.
    pub(in crate::commands) translated: Vec<Translated>,
    /// Findings about reading.
    pub(in crate::commands) findings: Vec<Finding>,
    /// Files that matter and could not be read.
    pub(in crate::commands) unread: Vec<UnreadableFile>,
    /// Whether C++ stays CUDA's, for the build to port.
    pub(in crate::commands) leaves_cpp: bool,
    /// The reader of the texts that are not kept.
    pub(in crate::commands) texts: Arc<TreeTexts>,
}

/// Read and translate the tree that the settings name, on as many threads as they say.
///
/// # Errors
/// When the tree can't be listed, or changes while it is read.
pub(in crate::commands) fn tree(run: Run<'_>, progress: &dyn Progress) -> Result<TranslatedTree> {
    tree_with(run, &FileOverlay::default(), progress)
}

/// Translate a tree, with other texts in place of some of the files.
///
/// # Errors
/// When the tree can't be listed, or changes while it is read.
pub(in crate::commands) fn tree_with(
    run: Run<'_>,
    overlay: &FileOverlay,
    progress: &dyn Progress,
) -> Result<TranslatedTree> {
    // Where the output lies in the input, what is written may stand in the place of what was read.
    let kept = match run.settings.mode {
        Mode::Layout { .. } | Mode::InPlace { .. } => KEEP_ALL,
        _ => safety::BYTES_TEXTS_KEPT,
    };
    tree_keeping(kept, run, overlay, progress)
}

/// Translate a tree, of which at most so many bytes of text are kept.
///
/// # Errors
/// When the tree can't be listed, or changes while it is read.
pub(super) fn tree_keeping(
    kept: u64,
    run: Run<'_>,
    overlay: &FileOverlay,
    progress: &dyn Progress,
) -> Result<TranslatedTree> {
    threads(run.settings.jobs)?.install(|| {
        let Gathered {
            walk,
            digest,
            mut project,
            context,
            findings,
            unread,
            texts,
        } = gather(run, overlay, kept, progress)?;
        let run = Run { context, ..run };
        let all: Vec<usize> = (0..project.files.len()).collect();
        let mut translated = translate_files(&project, &all, &[], run, progress);
        // A name goes back once at most, so this ends.
        loop {
            let stale;
            (project, stale) = take_back(project, &translated);
            if stale.is_empty() {
                break;
            }
            let again = translate_files(&project, &stale, &translated, run, progress);
            for (index, one) in stale.into_iter().zip(again) {
                if let Some(slot) = translated.get_mut(index) {
                    *slot = one;
                }
            }
        }
        let edits: Vec<Edits> = translated.iter().map(|one| one.edits.clone()).collect();
        let ported = lints::Ported::new(&project, &edits, context);
        progress.begin(Phase::Compare, None);
        let looks = run.rules.runs(lints::NAME);
        for (index, finding) in looks.then(|| lints::check(&ported)).into_iter().flatten() {
            if let Some(one) = translated.get_mut(index) {
                one.findings.push(finding);
            }
        }
        if texts.are_forgotten() {
            project.forget_texts();
        }
        progress.end();
        texts.check()?;
        Ok(TranslatedTree {
            walk,
            digest,
            project,
            translated,
            findings,
            unread,
            leaves_cpp: run.settings.dialect.value == Dialect::Portable,
            texts,
        })
    })
}
