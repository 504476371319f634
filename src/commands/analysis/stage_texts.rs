//! Gives the stages of a translation the texts of a tree. Those of a large tree are read part by part, and forgotten behind
//! each.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::file_analysis::{SharedAnswers, TreeAnalysis};
use crate::mapping::safety;
use crate::parallel;
use crate::project::python::{ModuleIndex, PackedTrees, Trees};
use crate::project::{Context, FileText, Project};
use crate::rules::RuleSettings;

/// How many parts of a large tree are worked on at once, so that no thread waits for the last file of a part.
const LANES: usize = 2;

/// How many bytes of text are translated before the texts that were read for it are forgotten. In tests that is a file.
const BYTES_TOGETHER: u64 = if cfg!(test) {
    1
} else {
    safety::BYTES_TEXTS_TOGETHER
};

/// The texts of a tree and the trees that are made of them, for one stage after the other.
pub(super) struct StageTexts<'p> {
    project: &'p Project,
    index: &'p ModuleIndex<'p>,
    context: Context<'p>,
    settings: &'p RuleSettings,
    /// If all texts are in memory, each stage uses the trees that the stages before it have made.
    trees: Option<Trees<'p>>,
    /// What all stages keep of trees.
    packed: PackedTrees,
}

impl<'p> StageTexts<'p> {
    /// The texts of a project, whose modules are those of `index`.
    pub(super) fn new(
        project: &'p Project,
        index: &'p ModuleIndex<'p>,
        context: Context<'p>,
        settings: &'p RuleSettings,
    ) -> Self {
        let mut texts = Self {
            project,
            index,
            context,
            settings,
            trees: None,
            packed: PackedTrees::default(),
        };
        if project.holds_all_texts() {
            texts.trees = Some(texts.trees_of(index));
        }
        texts
    }

    fn trees_of<'c>(&self, index: &ModuleIndex<'c>) -> Trees<'c>
    where
        'p: 'c,
    {
        let importers = &self.context.knowledge.python_values.importers;
        let packed = self.packed.clone();
        Trees::new(index, self.settings.verify_all, importers, packed)
    }

    /// Work on the tree as a whole.
    pub(super) fn during<R>(
        &self,
        work: impl FnOnce(&Project, &ModuleIndex<'_>, &Trees<'_>) -> R,
    ) -> R {
        match &self.trees {
            Some(trees) => work(self.project, self.index, trees),
            None => self.on(&self.project.clone(), work),
        }
    }

    /// Work on a copy of the project, which then has the texts that were read.
    fn on<R>(
        &self,
        copy: &Project,
        work: impl FnOnce(&Project, &ModuleIndex<'_>, &Trees<'_>) -> R,
    ) -> R {
        let index = self.index.of_copy(copy);
        let trees = self.trees_of(&index);
        work(copy, &index, &trees)
    }

    /// What `work` makes of files, in their order. It gets those together whose texts are in memory together.
    pub(super) fn in_parts<R: Send>(
        &self,
        files: &[usize],
        shared: SharedAnswers<'_>,
        work: impl Fn(&[usize], TreeAnalysis<'_, '_>) -> Vec<R> + Sync,
    ) -> Vec<R> {
        let work =
            |part: &[usize], project: &Project, index: &ModuleIndex<'_>, trees: &Trees<'_>| {
                let tree = TreeAnalysis {
                    project,
                    modules: index,
                    trees,
                    shared,
                    context: self.context,
                    settings: self.settings,
                };
                work(part, tree)
            };
        if let Some(trees) = &self.trees {
            return work(files, self.project, self.index, trees);
        }
        let parts = self.parts(files);
        let next = AtomicUsize::new(0);
        let mut done = parallel::flat_map(0..LANES, |_| {
            let mut copy = self.project.clone();
            let mut done = Vec::new();
            loop {
                let at = next.fetch_add(1, Ordering::Relaxed);
                let Some(part) = parts.get(at) else {
                    return done;
                };
                let of_part = self.on(&copy, |project, index, trees| {
                    work(part, project, index, trees)
                });
                done.push((at, of_part));
                copy.forget_texts();
            }
        });
        done.sort_unstable_by_key(|(at, _)| *at);
        done.into_iter().flat_map(|(_, of_part)| of_part).collect()
    }

    /// How many bytes of text a file has.
    pub(super) fn size(&self, file: usize) -> usize {
        let file = self.project.files.get(file);
        let text = file.and_then(|file| file.text.as_ref());
        text.map_or(0, FileText::len)
    }

    /// Files in parts, each of as many files as are worked on together.
    fn parts<'w>(&self, files: &'w [usize]) -> Vec<&'w [usize]> {
        let mut parts = Vec::new();
        let mut rest = files;
        while !rest.is_empty() {
            let mut sum = 0;
            let length = rest
                .iter()
                .take_while(|&&at| {
                    let fits = sum < BYTES_TOGETHER;
                    sum += self.size(at) as u64;
                    fits
                })
                .count();
            let (part, others) = rest.split_at(length.max(1));
            parts.push(part);
            rest = others;
        }
        parts
    }
}
