//! Which names are the project's own.

use rustc_hash::FxHashSet;

use super::pass::Pass;
use crate::syntax::cmake::{Argument, Cmake};
use crate::syntax::is_identifier_part;
use crate::text::TextRange;

/// Whether a name is made as options of projects are: `GGML_CUDA`, `USE_CUDNN`, `TCNN_LINK_CUDA`.
pub(super) fn is_option(name: &str) -> bool {
    let upper = name.bytes().all(|byte| !byte.is_ascii_lowercase());
    let first = name
        .split('_')
        .find(|part| !part.is_empty())
        .unwrap_or_default();
    let own = [
        "CMAKE", "CUDA", "CUDNN", "NCCL", "NVCC", "NVTX", "NVRTC", "CUTLASS",
    ];
    upper && name.contains('_') && !own.contains(&first)
}

/// Whether a quoted argument is text for people.
pub(super) fn is_sentence(pass: &Pass<'_, '_>, argument: &Argument) -> bool {
    let word = pass.word(argument);
    let blanks = word.bytes().filter(|&byte| byte == b' ').count();
    blanks >= 2 && !word.trim_start().starts_with(['-', '$'])
}

/// Whether this file or one above gives a name a value, or makes a target of it.
pub(super) fn is_declared(pass: &Pass<'_, '_>, name: &str) -> bool {
    pass.declared().contains(name.as_bytes())
}

/// The names that files give a value, or make targets of.
pub(super) fn declared_in<'f>(
    files: impl Iterator<Item = (&'f [u8], &'f Cmake)>,
) -> FxHashSet<&'f [u8]> {
    let mut found = FxHashSet::default();
    for (text, file) in files {
        for one in &file.commands {
            let mut arguments = one.arguments.iter().map(|one| one.inner.of(text));
            match one.lower_name() {
                "set"
                | "option"
                | "cmake_dependent_option"
                | "foreach"
                | "find_library"
                | "find_path"
                | "find_file"
                | "find_program"
                | "add_library"
                | "add_executable"
                | "add_custom_target"
                | "get_filename_component"
                | "project" => found.extend(arguments.next()),
                "math" => found.extend(arguments.nth(1)),
                "function" | "macro" | "string" | "list" | "file" | "execute_process"
                | "get_property" => found.extend(arguments),
                _ => {}
            }
        }
    }
    found
}

/// What stands around a word without a break: a path, or a name with dashes.
pub(super) fn path_around<'a>(
    pass: &Pass<'a, '_>,
    argument: &Argument,
    range: TextRange,
) -> &'a str {
    let text = pass.unit.text;
    let is_part =
        |byte: &u8| is_identifier_part(*byte) || matches!(byte, b'/' | b'.' | b'-' | b'+');
    let front = text
        .get(argument.inner.start..range.start)
        .unwrap_or_default();
    let back = text.get(range.end..argument.inner.end).unwrap_or_default();
    let before = front.iter().rev().take_while(|byte| is_part(byte)).count();
    let behind = back.iter().take_while(|byte| is_part(byte)).count();
    let around = TextRange::new(range.start - before, range.end + behind);
    pass.text_of(around)
        .trim_start_matches(['.', '/'])
        .trim_end_matches('/')
}
