//! Finds files about CUDA that a port copies as they are.

use std::collections::BTreeMap;

use crate::classify::FileKind;
use crate::diagnostic::Finding;
use crate::diagnostic::codes::build::{BUILD_LEFT, BUILT_BY_ANOTHER};
use crate::diagnostic::codes::project::{SOURCE_LEFT, UNEXAMINED};
use crate::diagnostic::codes::python::PYTHON_LEFT;
use crate::mapping::files::{BuildLanguage, FileTable};
use crate::mapping::untranslated_files::UnexaminedTable;
use crate::project::{Context, Disposition, Input, Project, paths};
use crate::text::{contains, first_of};

/// A finding about a file that this version of the program does not translate.
pub(super) fn not_translated(input: &Input, text: &[u8], table: &FileTable) -> Option<Finding> {
    let path = &input.path;
    if matches!(input.class.kind, FileKind::Text | FileKind::Prose) {
        return unexamined(path, text, &table.unexamined);
    }
    let (code, why, help) = match (input.class.kind, input.class.language) {
        (FileKind::Python, _) => (
            PYTHON_LEFT,
            "Python of this kind is not translated by this version",
            "translate it by hand",
        ),
        (FileKind::Build, None) => (
            BUILD_LEFT,
            "build files of this kind are not translated by this version",
            table.copied.advice(path).unwrap_or("translate it by hand"),
        ),
        (FileKind::Build, Some(_)) => (
            BUILD_LEFT,
            "in the portable dialect C++ stays CUDA's, and so does what builds it",
            "where C++ is to be built for MUSA, port it with `--dialect musa`, or as a step of the build",
        ),
        _ => return None,
    };
    let lines = lines(text, &table.copied.words)?;
    let message = format!("`{path}` mentions CUDA ({lines}) and was copied as it is: {why}");
    Some(Finding::whole(code, path, message).help(help))
}

/// Join the findings about files of one folder and language that name CUDA: most often they all name one package.
pub(super) fn join_unexamined(findings: &mut Vec<Finding>) {
    let about = |one: &Finding| {
        let folder = paths::folder(&one.path).to_owned();
        (one.code == UNEXAMINED).then(|| (folder, one.message.clone()))
    };
    let mut files: BTreeMap<(String, String), usize> = BTreeMap::new();
    for key in findings.iter().filter_map(about) {
        *files.entry(key).or_default() += 1;
    }
    findings.retain_mut(|one| {
        let Some(key) = about(one) else {
            return true;
        };
        let others = match files.remove(&key) {
            None => return false,
            Some(1) => return true,
            Some(2) => "does 1 more".to_owned(),
            Some(all) => format!("do {} more", all - 1),
        };
        one.message = format!("{}, as {others} in its folder", one.message);
        true
    });
}

/// Say of a project of Visual Studio's that nothing is to be done where a build about CUDA that is ported stands in its folder,
/// or in one above.
pub(super) fn settle_by_other_builds(
    findings: &mut [Finding],
    project: &Project,
    context: Context<'_>,
) {
    let patterns = &context.knowledge.files.patterns;
    let is_windows = |one: &Finding| one.code == BUILD_LEFT && patterns.is_windows(&one.path);
    let mut findings = findings.iter_mut().filter(|one| is_windows(one)).peekable();
    if findings.peek().is_none() {
        return;
    }
    let mut builds: BTreeMap<&str, &str> = BTreeMap::new();
    for (index, file) in project.files.iter().enumerate() {
        if builds_for_musa(project, index, context) {
            builds
                .entry(paths::folder(&file.path))
                .or_insert(&file.path);
        }
    }
    for one in findings {
        let Some(build) = paths::folders(&one.path).find_map(|folder| builds.get(folder)) else {
            continue;
        };
        one.code = BUILT_BY_ANOTHER;
        one.help = Some(format!(
            "build the port with `{build}`, if it builds the same"
        ));
    }
}

/// Whether a file hands sources to compilers, is about CUDA, and is ported.
fn builds_for_musa(project: &Project, index: usize, context: Context<'_>) -> bool {
    let file = project.files.get(index).filter(|file| {
        let language = file.class.language;
        language.is_some_and(BuildLanguage::compiles) && file.disposition == Disposition::Ported
    });
    let words = &context.knowledge.builds.words;
    file.is_some_and(|file| {
        let is_cudas = || {
            file.text
                .as_deref()
                .is_some_and(|text| words.is_cudas(text))
        };
        project.names_cuda_sources(index) || is_cudas()
    })
}

/// How many lines are named one by one.
const NAMED: usize = 5;

/// The lines that hold one of some words; `None` where none does.
fn lines(text: &[u8], words: &[String]) -> Option<String> {
    let all = text.split(|&byte| byte == b'\n').enumerate();
    let speaks = |line: &[u8]| words.iter().any(|word| contains(line, word));
    let found = all.filter(|(_, line)| speaks(line));
    let found: Vec<String> = found.map(|(at, _)| (at + 1).to_string()).collect();
    match found.as_slice() {
        [] => None,
        [one] => Some(format!("line {one}")),
        [front @ .., last] if found.len() <= NAMED => {
            Some(format!("lines {} and {last}", front.join(", ")))
        }
        _ => Some(format!("lines {}", first_of(&found, NAMED))),
    }
}

/// The finding about a file in a language that is not translated. The file may call CUDA, as `use cudafor` in
/// Fortran and `using CUDA` in Julia do, or only mention it, as a program of Go's with `nvidia-smi` in it does.
fn unexamined(path: &str, text: &[u8], table: &UnexaminedTable) -> Option<Finding> {
    let language = table.language(path)?;
    if table.is_generated(text) {
        return None;
    }
    let mut calls = table.calls_in(language);
    if let Some(word) = calls.find(|word| contains(text, word)) {
        let message = format!("`{language}` is not translated, and this file calls CUDA: `{word}`");
        return Some(Finding::whole(SOURCE_LEFT, path, message).help(
            "translate it by hand, and see whether what binds its language to CUDA has the like for MUSA",
        ));
    }
    table.speaks(text).then(|| {
        let message = format!("`{language}` is not translated, and this file speaks of CUDA");
        Finding::whole(UNEXAMINED, path, message).help(
            "look through it by hand: programs such as `nvidia-smi` that it runs, libraries that it loads, names of devices and variables",
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mapping::knowledge::Knowledge;

    #[test]
    fn a_name_of_htmls_is_not_about_cuda() {
        let table = &Knowledge::builtin().files.unexamined;
        let speaks = |text: &str| unexamined("a.js", text.as_bytes(), table).is_some();
        assert!(!speaks("{cudarrl: 1}") && speaks("{cudarrl: 1, device: \"cuda\"}"));
    }

    #[test]
    fn a_phrase_of_one_language_is_prose_in_another() {
        let table = &Knowledge::builtin().files.unexamined;
        let of = |path: &str| {
            let found = unexamined(path, b"# faster by using CUDA, or so", table);
            found.is_some_and(|one| one.message.contains("calls"))
        };
        assert!(of("a.jl") && !of("a.rs"));
    }

    #[test]
    fn a_parser_that_calls_cuda_is_one() {
        let table = &Knowledge::builtin().files.unexamined;
        let found = unexamined("query.y", b"{ cudaFree($1); }", table);
        let message = "`Bison` is not translated, and this file calls CUDA: `cudaFree`";
        assert_eq!(found.map(|one| one.message).as_deref(), Some(message));
    }

    #[test]
    fn an_index_of_a_documentation_calls_nothing() {
        let table = &Knowledge::builtin().files.unexamined;
        let of = |text: &str| unexamined("docs/search/all_4.js", text.as_bytes(), table).is_some();
        assert!(!of("var searchData=\n[\n  ['init',['f(cudaStream_t)']]]"));
        assert!(!of("Search.setIndex({docnames:[\"cuda\"]})"));
        assert!(of("const search = (data) => data.cudaStream"));
    }

    #[test]
    fn files_of_one_folder_that_speak_of_cuda_get_one_finding() {
        let about = |path: &str| Finding::whole(UNEXAMINED, path, "Go".to_owned());
        let paths = [
            "cuda/a.go",
            "main.go",
            "cuda/b.go",
            "cuda/c.go",
            "cmd/d.go",
            "cmd/e.go",
        ];
        let mut findings: Vec<Finding> = paths.into_iter().map(about).collect();
        join_unexamined(&mut findings);
        let messages: Vec<(&str, &str)> = findings
            .iter()
            .map(|one| (one.path.as_str(), one.message.as_str()))
            .collect();
        let expected = [
            ("cuda/a.go", "Go, as do 2 more in its folder"),
            ("main.go", "Go"),
            ("cmd/d.go", "Go, as does 1 more in its folder"),
        ];
        assert_eq!(messages, expected);
    }
}
