//! Translates the files of a tree, in parallel.

use rustc_hash::FxHashMap;

use super::split_decisions;
use super::translate::translate;
use super::translated::{AnalysisContext, Translated};
use crate::mapping::safety;
use crate::parallel::largest_first;
use crate::progress::{Phase, Progress};
use crate::project::python::{ModuleIndex, Trees};
use crate::project::{Context, FileText, Project};
use crate::rules::RuleSettings;
use crate::rules::build::TreeScripts;
use crate::rules::cpp::PastingPlans;
use crate::rules::python::Summaries;
use crate::rules::python::reach::{self, Reaches};

/// Translate some files of a project, in parallel. `earlier` has what became of the others.
pub(super) fn translate_files(
    project: &Project,
    which: &[usize],
    earlier: &[Translated],
    context: Context<'_>,
    settings: &RuleSettings,
    progress: &dyn Progress,
) -> Vec<Translated> {
    progress.begin(Phase::Translate, Some(which.len()));
    if which.is_empty() {
        return Vec::new();
    }
    let index = ModuleIndex::new(project, context);
    let importers = &context.knowledge.python_values.importers;
    let trees = Trees::new(&index, settings.verify_all, importers);
    // If all texts are in memory, each stage uses the trees that the stages before it have made.
    let are_in_memory = project.holds_all_texts();
    // Where they are read again, all stages have one copy of the project, which forgets them behind each.
    let mut copy = (!are_in_memory).then(|| project.clone());
    let mut with_texts = |work: &mut dyn FnMut(&Project, &ModuleIndex<'_>, &Trees<'_>)| {
        let Some(project) = &mut copy else {
            return work(project, &index, &trees);
        };
        let own = index.of_copy(project);
        let trees = Trees::new(&own, settings.verify_all, importers);
        work(project, &own, &trees);
        drop((trees, own));
        project.forget_texts();
    };
    let mut reaches = Reaches::default();
    with_texts(&mut |_, index, trees| reaches = reach::of_tree(index, trees, context, settings));
    let (summaries, scripts) = (Summaries::default(), TreeScripts::default());
    let pasting_plans = PastingPlans::default();
    let mut analyse = |work: &mut dyn FnMut(AnalysisContext<'_, '_>)| {
        with_texts(&mut |project, index, trees| {
            work(AnalysisContext {
                project,
                index,
                trees,
                summaries: &summaries,
                reaches: &reaches,
                scripts: &scripts,
                pasting_plans: &pasting_plans,
                context,
                settings,
            });
        });
    };
    let size = |at: usize| {
        let text = project.files.get(at).and_then(|file| file.text.as_ref());
        text.map_or(0, FileText::len)
    };
    let parts = if are_in_memory {
        vec![which]
    } else {
        parts(which, &size)
    };
    let mut done = Vec::with_capacity(which.len());
    for &part in &parts {
        analyse(&mut |analysis| {
            done.extend(largest_first(
                part.iter().copied(),
                |&at| size(at),
                |at| {
                    let done = translate_in_tree(analysis, at);
                    progress.step();
                    done
                },
            ));
        });
    }
    let places: FxHashMap<usize, usize> = which.iter().copied().zip(0..).collect();
    let of = |file: usize| match places.get(&file) {
        Some(&at) => done.get(at),
        None => earlier.get(file),
    };
    let mut found = Vec::new();
    for part in parts {
        analyse(&mut |analysis| found.extend(split_decisions::found(analysis, part, &of)));
    }
    let own = copy.as_ref().unwrap_or(project);
    split_decisions::report(own, found, &places, &mut done);
    if let Some(times) = &settings.times {
        for (what, time) in times.take() {
            progress.spent(what, time);
        }
        let (nodes, visits) = times.take_passes();
        progress.passed(nodes, visits);
    }
    done
}

/// How many bytes of text are translated before the texts that were read for it are forgotten. In tests that is a file.
const BYTES_TOGETHER: u64 = if cfg!(test) {
    1
} else {
    safety::BYTES_TEXTS_TOGETHER
};

/// Files in parts, each of as many files as are translated together.
fn parts<'w>(which: &'w [usize], size: &dyn Fn(usize) -> usize) -> Vec<&'w [usize]> {
    let mut parts = Vec::new();
    let mut rest = which;
    while !rest.is_empty() {
        let mut sum = 0;
        let length = rest
            .iter()
            .take_while(|&&at| {
                let fits = sum < BYTES_TOGETHER;
                sum += size(at) as u64;
                fits
            })
            .count();
        let (part, others) = rest.split_at(length.max(1));
        parts.push(part);
        rest = others;
    }
    parts
}

/// Translate the file at a place, and note what the tree says of where it is built and loaded.
pub(super) fn translate_in_tree(analysis: AnalysisContext<'_, '_>, at: usize) -> Translated {
    let mut done = translate(analysis, at);
    if analysis.settings.all_code {
        done.branches_not_built.clear();
    } else {
        let built = &analysis.project.built;
        let newest = analysis
            .context
            .knowledge
            .shapes
            .guards
            .newest_architecture();
        let absence = built.absence(at).cloned();
        done.not_built = absence.or_else(|| analysis.reaches.of(at).not_reached(newest));
        done.branches_not_built
            .extend_from_slice(built.branches(at));
    }
    done.loaded_package = analysis.index.loaded_package(at);
    done.shrink();
    done
}
