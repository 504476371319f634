//! Sources that the Python of a tree hands to nvcc, and that of its port to mcc not at all, or twice.

use std::collections::{BTreeMap, BTreeSet};

use super::Ported;
use super::ported::shown;
use torchada_diagnostic::Finding;
use torchada_diagnostic::codes::build::NOT_COMPILED_ONCE;
use torchada_project::Disposition;
use torchada_project::python_builds::{HandedList, PythonBuilds};
use torchada_project::replay::SourceKey;

/// A source of the tree in a module that hands it on: the indices of both.
type SourceInModule = (usize, usize);

pub(super) fn check(ported: &Ported<'_>, found: &mut Vec<(usize, Finding)>) {
    let (project, knowledge) = (ported.project, ported.context.knowledge);
    let before = project.python_builds();
    // A module with a list for mcc has a build for MUSA of its own.
    let done: BTreeSet<usize> = of_musas(before).collect();
    let changes = |list: &&HandedList| {
        list.is_cudas && !done.contains(&list.file) && !ported.edits(list.file).is_empty()
    };
    let lists: Vec<&HandedList> = before.lists.iter().filter(changes).collect();
    if lists.is_empty() {
        return;
    }
    not_followed(ported, &lists, found);
    let mut wanted: BTreeMap<SourceInModule, (usize, &HandedList)> = BTreeMap::new();
    for list in lists {
        for file in sure(list) {
            let source = project.files.get(file);
            let is_one = source.is_some_and(|source| {
                source.disposition == Disposition::Ported
                    && source.is_renamed()
                    && knowledge.files.is_cuda(&source.path)
            });
            if is_one {
                wanted.entry((list.file, file)).or_insert((0, list)).0 += 1;
            }
        }
    }
    if wanted.is_empty() {
        return;
    }
    let after = project.python_builds_of_port(ported, knowledge);
    let reached = reached(ported, &after);
    let builds: BTreeSet<usize> = of_musas(&after).collect();
    let mut lost: BTreeMap<usize, Vec<(&HandedList, usize)>> = BTreeMap::new();
    let mut twice: BTreeMap<usize, Vec<(&HandedList, usize)>> = BTreeMap::new();
    for ((file, source), (count, list)) in wanted {
        // A module that stays CUDA's hands its sources to nvcc as before.
        if !builds.contains(&file) {
            continue;
        }
        let at = list.callee.start;
        match reached.get(&(file, source)) {
            None => lost.entry(at).or_default().push((list, source)),
            Some(&again) if again > count => twice.entry(at).or_default().push((list, source)),
            Some(_) => {}
        }
    }
    for (kind, all) in [(false, lost), (true, twice)] {
        for sources in all.into_values() {
            found.extend(finding(ported, kind, &sources));
        }
    }
}

/// The modules that hand sources to mcc.
fn of_musas(builds: &PythonBuilds) -> impl Iterator<Item = usize> + '_ {
    let lists = builds.lists.iter().filter(|list| list.is_musas);
    lists.map(|list| list.file)
}

/// The files that a list surely names, each as often as it does.
fn sure(list: &HandedList) -> impl Iterator<Item = usize> + '_ {
    let sources = list.sources.iter().filter(|source| source.is_sure);
    sources.flat_map(|source| source.files.iter().copied())
}

/// How often mcc gets each source.
fn reached(ported: &Ported<'_>, after: &PythonBuilds) -> BTreeMap<SourceInModule, usize> {
    let files = &ported.project.files;
    let mut found: BTreeMap<SourceInModule, usize> = BTreeMap::new();
    for list in after.lists.iter().filter(|list| list.is_musas) {
        let named: Vec<usize> = sure(list).collect();
        let unsure = list.sources.iter().filter(|source| !source.is_sure);
        let unsure = unsure.flat_map(|source| source.files.iter().copied());
        let is_musas = |&file: &usize| {
            let source = files.get(file);
            let table = &ported.context.knowledge.files;
            source.is_some_and(|source| table.is_musa(&source.output))
        };
        for file in named.into_iter().filter(is_musas) {
            *found.entry((list.file, file)).or_default() += 1;
        }
        for file in unsure.filter(is_musas) {
            found.entry((list.file, file)).or_insert(1);
        }
    }
    found
}

fn finding(
    ported: &Ported<'_>,
    is_twice: bool,
    sources: &[(&HandedList, usize)],
) -> Option<(usize, Finding)> {
    let (list, _) = *sources.first()?;
    let files = &ported.project.files;
    let paths = sources.iter().filter_map(|(_, file)| files.get(*file));
    let paths = shown(&paths.map(|file| &*file.path).collect::<Vec<_>>());
    let builder = &list.builder;
    let (message, help) = if is_twice {
        (
            format!("mcc gets sources twice by what `{builder}` becomes: {paths}"),
            "leave one of both out",
        )
    } else {
        (
            format!("`{builder}` hands nvcc sources that no list of the port hands mcc: {paths}"),
            "see that the lists have the new names: torch_musa compiles `.mu` with mcc, and nothing else",
        )
    };
    ported.finding(
        list.file,
        NOT_COMPILED_ONCE,
        list.callee,
        message,
        help.to_owned(),
    )
}

/// Lists of which the files do not tell all, where sources of the tree stand in no list.
fn not_followed(ported: &Ported<'_>, lists: &[&HandedList], found: &mut Vec<(usize, Finding)>) {
    let project = ported.project;
    let mut open = lists.iter().filter_map(|list| Some((list, list.open?)));
    let Some((list, place)) = open.next() else {
        return;
    };
    let mut listed: BTreeSet<usize> = BTreeSet::new();
    for list in &project.python_builds().lists {
        listed.extend(list.sources.iter().flat_map(|source| &source.files));
    }
    for list in &project.replay().targets {
        listed.extend(list.sources.iter().filter_map(|source| match source.key {
            SourceKey::File(file) => Some(file),
            SourceKey::Text(_) => None,
        }));
    }
    let included = project.files.iter().flat_map(|file| file.resolved.iter());
    listed.extend(included.flatten());
    let (named, builder) = (ported.text_at(place), &list.builder);
    let what = format!("what `{named}` gives to `{builder}`");
    let place = (list.file, list.callee);
    found.extend(ported.not_followed(place, &what, |at| listed.contains(&at)));
}
