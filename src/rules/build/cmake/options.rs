//! Flags for CUDA's compiler: where they stand.

use rustc_hash::FxHashSet;

use super::architectures::put_before_numbers;
use super::endings::STARTERS;
use super::expressions::{bare, part};
use super::flags::{is_nvccs, is_shared, say, split, translator};
use super::own::is_sentence;
use super::pass::Pass;
use super::target_flags::{by_language, too_late};
use super::target_makers::{Targets, all_made};
use super::words::{Takes, plain};
use super::{calls, flag_lookups, run_compilers, source_options};
use crate::flags::FlagAction;
use torchada_project::replay::TargetSources;
use torchada_syntax::cmake::{Command, Quoting};
use torchada_syntax::cmake_references::{reference, references};
use torchada_text::TextRange;

/// Translate the flags that commands give targets, sources and variables.
pub(super) fn check(pass: &mut Pass<'_>, targets: &Targets) {
    let first_made = all_made(targets).min_by_key(|(_, made)| made.at);
    for command in pass.commands() {
        let name = command.lower_name();
        match name {
            _ if is_for_another_vendor(pass, command) => {}
            "target_compile_options" => {
                by_language(pass, command, 2, targets);
                plain(pass, command, 1, Takes::LIST);
            }
            "add_compile_options" => {
                by_language(pass, command, 0, targets);
                plain(pass, command, 0, Takes::LIST);
            }
            "list" if put_before_numbers(pass, command).is_some() => {}
            "set" | "list" | "string" | "if" | "elseif" if flag_lookups::check(pass, command) => {}
            "set" | "list" | "string"
                if gives_flags(pass, command) && !vanishes(pass, command, name) =>
            {
                let takes = Takes {
                    is_list: name == "list",
                    is_value: name == "string",
                    for_device: is_for_device(pass, command, name),
                };
                plain(pass, &without_text(pass, command), 1, takes);
                keep_apart(pass, command);
                too_late(pass, command, first_made);
            }
            "set_property" | "set_source_files_properties" | "set_target_properties" => {
                of_property(pass, command, targets);
            }
            // `cuda_add_library(x x.cu OPTIONS -Xptxas -v)`
            _ if makes_target(pass, name) => {
                let words = pass.words(command);
                if let Some(keyword) = words.iter().position(|word| *word == "OPTIONS") {
                    plain(pass, command, keyword + 1, Takes::LIST);
                }
            }
            name if STARTERS.contains(&name) => run_compilers::check(pass, command),
            _ if calls::adds_to_variable(pass, command) => {
                if !vanishes(pass, command, "set") {
                    plain(pass, command, 1, Takes::WORDS);
                    too_late(pass, command, first_made);
                }
            }
            _ => calls::check(pass, command),
        }
    }
}

/// Whether a command of `FindCUDA`'s makes a target.
fn makes_target(pass: &Pass<'_>, name: &str) -> bool {
    let row = pass.table.commands.get(name);
    row.is_some_and(|row| row.makes.is_some())
}

/// Look at the flags that a command gives sources or targets as a property.
fn of_property(pass: &mut Pass<'_>, command: &Command, targets: &Targets) {
    let name = command.lower_name();
    let words = pass.words(command);
    let mut properties = words.iter();
    let of_flags = properties.position(|word| matches!(*word, "COMPILE_OPTIONS" | "COMPILE_FLAGS"));
    let Some(first) = of_flags.filter(|_| !is_for_host(pass, &words)) else {
        return;
    };
    let is_list = words.get(first) == Some(&"COMPILE_OPTIONS");
    let is_pair = name != "set_property";
    let takes = Takes {
        is_list,
        is_value: is_pair || !is_list,
        for_device: true,
    };
    plain(pass, command, first + 1, takes);
    if is_pair {
        keep_value(pass, command, first);
    }
    source_options::check(pass, command, first, targets);
}

/// Whether a command gives flags to a variable of another vendor's language: `set(CMAKE_HIP_FLAGS …)`.
fn is_for_another_vendor(pass: &Pass<'_>, command: &Command) -> bool {
    let words = pass.words(command);
    let place = usize::from(matches!(command.lower_name(), "list" | "string"));
    let variable = words.get(place).filter(|one| pass.table.is_for_flags(one));
    variable.is_some_and(|one| {
        let vendor = pass.unit.context.knowledge.vendor_of_macro(one);
        vendor.is_some_and(|vendor| !vendor.is_target())
    })
}

/// Whether the target that a command names first has no source of CUDA's: its options go to the compiler of C++ as before.
fn is_for_host(pass: &Pass<'_>, words: &[&str]) -> bool {
    let unit = pass.unit;
    let files = &unit.context.knowledge.files;
    let target = words.first().copied().unwrap_or_default();
    let mut lists = unit.project.replay().lists_of(target).peekable();
    let is_host = |one: &TargetSources| {
        one.unknown.is_empty() && !one.sources.iter().any(|source| files.is_cuda(&source.text))
    };
    lists.peek().is_some() && lists.all(is_host)
}

/// Leave an empty value where all flags of a property went: `CMake` takes pairs of a property and its value.
fn keep_value(pass: &mut Pass<'_>, command: &Command, first: usize) {
    let property = command.arguments.get(first).map(|one| one.range);
    let value = command.arguments.get(first + 1).map(|one| one.range);
    let (Some(property), Some(value)) = (property, value) else {
        return;
    };
    let range = TextRange::new(property.end, value.end);
    if !pass.edited(range).trim().is_empty() {
        return;
    }
    if let Some(edit) = pass.out.edits.take_at(property.end) {
        pass.edit_in(edit.range, " \"\"", edit.group);
    }
}

/// Take a command out that gives a variable nothing but options which mcc does without. Its arguments are those of the
/// command `name`. Returns whether it was one.
fn vanishes(pass: &mut Pass<'_>, command: &Command, name: &str) -> bool {
    let skipped = if name == "set" { 1 } else { 2 };
    let words = pass.words(command);
    let Some(variable) = words.get(skipped - 1) else {
        return false;
    };
    if name != "set" && !matches!(words.first(), Some(&("APPEND" | "REMOVE_ITEM"))) {
        return false;
    }
    let itself = reference(variable);
    let for_device = is_for_device(pass, command, name);
    let mut notes = Vec::new();
    let mut pieces: Vec<(TextRange, &str)> = Vec::new();
    for argument in command.arguments.iter().skip(skipped) {
        let start = argument.inner.start;
        let found = split(pass.word(argument)).into_iter();
        pieces.extend(found.map(|(at, one)| {
            let (skip, option) = bare(one);
            let start = start + at + skip;
            (TextRange::new(start, start + option.len()), option)
        }));
    }
    let texts: Vec<&str> = pieces.iter().map(|(_, one)| *one).collect();
    let mut from = 0;
    while let Some(&(range, word)) = pieces.get(from) {
        let found = translator(pass).translate(texts.get(from..).unwrap_or_default());
        from += found.words;
        let goes = match &found.action {
            FlagAction::Becomes(to) => to.is_empty() && (for_device || !found.is_shared),
            _ => false,
        };
        if goes {
            notes.push((range, found));
        } else if name != "set" || word != itself {
            return false;
        }
    }
    if notes.is_empty() || !pass.remove(command.at) {
        return false;
    }
    for (range, found) in notes {
        say(pass, range, &found);
    }
    true
}

/// A command without the description that people read of its variable: `CACHE STRING "pass -G"`.
fn without_text(pass: &Pass<'_>, command: &Command) -> Command {
    let values = command.arguments.iter();
    let values = values.take_while(|one| pass.word(one) != "CACHE");
    Command {
        arguments: values.copied().collect(),
        ..command.clone()
    }
}

/// Begin what is appended to `FindMUSA`'s flags with a blank: those that the port gives them stand in front.
fn keep_apart(pass: &mut Pass<'_>, command: &Command) {
    let flags = pass.table.flags.variable.as_str();
    let words = pass.words(command);
    let [operation, variable, value, ..] = words.as_slice() else {
        return;
    };
    let named = *variable == flags || pass.table.variables_of(flags).any(|one| one == *variable);
    let argument = command.arguments.get(2);
    if let Some(argument) = argument.filter(|one| one.quoting == Quoting::Quoted)
        && (command.lower_name(), *operation) == ("string", "APPEND")
        && named
        && !value.is_empty()
        && !value.starts_with([' ', ';'])
    {
        let start = argument.inner.start;
        pass.edit(TextRange::new(start, start), " ");
    }
}

/// The variable that `set`, `list` or `string` gives a value.
fn variable_of<'w>(words: &[&'w str], name: &str) -> Option<&'w str> {
    words.get(usize::from(name != "set")).copied()
}

/// Whether one of the options that a command gives a variable is so.
fn gives(pass: &Pass<'_>, command: &Command, is_so: fn(&Pass<'_>, &str) -> bool) -> bool {
    let values = command.arguments.iter().skip(1);
    let mut options = values.flat_map(|one| split(pass.word(one)));
    options.any(|(_, one)| is_so(pass, part(one).1))
}

/// Whether the flags that a command gives a variable are for nvcc, and not for the compiler of another language: the
/// variable is CUDA's, an option beside them is nvcc's alone, or a command that names CUDA reads the variable.
fn is_for_device(pass: &Pass<'_>, command: &Command, name: &str) -> bool {
    let words = pass.words(command);
    let known = &pass.unit.context.knowledge.builds.words;
    let Some(variable) = variable_of(&words, name) else {
        return false;
    };
    let values = without_text(pass, command);
    known.is_cudas(variable.as_bytes())
        || gives(pass, &values, is_nvccs)
        || gives(pass, &values, is_shared) && read_with_cuda(pass).contains(variable)
}

/// The variables that commands of the file read beside a word of CUDA's.
fn read_with_cuda<'p, 'a>(pass: &'p Pass<'a>) -> &'p FxHashSet<&'a str> {
    let words = &pass.unit.context.knowledge.builds.words;
    let texts = pass.file.commands.iter();
    let texts = texts.map(|one| pass.text_of(one.range));
    let texts = texts.filter(|text| words.is_cudas(text.as_bytes()));
    let find = || texts.flat_map(references).collect();
    pass.facts.read_with_cuda.get_or_init(find)
}

/// Whether a command gives a variable flags: its name says so, or an option is nvcc's alone.
fn gives_flags(pass: &Pass<'_>, command: &Command) -> bool {
    let words = pass.words(command);
    let variable = variable_of(&words, command.lower_name());
    let words = &pass.unit.context.knowledge.builds.words;
    let values = without_text(pass, command);
    let is_prose = values
        .arguments
        .iter()
        .skip(1)
        .any(|one| is_sentence(pass, one) && !pass.word(one).contains("${"));
    gives(pass, &values, is_nvccs) && !is_prose
        || variable.is_some_and(|one| {
            pass.table.is_for_flags(one)
                || words.is_cudas(one.as_bytes()) && pass.table.is_cuda_for_flags(one)
        })
}
