//! Modules that have a counterpart for MUSA in the project: `connectors/musa.py` beside `connectors/cuda.py`, and tests
//! beside the project's own tests for MUSA. Somebody has written MUSA's way, so they stay CUDA's.

use super::code::Reserved;
use crate::python::ModuleView;
use torchada_diagnostic::KeptReason;
use torchada_mapping::has;
use torchada_text::TextRange;

/// The whole module, if it has a counterpart for MUSA.
pub fn module(unit: &ModuleView<'_>) -> Option<Reserved> {
    let whole = TextRange::new(0, unit.text.len());
    has_twin(unit).then(|| Reserved::silent(whole, KeptReason::MusaTwin))
}

/// Whether the module has a counterpart for MUSA.
pub fn has_twin(unit: &ModuleView<'_>) -> bool {
    if !unit.modules.has_musa() {
        return false;
    }
    let vendors = &unit.python_values().vendors;
    let words = vendors.own.iter().chain(&vendors.any_gpu);
    let mut pairs = words.flat_map(|word| vendors.target.iter().map(move |to| (word, to)));
    pairs.any(|(word, to)| {
        path_has_word(unit.path, word)
            && (twins(unit.path, word, to).any(|twin| is_file(unit, &twin))
                || has_twin_folder(unit, word, to))
    }) || has_twin_library(unit)
        || is_test_beside_musas(unit)
}

fn is_file(unit: &ModuleView<'_>, path: &str) -> bool {
    path != unit.path && unit.modules.file_at(path).is_some()
}

/// The paths of a module with another word in the name of the file, of its folder, or of both.
fn twins(path: &str, word: &str, to: &str) -> impl Iterator<Item = String> {
    let (above, name) = path.rsplit_once('/').unwrap_or(("", path));
    let (top, folder) = above.rsplit_once('/').unwrap_or(("", above));
    let (other, file) = (folder.replace(word, to), name.replace(word, to));
    let join = |folder: &str, file: &str| {
        let parts = [top, folder, file];
        let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        parts.join("/")
    };
    [
        path.replace(word, to),
        join(folder, &file),
        join(&other, name),
        join(&other, &file),
    ]
    .into_iter()
}

/// Whether a package that is called after CUDA has one beside it that is called after MUSA: `devices/cuda`, `devices/musa`.
fn has_twin_folder(unit: &ModuleView<'_>, word: &str, to: &str) -> bool {
    let mut end = 0;
    unit.path.split('/').any(|part| {
        let start = end;
        end += part.len() + 1;
        let above = unit.path.get(..start).unwrap_or_default();
        part == word && unit.modules.has_for_musa(&format!("{above}{to}"))
    })
}

/// Whether a module that is called after a library of CUDA's has one beside it for MUSA's: `cufile.py`, `mufile.py`.
fn has_twin_library(unit: &ModuleView<'_>) -> bool {
    let (above, name) = match unit.path.rsplit_once('/') {
        Some((above, name)) => (format!("{above}/"), name),
        None => (String::new(), unit.path),
    };
    let vendors = &unit.python_values().vendors;
    let (own, target) = (vendors.own_library.as_str(), &vendors.target_library);
    let rest = name.strip_prefix(own);
    rest.is_some_and(|rest| is_file(unit, &format!("{above}{target}{rest}")))
}

/// Whether a module belongs to tests among which the project has some for MUSA alone, in a project that tells MUSA's devices
/// from CUDA's: what the others name of CUDA's is CUDA's.
fn is_test_beside_musas(unit: &ModuleView<'_>) -> bool {
    let words = &unit.python_values().vendors.tests;
    unit.modules.distinguishes_musa_from_cuda()
        && tests_around(unit.path, words).is_some_and(|tests| {
            let mut of_musa = unit.modules.paths_for_musa();
            of_musa.any(|path| tests_around(path, words) == Some(tests))
        })
}

/// The outermost folder of tests around a file.
fn tests_around<'p>(path: &'p str, words: &[String]) -> Option<&'p str> {
    let mut end = 0;
    for part in path.split('/') {
        end += part.len();
        if has(words, part) {
            return path.get(..end);
        }
        end += 1;
    }
    None
}

/// Whether a part of a path's last two names is a word: `cuda_accelerator.py`, `cuda/ops.py`.
pub fn path_has_word(path: &str, word: &str) -> bool {
    path.rsplit('/')
        .take(2)
        .flat_map(|name| name.split(['_', '.', '-']))
        .any(|part| part == word)
}
