//! CUDA sources that builds give to another vendor's compiler only.

use std::collections::BTreeMap;

use super::cmake_condition::{ConditionPlatform, platform_of_condition, words};
use crate::context::Context;
use crate::facts::Mention;
use crate::mentions::in_build_files::mentions;
use crate::tree::source::Input;
use torchada_classify::FileKind;
use torchada_mapping::files::BuildLanguage;
use torchada_parallel as parallel;
use torchada_syntax::cmake::Cmake;

/// A build file with the sources that it names, each with whether it stands in a branch for another vendor.
type SourceMentions<'i> = (&'i Input, Vec<(Mention, bool)>);

/// The files, each with the place that gives it to the vendor.
pub(crate) fn given_to_others(inputs: &[Input], context: Context<'_>) -> BTreeMap<usize, String> {
    let endings = &context.knowledge.files.rename;
    let endings: Vec<&str> = endings.keys().map(String::as_str).collect();
    let of_builds = |cmake: bool| {
        let giving = inputs.iter().filter(|input| gives(input));
        let giving = giving.filter(|input| is_cmake(input) == cmake);
        parallel::flat_map(giving, |input| named(input, &endings, context))
    };
    // Only CMake's branches tell one vendor from another.
    let mut all: Vec<SourceMentions<'_>> = of_builds(true);
    let mut found: BTreeMap<usize, String> = BTreeMap::new();
    for (from, mention) in mentioned(&all, true) {
        let meaning = mention.meaning(&from.path, &endings);
        for (file, input) in inputs.iter().enumerate() {
            let is_cudas = matches!(input.class.kind, FileKind::Cuda | FileKind::CudaHeader);
            if is_cudas && meaning.takes_in(&input.path) {
                let place = format!("{}:{}", from.path, mention.line);
                found.entry(file).or_insert(place);
            }
        }
    }
    if found.is_empty() {
        return found;
    }
    all.extend(of_builds(false));
    for (from, mention) in mentioned(&all, false).filter(|(_, mention)| mention.binds) {
        let meaning = mention.meaning(&from.path, &endings);
        found.retain(|file, _| {
            let input = inputs.get(*file);
            input.is_none_or(|input| !meaning.takes_in(&input.path))
        });
    }
    found
}

fn is_cmake(input: &Input) -> bool {
    input.class.language == Some(BuildLanguage::CMake)
}

/// The sources that a build file names; `None` where it names none.
fn named<'i>(
    input: &'i Input,
    endings: &[&str],
    context: Context<'_>,
) -> Option<SourceMentions<'i>> {
    let text: &[u8] = &input.text.as_ref()?.once();
    let found = mentions(&input.path, input.class, text, endings, context.knowledge);
    if found.is_empty() {
        return None;
    }
    let file = is_cmake(input).then(|| Cmake::read(text));
    // An ending alone (`name.endswith(".cu")`) gives nothing to anybody.
    let names = found
        .into_iter()
        .filter(|mention| !mention.text.starts_with('.'));
    let sources = names.filter_map(|mention| {
        let is_others = match &file {
            Some(file) => is_for_others(file, text, &mention, context)?,
            None => false,
        };
        Some((mention, is_others))
    });
    Some((input, sources.collect()))
}

/// What files name in branches for other vendors, or elsewhere.
fn mentioned<'n>(
    all: &'n [SourceMentions<'_>],
    for_others: bool,
) -> impl Iterator<Item = (&'n Input, &'n Mention)> {
    all.iter().flat_map(move |(input, mentions)| {
        let mentions = mentions.iter().filter(move |(_, one)| *one == for_others);
        mentions.map(move |(mention, _)| (*input, mention))
    })
}

/// Whether a file may give sources to a compiler.
fn gives(input: &Input) -> bool {
    use BuildLanguage::{Bazel, CMake, Make, Ninja};
    let language = input.class.language;
    input.class.kind == FileKind::Python
        || language.is_some_and(|one| matches!(one, Bazel | CMake | Make | Ninja))
}

/// Whether a mention stands in a branch for another vendor; `None` where it gives the source to nobody.
fn is_for_others(
    file: &Cmake,
    text: &[u8],
    mention: &Mention,
    context: Context<'_>,
) -> Option<bool> {
    let place = file.place_of(mention.range)?;
    let command = file.commands.get(place)?.lower_name();
    let mut describing = context.knowledge.builds.reach.cmake.describing.iter();
    if describing.any(|one| one == command) {
        return None;
    }
    let mut openers = file.blocks(place).filter_map(|at| file.commands.get(at));
    Some(openers.any(|one| {
        let is_asked = matches!(one.lower_name(), "if" | "elseif");
        let platform = platform_of_condition(&words(text, one), context.knowledge);
        is_asked && platform == Some(ConditionPlatform::Other)
    }))
}
