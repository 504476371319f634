//! The platform other than CUDA that a condition of `CMake`'s asks for.

use torchada_mapping::knowledge::Knowledge;
use torchada_syntax::cmake::{Argument, Cmake, Command};
use torchada_syntax::is_identifier_part;

/// A platform other than CUDA.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ConditionPlatform {
    /// MUSA, perhaps among others.
    Musa,
    /// Other vendors only.
    Other,
}

/// The platform that the condition of a block asks for, and for nothing else. Where only a build for CUDA comes to the
/// block, what is for another vendor besides (`OpenCL`) is part of that build.
pub fn platform_of_block(
    file: &Cmake,
    text: &[u8],
    opener: usize,
    knowledge: &Knowledge,
) -> Option<ConditionPlatform> {
    let command = file.commands.get(opener)?;
    let platform = platform_of_condition(&words(text, command), knowledge)?;
    let is_cudas = |block: usize| {
        let outer = file.commands.get(block);
        let outer = outer.filter(|one| matches!(one.lower_name(), "if" | "elseif"));
        outer.is_some_and(|one| {
            matches!(words(text, one).as_slice(), [word] if knowledge.builds.cmake.asks_for_cuda(word))
        })
    };
    let is_inside = || {
        let head = command.head.unwrap_or(opener);
        file.blocks(head).any(is_cudas)
    };
    (platform != ConditionPlatform::Other || !is_inside()).then_some(platform)
}

/// The platform that the words of a condition ask for, and for nothing else. One way of several that are joined by `OR`
/// may ask for MUSA and another for a vendor.
pub fn platform_of_condition(words: &[&str], knowledge: &Knowledge) -> Option<ConditionPlatform> {
    let cudas = &knowledge.builds.words;
    if words
        .iter()
        .any(|word| cudas.is_cudas(word.as_bytes()) || *word == "NOT")
    {
        return None;
    }
    let ways = words.split(|word| *word == "OR");
    let platforms: Option<Vec<ConditionPlatform>> =
        ways.map(|way| platform_of_words(way, knowledge)).collect();
    let platforms = platforms?;
    let is_musas = platforms.contains(&ConditionPlatform::Musa);
    Some(if is_musas {
        ConditionPlatform::Musa
    } else {
        ConditionPlatform::Other
    })
}

/// The words of a command.
pub(crate) fn words<'t>(text: &'t [u8], command: &Command) -> Vec<&'t str> {
    let word = |one: &Argument| std::str::from_utf8(one.inner.of(text)).unwrap_or_default();
    command.arguments.iter().map(word).collect()
}

fn platform_of_words(words: &[&str], knowledge: &Knowledge) -> Option<ConditionPlatform> {
    let names = words.iter().flat_map(|word| {
        word.split(|letter: char| !u8::try_from(letter).is_ok_and(is_identifier_part))
    });
    let vendor = names
        .filter(|word| !word.is_empty() && !word.starts_with("CMAKE_"))
        .find_map(|word| knowledge.vendor_of_macro(&word.to_ascii_uppercase()))?;
    Some(if vendor.is_target() {
        ConditionPlatform::Musa
    } else {
        ConditionPlatform::Other
    })
}
