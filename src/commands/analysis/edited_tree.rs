//! The facts of a tree while somebody edits single files of it: the tree is read once, and each text of a file is
//! translated against what the other files say.

use std::path::Path;

use anyhow::{Context as _, Result};
use rustc_hash::FxHashMap;

use super::file_analysis::{SharedAnswers, TreeAnalysis};
use super::limits::{exceeds, too_much};
use super::overlay::FileOverlay;
use super::setup::{Run, threads};
use super::single_file::{TranslatedFile, name_in};
use super::texts::KEEP_ALL;
use super::translate_tree::translate_in_tree;
use super::translated::Translated;
use super::{inputs, split_decisions};
use crate::progress::Progress;
use crate::project::python::{EditDependence, EditedTrees, ModuleIndex, PackedTrees, Trees};
use crate::project::{Context, Project};
use crate::rules::RuleSettings;
use crate::rules::build::TreeScripts;
use crate::rules::cpp::PastingPlans;
use crate::rules::python::Summaries;
use crate::rules::python::reach::{self, Reaches};

/// The facts of a tree as it was read, and a copy of its project in which files have the texts that somebody edits.
pub(in crate::commands) struct EditedTree<'h, 'p> {
    root: &'h Path,
    roots: Vec<String>,
    saved: &'p Project,
    edited: Project,
    index: &'h ModuleIndex<'p>,
    trees: &'h Trees<'p>,
    reaches: &'h Reaches,
    context: Context<'h>,
    rules: &'h RuleSettings,
    /// What the translations of each file that somebody edits have found out about the others.
    kept: FxHashMap<usize, LastingAnswers>,
}

/// Answers that outlast a text of a file.
struct LastingAnswers {
    looks: EditDependence,
    summaries: Summaries,
}

/// Read the tree that the settings name, and do some `work` with its facts.
///
/// # Errors
/// When the tree can't be listed.
pub(in crate::commands) fn with_edited_tree<T>(
    run: Run<'_>,
    progress: &dyn Progress,
    work: impl FnOnce(&mut EditedTree<'_, '_>) -> T,
) -> Result<T> {
    let Run {
        settings, rules, ..
    } = run;
    let root = settings.root().context("no input tree")?;
    let overlay = FileOverlay::default();
    let pool = threads(settings.jobs)?;
    let gathered = pool.install(|| inputs::gather(run, &overlay, KEEP_ALL, progress))?;
    let (project, context) = (gathered.project, gathered.context);
    let importers = &context.knowledge.python_values.importers;
    let index = pool.install(|| ModuleIndex::new(&project, context));
    let trees = Trees::new(&index, rules.verify_all, importers, PackedTrees::default());
    let reaches = pool.install(|| reach::of_tree(&index, &trees, context, rules));
    drop(pool);
    let mut tree = EditedTree {
        root,
        roots: inputs::options(settings, &gathered.walk.root).include_roots,
        saved: &project,
        edited: project.clone(),
        index: &index,
        trees: &trees,
        reaches: &reaches,
        context,
        rules,
        kept: FxHashMap::default(),
    };
    progress.end();
    Ok(work(&mut tree))
}

impl EditedTree<'_, '_> {
    /// Translate a text of the file at `path`, with the path that its port gets; `None` where the file is none that the
    /// tree was read for.
    pub(in crate::commands) fn translate(
        &mut self,
        path: &Path,
        text: &[u8],
    ) -> Option<(TranslatedFile, String)> {
        let name = name_in(self.root, path);
        let at = self.saved.places.file_at(&name)?;
        let file = self.saved.files.get(at)?;
        let output = file.output.to_string();
        let of_one = |translated: Translated| TranslatedFile {
            name: name.clone(),
            old: text.to_vec(),
            translated,
        };
        if file.text.is_none() {
            return Some((of_one(Translated::default()), output));
        }
        let limits = &self.context.knowledge.files.limits;
        if let Some(why) = exceeds(file.class, &name, text, limits) {
            let translated = Translated {
                findings: vec![too_much(&name, &why)],
                ..Translated::default()
            };
            return Some((of_one(translated), output));
        }
        self.edited
            .edit(self.saved, at, text.to_vec(), &self.roots, self.context);
        let mut index = self.index.edited(&self.edited, at);
        let kept = self.kept.remove(&at);
        let looks = index.watch(at, kept.as_ref().map(|kept| kept.looks.clone()));
        let kept = match kept {
            Some(mut kept) if kept.looks.is_same(&looks) => {
                kept.summaries.forget_edited();
                kept
            }
            _ => LastingAnswers {
                summaries: Summaries::new(&looks),
                looks,
            },
        };
        let trees = EditedTrees::new(self.trees, &index, at);
        let tree = TreeAnalysis {
            project: &self.edited,
            modules: &index,
            trees: &trees,
            shared: SharedAnswers {
                summaries: &kept.summaries,
                reaches: self.reaches,
                scripts: &TreeScripts::default(),
                pasting_plans: &PastingPlans::default(),
            },
            context: self.context,
            settings: self.rules,
        };
        let mut done = vec![translate_in_tree(tree, at)];
        let found = {
            let of = |file: usize| done.first().filter(|_| file == at);
            split_decisions::found(tree, &[at], &of)
        };
        let places = std::iter::once((at, 0)).collect();
        split_decisions::report(&self.edited, found, &places, &mut done);
        self.kept.insert(at, kept);
        Some((of_one(done.pop().unwrap_or_default()), output))
    }

    /// Let a file have the text again with which the tree was read: nobody edits it any more.
    pub(in crate::commands) fn release(&mut self, path: &Path) {
        let name = name_in(self.root, path);
        let at = self.saved.places.file_at(&name);
        let saved = at.and_then(|at| Some(self.saved.files.get(at)?.text.as_deref()?.to_vec()));
        if let (Some(at), Some(text)) = (at, saved) {
            self.kept.remove(&at);
            self.edited
                .edit(self.saved, at, text, &self.roots, self.context);
        }
    }
}
