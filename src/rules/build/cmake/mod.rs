//! Files of `CMake`'s: languages, packages, targets, flags, libraries, properties, names.

mod architecture_logic;
mod architectures;
mod branches;
mod calls;
mod code_in_strings;
mod compile_as_musa;
mod conditions;
mod configuration_flags;
mod endings;
mod expressions;
mod facts;
mod find_commands;
mod flag_lookups;
mod flags;
mod folder_sources;
mod indirect_names;
mod inherited_files;
mod libraries;
mod line_edits;
mod names;
mod not_parsed;
mod options;
mod outside_questions;
mod own;
mod packages;
mod pass;
mod programs;
mod properties;
mod rows;
mod run_compilers;
mod runtime_library;
mod source_languages;
mod source_options;
mod sources;
mod target_flags;
mod target_makers;
mod targets;
mod toolkit_paths;
mod torch_list;
mod variables;
mod words;

use super::BuildUnit;
use crate::Outcome;

/// The rules for `CMake`.
pub fn check(unit: &BuildUnit<'_>, out: &mut Outcome) {
    let words = &unit.context.knowledge.builds.words;
    let speaks = words.is_cudas(unit.text)
        || !out.edits.is_empty()
        || unit.project.names_cuda_sources(unit.index);
    let Some(file) = unit.cmake.filter(|_| speaks) else {
        return;
    };
    not_parsed::report(unit, file, out);
    let mut pass = pass::Pass::new(unit, file, out);
    if branches::leave_others(&mut pass) {
        return;
    }
    packages::check(&mut pass);
    architectures::check(&mut pass);
    architecture_logic::check(&mut pass);
    torch_list::check(&mut pass);
    endings::check(&mut pass);
    folder_sources::check(&mut pass);
    let targets = targets::check(&mut pass);
    options::check(&mut pass, &targets);
    properties::check(&mut pass, &targets);
    libraries::check(&mut pass);
    conditions::check(&mut pass);
    configuration_flags::check(&mut pass);
    names::check(&mut pass);
    pass.finish();
}
