//! Translates the files of a tree, in parallel.

use rustc_hash::FxHashMap;

use super::file_analysis::{SharedAnswers, TreeAnalysis};
use super::setup::Run;
use super::split_decisions;
use super::stage_texts::StageTexts;
use super::translate::translate;
use super::translated::Translated;
use crate::parallel::largest_first;
use crate::progress::{Phase, Progress};
use crate::project::Project;
use crate::project::python::ModuleIndex;
use crate::rules::build::TreeScripts;
use crate::rules::cpp::PastingPlans;
use crate::rules::python::Summaries;
use crate::rules::python::reach;

/// Translate some files of a project, in parallel. `earlier` has what became of the others.
pub(super) fn translate_files(
    project: &Project,
    which: &[usize],
    earlier: &[Translated],
    run: Run<'_>,
    progress: &dyn Progress,
) -> Vec<Translated> {
    let (context, settings) = (run.context, run.rules);
    progress.begin(Phase::Translate, Some(which.len()));
    if which.is_empty() {
        return Vec::new();
    }
    let index = ModuleIndex::new(project, context);
    let texts = StageTexts::new(project, &index, context, settings);
    let reaches = texts.during(|_, index, trees| reach::of_tree(index, trees, context, settings));
    let (summaries, scripts) = (Summaries::default(), TreeScripts::default());
    let pasting_plans = PastingPlans::default();
    let shared = SharedAnswers {
        summaries: &summaries,
        reaches: &reaches,
        scripts: &scripts,
        pasting_plans: &pasting_plans,
    };
    let mut done = texts.in_parts(which, shared, |part, tree| {
        largest_first(
            part.iter().copied(),
            |&at| texts.size(at),
            |at| {
                let done = translate_in_tree(tree, at);
                progress.step();
                done
            },
        )
    });
    let places: FxHashMap<usize, usize> = which.iter().copied().zip(0..).collect();
    let of = |file: usize| match places.get(&file) {
        Some(&at) => done.get(at),
        None => earlier.get(file),
    };
    let found = texts.in_parts(which, shared, |part, tree| {
        split_decisions::found(tree, part, &of)
    });
    texts.during(|project, _, _| split_decisions::report(project, found, &places, &mut done));
    if let Some(times) = &settings.times {
        for (what, time) in times.take() {
            progress.spent(what, time);
        }
        let (nodes, visits) = times.take_passes();
        progress.passed(nodes, visits);
    }
    drop(texts);
    index.free();
    done
}

/// Translate the file at a place, and note what the tree says of where it is built and loaded.
pub(super) fn translate_in_tree(tree: TreeAnalysis<'_, '_>, at: usize) -> Translated {
    let mut done = translate(tree, at);
    if tree.settings.all_code {
        done.branches_not_built.clear();
    } else {
        let built = &tree.project.built;
        let newest = tree.context.knowledge.shapes.guards.newest_architecture();
        let absence = built.absence(at).cloned();
        done.not_built = absence.or_else(|| tree.shared.reaches.of(at).not_reached(newest));
        done.branches_not_built
            .extend_from_slice(built.branches(at));
    }
    done.loaded_package = tree.modules.loaded_package(at);
    done.shrink();
    done
}
