//! Sources that a makefile of the tree hands to nvcc, and that of the port not to mcc.

use std::collections::{BTreeMap, BTreeSet};

use super::Ported;
use super::builds::shown;
use torchada_diagnostic::Finding;
use torchada_diagnostic::codes::build::{NOT_COMPILED_ONCE, NOT_FOLLOWED};
use torchada_project::make_builds::MakeBuilds;
use torchada_project::{Disposition, paths};
use torchada_text::TextRange;

pub(super) fn check(ported: &Ported<'_>, found: &mut Vec<(usize, Finding)>) {
    let (project, knowledge) = (ported.project, ported.context.knowledge);
    let before = project.make_builds(knowledge);
    not_followed(ported, &before, found);
    // A makefile that the port leaves as it is still hands its sources to nvcc.
    let mut wanted = before.compiled.keys();
    if !wanted.any(|&(file, _)| !ported.edits(file).is_empty()) {
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
    let project = ported.project;
    let compiled: BTreeSet<usize> = before.compiled.keys().map(|&(_, source)| source).collect();
    for &(file, variable) in &before.open {
        let Some(makefile) = project.files.get(file) else {
            continue;
        };
        let folder = paths::folder(&makefile.path);
        let files = project.files.iter().enumerate();
        let left: Vec<&str> = files
            .filter(|(at, source)| {
                let rest = source.path.strip_prefix(folder);
                source.is_renamed()
                    && ported.context.knowledge.files.is_cuda(&source.path)
                    && rest.is_some_and(|rest| folder.is_empty() || rest.starts_with('/'))
                    && !compiled.contains(at)
            })
            .map(|(_, source)| &*source.path)
            .collect();
        if left.is_empty() {
            continue;
        }
        let text = makefile.text.as_deref().unwrap_or_default();
        let name = String::from_utf8_lossy(variable.of(text)).into_owned();
        let message = format!(
            "what `{name}` holds is not clear from the files, and these sources stand in no other list: {}",
            shown(&left)
        );
        let help = "see by hand that each of them reaches a compiler of MUSA's under its new name";
        found.extend(ported.finding(file, NOT_FOLLOWED, variable, message, help.to_owned()));
    }
}
