//! Statements and files for other platforms.

use super::commands::known;
use super::view::ScriptView;
use crate::build::BuildUnit;
use torchada_mapping::ends_with_one;
use torchada_syntax::script::{Statement, Word};
use torchada_text::TextRange;

/// What names of makefiles begin with.
const MAKEFILE: &str = "Makefile";

/// Whether a file's path says that it is for another vendor's GPUs, or for MUSA's.
pub fn is_other_vendors(unit: &BuildUnit<'_>) -> bool {
    let part = |one: char| !one.is_ascii_alphanumeric();
    let parts = unit.file.path.split(part);
    // `MakefileHIP`
    let parts = parts.flat_map(|one| [Some(one), one.strip_prefix(MAKEFILE)]);
    let parts = parts.flatten().map(str::to_ascii_uppercase);
    let vendors = &unit.context.knowledge.vendors;
    let words: Vec<String> = parts.collect();
    let scripts = &unit.context.knowledge.builds.scripts;
    let is_vendors = |word: &String| {
        scripts.others.contains(word) || vendors.iter().any(|vendor| vendor.words.contains(word))
    };
    words.iter().any(is_vendors)
        && !words.iter().any(|word| scripts.own.contains(word))
        && !runs_nvcc(unit)
}

/// Whether a file names a compiler of CUDA's, as one in a folder that only sounds like another vendor's does: `09_mps` of
/// NVIDIA's Multi-Process Service.
fn runs_nvcc(unit: &BuildUnit<'_>) -> bool {
    let compilers = &unit.context.knowledge.builds.cmake.compilers;
    let places = compilers
        .iter()
        .flat_map(|name| memchr::memmem::find_iter(unit.text, name.as_bytes()));
    places.into_iter().any(|at| !unit.is_comment(at))
}

/// Whether a command runs what takes options of its own that look like nvcc's: another vendor's compiler, or one of the
/// toolkit's tools, as `cuobjdump -arch sm_80 -ptx` does.
pub(super) fn takes_other_options(view: &ScriptView<'_>, one: &Statement) -> bool {
    let program = view.program_word(one);
    // `$(HIPCXX)`
    if let Some(name) = program.and_then(Word::variable)
        && view.facts.is_other_compiler(view.of(name))
    {
        return true;
    }
    let program = program.and_then(|word| view.program(word));
    let is_tool = |name| known(view, name).is_some_and(|command| !command.compiler);
    program.is_some_and(|name| view.is(name, &view.knowledge.other_compilers) || is_tool(name))
}

/// Whether a branch of make's is taken where another vendor is the platform.
pub(super) fn is_branch_of_another(unit: &BuildUnit<'_>, branch: (TextRange, bool)) -> bool {
    let (condition, holds) = branch;
    let text = unit.shown(condition);
    let text = text.trim();
    let names = text.split(|one: char| !(one.is_ascii_alphanumeric() || one == '_'));
    let known = unit.context.knowledge;
    let about = names
        .filter_map(|name| known.vendor_of_macro(name))
        .any(|vendor| !vendor.is_target());
    if !about {
        return false;
    }
    let ends = |words: &[&str]| {
        let behind = text.trim_end_matches(')').trim_end();
        ends_with_one(behind, words)
    };
    let on = ends(&["1", "ON", "on", "yes", "true", "y"]);
    let off = ends(&["0", "OFF", "off", "no", "false", ",", "\"\""]);
    let asks = if text.starts_with("ifneq") {
        off
    } else if text.starts_with("ifndef") {
        false
    } else {
        on || text.starts_with("ifdef")
    };
    let denies = if text.starts_with("ifneq") {
        on
    } else {
        off || text.starts_with("ifndef")
    };
    (asks && holds) || (denies && !holds)
}
