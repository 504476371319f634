//! Sources that a makefile of the tree hands to nvcc, and that of the port not to mcc.

use std::collections::{BTreeMap, BTreeSet};

use super::Ported;
use super::ported::shown;
use torchada_diagnostic::Finding;
use torchada_diagnostic::codes::build::NOT_COMPILED_ONCE;
use torchada_project::Disposition;
use torchada_project::make_builds::MakeBuilds;
use torchada_text::TextRange;

pub(super) fn check(ported: &Ported<'_>, found: &mut Vec<(usize, Finding)>) {
    let (project, knowledge) = (ported.project, ported.context.knowledge);
    let before = project.make_builds(knowledge);
    not_followed(ported, &before, found);
    // A makefile that the port leaves as it is still hands its sources to nvcc.
    let made = before.made.keys().map(|(file, _)| *file);
    let mut wanted = before.compiled.keys().map(|(file, _)| *file).chain(made);
    if !wanted.any(|file| !ported.edits(file).is_empty()) {
        return;
    }
    let after = project.make_builds_of_port(&|index| ported.new_text(index), knowledge);
    let mut lost: BTreeMap<(usize, TextRange), Vec<&str>> = BTreeMap::new();
    for (&(file, source), &rule) in &before.compiled {
        let Some(one) = project.files.get(source) else {
            continue;
        };
        let is_ported = one.disposition == Disposition::Ported && !ported.edits(file).is_empty();
        if is_ported && !after.compiled.contains_key(&(file, source)) {
            lost.entry((file, rule)).or_default().push(&one.path);
        }
    }
    for ((file, stem), (rule, name)) in &before.made {
        if !ported.edits(*file).is_empty() && !after.made.contains_key(&(*file, stem.clone())) {
            lost.entry((*file, *rule)).or_default().push(name);
        }
    }
    for ((file, rule), sources) in lost {
        let message = format!(
            "this rule hands nvcc sources that no rule of the port hands mcc: {}",
            shown(&sources)
        );
        let help = "see that the rules and the lists of objects have the new names of the sources";
        found.extend(ported.finding(file, NOT_COMPILED_ONCE, rule, message, help.to_owned()));
    }
}

/// Variables that a program fills, where sources of the tree stand in no rule.
fn not_followed(ported: &Ported<'_>, before: &MakeBuilds, found: &mut Vec<(usize, Finding)>) {
    let compiled: BTreeSet<usize> = before.compiled.keys().map(|&(_, source)| source).collect();
    for &place in &before.open {
        let what = format!("what `{}` holds", ported.text_at(place));
        found.extend(ported.not_followed(place, &what, |at| compiled.contains(&at)));
    }
}
