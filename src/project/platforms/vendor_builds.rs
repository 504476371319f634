//! CUDA sources that builds give to compilers: those that only another vendor's gets, and others.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use super::cmake_condition::{ConditionPlatform, platform_of_block};
use crate::context::Context;
use crate::facts::Mention;
use crate::mentions::in_build_files::mentions;
use crate::tree::source::Input;
use torchada_classify::FileKind;
use torchada_mapping::files::BuildLanguage;
use torchada_mapping::has;
use torchada_parallel as parallel;
use torchada_syntax::cmake::Cmake;

/// A build file with the sources that it names, each with whether it stands in a branch for another vendor.
type SourceMentions<'i> = (&'i Input, Vec<(Mention, bool)>);

/// What the builds of a tree give to compilers. Files are read when somebody asks for what they name.
pub(crate) struct BuildSources<'i> {
    inputs: &'i [Input],
    context: Context<'i>,
    endings: Vec<&'i str>,
    /// What files of `CMake`'s name: only their branches tell one vendor from another.
    of_cmake: OnceLock<Vec<SourceMentions<'i>>>,
    of_others: OnceLock<Vec<SourceMentions<'i>>>,
}

impl<'i> BuildSources<'i> {
    pub(crate) fn of(inputs: &'i [Input], context: Context<'i>) -> Self {
        let endings = context.knowledge.files.rename.keys();
        Self {
            inputs,
            context,
            endings: endings.map(String::as_str).collect(),
            of_cmake: OnceLock::new(),
            of_others: OnceLock::new(),
        }
    }

    fn of_cmake(&self) -> &[SourceMentions<'i>] {
        self.of_cmake.get_or_init(|| self.read(true))
    }

    fn of_others(&self) -> &[SourceMentions<'i>] {
        self.of_others.get_or_init(|| self.read(false))
    }

    fn read(&self, cmake: bool) -> Vec<SourceMentions<'i>> {
        let giving = self.inputs.iter().filter(|input| may_give_sources(input));
        let giving = giving.filter(|input| is_cmake(input) == cmake);
        parallel::flat_map(giving, |input| named(input, &self.endings, self.context))
    }

    /// The files of CUDA's that builds give to other vendors' compilers only, each with the place that does so.
    pub(crate) fn built_by_others(&self) -> BTreeMap<usize, String> {
        let mut found: BTreeMap<usize, String> = BTreeMap::new();
        for (from, mention) in mentioned(self.of_cmake(), true) {
            let meaning = mention.meaning(&from.path, &self.endings);
            for (file, input) in self.inputs.iter().enumerate() {
                let is_cudas = matches!(input.class.kind, FileKind::Cuda | FileKind::CudaHeader);
                if is_cudas && meaning.takes_in(&input.path) {
                    let place = format!("{}:{}", from.path, mention.line);
                    found.entry(file).or_insert(place);
                }
            }
        }
        let given = self.built_outside_branches(found.keys().copied());
        found.retain(|file, _| !given.contains(file));
        found
    }

    /// Which of some files builds give to a compiler outside of branches for other vendors.
    pub(crate) fn built_outside_branches(
        &self,
        files: impl Iterator<Item = usize>,
    ) -> BTreeSet<usize> {
        let mut open: BTreeSet<usize> = files.collect();
        let mut given = BTreeSet::new();
        if open.is_empty() {
            return given;
        }
        let all = [self.of_cmake(), self.of_others()].into_iter();
        let all = all.flat_map(|mentions| mentioned(mentions, false));
        for (from, mention) in all.filter(|(_, mention)| mention.binds) {
            let meaning = mention.meaning(&from.path, &self.endings);
            let is_meant = |file: &usize| {
                let input = self.inputs.get(*file);
                input.is_some_and(|input| meaning.takes_in(&input.path))
            };
            given.extend(open.extract_if(.., |file| is_meant(file)));
        }
        given
    }
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
    let file = is_cmake(input).then(|| input.cmake(text));
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
fn may_give_sources(input: &Input) -> bool {
    let language = input.class.language;
    let is_build =
        input.class.kind == FileKind::Python || language.is_some_and(BuildLanguage::compiles);
    is_build && input.names_sources()
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
    if has(&context.knowledge.builds.reach.cmake.describing, command) {
        return None;
    }
    let asks = |at: &usize| {
        let opener = file.commands.get(*at);
        opener.is_some_and(|one| matches!(one.lower_name(), "if" | "elseif"))
    };
    let platforms = file.blocks(place).filter(asks);
    let mut platforms = platforms.map(|at| platform_of_block(file, text, at, context.knowledge));
    Some(platforms.any(|one| one == Some(ConditionPlatform::Other)))
}
