//! Looks for names that the port of Python decides apart, once all modules are translated.

use rustc_hash::FxHashMap;

use super::file_analysis::TreeAnalysis;
use super::python;
use super::translated::Translated;
use crate::classify::FileKind;
use crate::diagnostic::Finding;
use crate::mapping::Dialect;
use crate::parallel;
use crate::project::{Project, Source};
use crate::rules::python::split_decisions::ConflictingName;
use crate::rules::python::{Memo, split_decisions};
use crate::text::{TextRange, contains};

/// Look for such names of some files. `of` gives what became of a file.
pub(super) fn found<'t>(
    tree: TreeAnalysis<'_, '_>,
    files: &[usize],
    of: &(dyn Fn(usize) -> Option<&'t Translated> + Sync),
) -> Vec<ConflictingName> {
    let (project, settings) = (tree.project, tree.settings);
    // A project with code for MUSA has words of its own for both.
    let modules = tree.modules.for_file(0);
    if settings.dialect != Dialect::Musa
        || !settings.runs(split_decisions::NAME)
        || modules.has_musa()
    {
        return Vec::new();
    }
    // A place that takes both names has CUDA's as before.
    let is_edited = |file: usize, range: TextRange| {
        let text = project.files.get(file).and_then(|one| one.text.as_deref());
        let written = text.map_or(&[][..], |text| range.of(text));
        of(file).is_some_and(|one| {
            let mut edits = one.edits.iter().filter(|edit| edit.range.overlaps(range));
            edits.any(|edit| !contains(&edit.replacement, written))
        })
    };
    parallel::flat_map(files, |&at| {
        let one = of(at).filter(|_| is_module(tree, project.files.get(at)));
        one.map_or_else(Vec::new, |one| look(tree, at, one, &is_edited))
    })
}

/// Report the names that were found in the files of `places`, each of which has its place in `done`.
pub(super) fn report(
    project: &Project,
    found: Vec<ConflictingName>,
    places: &FxHashMap<usize, usize>,
    done: &mut [Translated],
) {
    let file = |at: usize| {
        let file: &Source = project.files.get(at)?;
        Some((&*file.path, file.text.as_deref()?))
    };
    for (at, finding) in split_decisions::report(found, &file) {
        if let Some(one) = places.get(&at).and_then(|&at| done.get_mut(at)) {
            let is_covered = |other: &Finding| {
                split_decisions::is_undecided(other) && other.range == finding.range
            };
            one.findings.retain(|other| !is_covered(other));
            one.findings.push(finding);
        }
    }
}

/// Whether a file is a module of Python, and no notebook or other file that has Python in it.
fn is_module(tree: TreeAnalysis<'_, '_>, file: Option<&Source>) -> bool {
    let embedded = &tree.context.knowledge.embedded;
    file.is_some_and(|file| {
        file.class.kind == FileKind::Python
            && !embedded.notebook.has(&file.path)
            && !embedded.cython.has(&file.path)
    })
}

fn look(
    tree: TreeAnalysis<'_, '_>,
    index: usize,
    done: &Translated,
    is_edited: &(dyn Fn(usize, TextRange) -> bool + Sync),
) -> Vec<ConflictingName> {
    let stays = split_decisions::stays(&done.findings, &done.kept);
    if stays.is_empty() {
        return Vec::new();
    }
    let modules = tree.modules.for_file(index);
    let trees = tree.trees.pin();
    let memo = Memo::new(modules.looks());
    python::view(tree, &modules, &*trees, &memo, index).map_or_else(Vec::new, |view| {
        split_decisions::look(&view, &stays, is_edited)
    })
}
