//! Gives files their old names back: a new name must match the file's content, and every include of the file must
//! follow.

use std::collections::{BTreeMap, BTreeSet};

use super::translated::Translated;
use crate::diagnostic::Finding;
use crate::diagnostic::codes::project::NAME_TAKEN_BACK;
use crate::project::{NAMED_ELSEWHERE, Project, Source, paths};
use crate::text::TextRange;

/// Take back the new name of each file that is CUDA still, and of each file that another includes
/// by its old name still. Returns the project with these names, and the files that include one of
/// them: what was made of them spoke of the new name.
pub(super) fn take_back(project: Project, translated: &[Translated]) -> (Project, Vec<usize>) {
    let is_kept = |file: usize, range: TextRange| {
        let done = translated.get(file);
        done.is_some_and(|done| done.kept.iter().any(|one| one.range == range))
    };
    let left = project.left_by_all(is_kept);
    let reasons = reasons(&project, translated, &left);
    let mut kept: BTreeMap<usize, Finding> = BTreeMap::new();
    for (&index, why) in &reasons {
        let Some(file) = project.files.get(index) else {
            continue;
        };
        let (path, renamed) = (&file.path, &file.output);
        let message = format!("`{path}` keeps its name: {why}");
        let help = format!(
            "once the edits that were taken back are made by hand, rename it to `{}` with the includes of it",
            paths::file_name(renamed)
        );
        let finding = if left.contains_key(&index) {
            Finding::whole(NAMED_ELSEWHERE, path, message).help(
                "nothing to do where no build for MUSA takes it; else name it in that build, and compile it with `-x musa`",
            )
        } else {
            Finding::whole(NAME_TAKEN_BACK, path, message).help(help)
        };
        kept.insert(index, finding);
    }
    let mentioners = project.mentioners(&reasons.keys().copied().collect());
    let speaks = |file: &Source| {
        let mut targets = file.resolved.iter().flatten();
        targets.any(|target| reasons.contains_key(target))
    };
    let files = project.files.iter().enumerate();
    let stale = files
        .filter(|(index, file)| speaks(file) || mentioners.contains(index))
        .map(|(index, _)| index)
        .collect();
    (project.with_kept_names(kept), stale)
}

/// Why files keep their old names, by their indices. `left` has those that only code which stays names, each with that code's
/// file.
fn reasons(
    project: &Project,
    translated: &[Translated],
    left: &BTreeMap<usize, usize>,
) -> BTreeMap<usize, String> {
    let mut reasons: BTreeMap<usize, String> = BTreeMap::new();
    for (index, (file, done)) in project.files.iter().zip(translated).enumerate() {
        if file.is_renamed() && done.failed {
            reasons.insert(index, "it could not be translated".to_owned());
        } else if file.is_renamed() && done.is_undone() {
            reasons.insert(index, "all of its edits were taken back".to_owned());
        }
    }
    for (file, done) in project.files.iter().zip(translated) {
        for (include, target) in file.facts.includes.iter().zip(&file.resolved) {
            let stays = done.failed || done.withdrawn.contains(&include.range);
            if let Some(target) = *target
                && stays
                && project.files.get(target).is_some_and(Source::is_renamed)
            {
                reasons
                    .entry(target)
                    .or_insert_with(|| format!("`{}` still includes it by that name", file.path));
            }
        }
    }
    for (&index, &by) in left {
        let by = project.files.get(by).map_or("", |file| &file.path);
        let why = || format!("`{by}` names it, whose code stays");
        reasons.entry(index).or_insert_with(why);
    }
    let kept: BTreeSet<usize> = reasons.keys().copied().collect();
    for (index, with) in project.kept_with(&kept) {
        let other = project.files.get(with).map_or("", |file| &file.path);
        reasons.insert(
            index,
            format!("it is named together with `{other}`, which keeps its own"),
        );
    }
    reasons
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::classify::classify;
    use crate::edit::{Edit, EditSet, GroupId};
    use crate::hazards::Hazards;
    use crate::mapping::knowledge::Knowledge;
    use crate::mapping::{Rename, Tables, Vendored};
    use crate::project::{Context, Input, ProjectOptions, Scanned};

    /// A project of these files, everything in it translated.
    fn project(files: &[(&str, &str)]) -> (Project, Vec<Translated>) {
        let (tables, knowledge) = (Tables::builtin(), Knowledge::builtin());
        let hazards = Hazards::new(tables, &knowledge.shapes, &[]);
        let context = Context::new(tables, knowledge, &hazards);
        let input = |(path, text): &(&str, &str)| {
            let class = classify(std::path::Path::new(path), b"", &knowledge.files);
            Input {
                text: Some(text.as_bytes().to_vec().into()),
                ..Input::new((*path).to_owned(), class)
            }
        };
        let options = ProjectOptions {
            folder: String::new(),
            rename: Rename::Auto,
            include_roots: Vec::new(),
            vendored: Vendored::Keep,
            ports_musa_builds: false,
            translate_cpp: true,
        };
        let scanned = files
            .iter()
            .map(input)
            .map(|one| Scanned::new(one, context));
        let project = Project::new(scanned.collect(), &options, context);
        let translated = files.iter().map(|_| Translated::default()).collect();
        (project, translated)
    }

    const FILES: &[(&str, &str)] = &[
        ("a.cu", "#include \"k.cuh\"\n"),
        ("b.cu", "#include \"k.cuh\"\n#include \"l.cuh\"\n"),
        ("k.cuh", "int k;\n"),
        ("l.cuh", "int l;\n"),
    ];

    fn outputs(project: &Project) -> Vec<&str> {
        let files = project.files.iter();
        files.map(|file| &*file.output).collect()
    }

    #[test]
    fn a_header_that_could_not_be_translated_keeps_its_name_for_all_who_include_it() {
        let (project, mut translated) = project(FILES);
        assert_eq!(outputs(&project), ["a.mu", "b.mu", "k.muh", "l.muh"]);
        translated[2].failed = true;
        let (project, stale) = take_back(project, &translated);
        assert_eq!(stale, [0, 1]);
        assert_eq!(outputs(&project), ["a.mu", "b.mu", "k.cuh", "l.muh"]);
        assert!(take_back(project, &translated).1.is_empty());
    }

    #[test]
    fn an_include_that_stays_keeps_the_name_of_its_header() {
        let (project, mut translated) = project(FILES);
        let start = TextRange::new(0, 0);
        let other = Edit::rewrite(start, "// done\n", "test", None, GroupId(0));
        translated[0].edits = EditSet::of(&[other]).expect("free").into();
        translated[0].withdrawn = vec![project.files[0].facts.includes[0].range];
        let (project, stale) = take_back(project, &translated);
        assert_eq!(stale, [0, 1]);
        assert_eq!(outputs(&project), ["a.mu", "b.mu", "k.cuh", "l.muh"]);
        let codes: Vec<&str> = project.findings.iter().map(|one| one.code.id).collect();
        assert_eq!(codes, [NAME_TAKEN_BACK.id]);
    }

    #[test]
    fn a_file_that_could_not_be_translated_keeps_the_headers_that_it_includes() {
        let (project, mut translated) = project(FILES);
        translated[1].failed = true;
        let (project, _) = take_back(project, &translated);
        assert_eq!(outputs(&project), ["a.mu", "b.cu", "k.cuh", "l.cuh"]);
    }
}
