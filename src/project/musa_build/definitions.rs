//! The macros that build files define, and for which platform.

use std::collections::BTreeMap;

use super::marks::is_mark;
use crate::FileText;
use crate::context::Context;
use crate::platforms::cmake_condition::{ConditionPlatform, platform_of_condition, words};
use crate::tree::source::Input;
use torchada_mapping::files::BuildLanguage;
use torchada_mapping::has;
use torchada_parallel as parallel;
use torchada_syntax::cmake::Command;
use torchada_syntax::{defined_name, is_identifier_part};
use torchada_text::contains;

/// The macros that files of `CMake`'s define, each with whether a build for MUSA may.
#[derive(Default, Debug)]
pub(super) struct Definitions(BTreeMap<Vec<u8>, bool>);

impl Definitions {
    /// The macros that the `CMake` files of a tree define.
    pub(super) fn of(inputs: &[Input], context: Context<'_>) -> Self {
        let files = inputs
            .iter()
            .filter(|input| input.class.language == Some(BuildLanguage::CMake));
        let found = parallel::flat_map(files, |input| definitions(input, context));
        let mut all = Self::default();
        for (name, is_for_musa) in found {
            *all.0.entry(name).or_default() |= is_for_musa;
        }
        all
    }

    /// The macros that only builds for other platforms define.
    pub(super) fn only_others(&self) -> impl Iterator<Item = Vec<u8>> {
        let all = self.0.iter();
        all.filter(|(_, is_for_musa)| !**is_for_musa)
            .map(|(name, _)| name.clone())
    }

    /// Whether a build for MUSA may define a macro.
    pub(super) fn are_for_musa(&self, name: &[u8]) -> bool {
        self.0.get(name).copied().unwrap_or_default()
    }
}

/// The macros that a file defines, each with whether a build for MUSA may run the command.
fn definitions(input: &Input, context: Context<'_>) -> Vec<(Vec<u8>, bool)> {
    let builds = &context.knowledge.builds;
    let text = input.text.as_ref().map(FileText::once);
    let text: &[u8] = &text.unwrap_or_default();
    let commands = &builds.words.lints.definition_commands;
    let is_named = |command: &String| contains(text, command);
    if !commands.iter().any(is_named) {
        return Vec::new();
    }
    let file = input.cmake(text);
    let outside = || file.commands.iter().filter(|one| one.block.is_none());
    let is_musas = outside().any(|one| is_mark(one, text, context));
    let is_others = !is_musas && outside().any(|one| finds_other(one, text, context));
    let mut found = Vec::new();
    for command in &file.commands {
        if !commands.iter().any(|one| one == command.lower_name()) {
            continue;
        }
        let mut blocks = file
            .blocks(command.at)
            .filter_map(|block| file.commands.get(block));
        let is_in_others = blocks.any(|block| asks_for_other(block, text, context));
        let is_for_musa = is_musas || !is_others && !is_in_others;
        for word in words(text, command) {
            let name = defined_name(word);
            if !name.is_empty() && name.bytes().all(is_identifier_part) {
                found.push((name.as_bytes().to_vec(), is_for_musa));
            }
        }
    }
    found
}

/// Whether a command looks for the compiler of CUDA's or of another vendor.
fn finds_other(command: &Command, text: &[u8], context: Context<'_>) -> bool {
    let table = &context.knowledge.builds.cmake;
    let words = words(text, command);
    let is_vendors = |word: &str| {
        let vendor = context
            .knowledge
            .vendor_of_macro(&word.to_ascii_uppercase());
        vendor.is_some_and(|vendor| !vendor.is_target())
    };
    match command.lower_name() {
        "find_package" => words
            .first()
            .is_some_and(|first| has(&table.compiler_packages, first) || is_vendors(first)),
        "enable_language" => words
            .iter()
            .any(|one| *one == table.language || is_vendors(one)),
        _ => false,
    }
}

/// Whether the block of a command is for CUDA or another vendor, and for nothing else.
fn asks_for_other(command: &Command, text: &[u8], context: Context<'_>) -> bool {
    let words = words(text, command);
    let cudas = &context.knowledge.builds.words;
    let is_simple = !words.iter().any(|word| matches!(*word, "OR" | "NOT"));
    matches!(command.lower_name(), "if" | "elseif")
        && (is_simple && words.iter().any(|word| cudas.is_cudas(word.as_bytes()))
            || platform_of_condition(&words, context.knowledge) == Some(ConditionPlatform::Other))
}
