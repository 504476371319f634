//! Properties and variables that only CUDA's language reads.

use super::conditions::decides;
use super::pass::Pass;
use super::source_languages;
use super::target_makers::{Targets, made, reaches};
use crate::build::arch;
use crate::build::codes::OTHER_GPUS;
use torchada_diagnostic::codes::build::{
    ARCHITECTURES, FLAGS_TOO_LATE, NO_COUNTERPART, SETTING_LEFT_OUT,
};
use torchada_mapping::builds::{CMakeTable, Counterpart};
use torchada_syntax::cmake::Command;
use torchada_syntax::cmake_references::reference;
use torchada_text::TextRange;

/// Give MUSA's variables what such properties and variables are set to, or take them out.
pub(super) fn check(pass: &mut Pass<'_>, targets: &Targets) {
    for command in pass.commands() {
        let words = pass.words(command);
        match command.lower_name() {
            "set_target_properties" | "set_property" | "set_source_files_properties" => {
                let keyword = words
                    .iter()
                    .position(|word| matches!(*word, "PROPERTIES" | "PROPERTY"));
                if let Some(keyword) = keyword {
                    properties(pass, command, keyword, targets);
                }
            }
            "target_compile_features" => features(pass, command, targets),
            "set" | "unset" => {
                variable(pass, command);
                flags_anew(pass, command);
            }
            _ => {}
        }
    }
}

/// How many commands in front of one are looked at that set what the port puts into the flags.
const MOST_EARLIER: usize = 16;

/// Keep what the port put into the flags where a file sets them anew: for CUDA's language the standard and the GPUs are
/// variables of their own, which `set(CMAKE_CUDA_FLAGS "-O3")` does not touch.
fn flags_anew(pass: &mut Pass<'_>, command: &Command) {
    let words = pass.words(command);
    let table = pass.table;
    let (Some(variable), Some(first)) = (words.first(), command.arguments.get(1)) else {
        return;
    };
    let flags = &table.flags.variable;
    let row = table.variables.get(*variable);
    let before = reference(variable);
    if row.and_then(|row| row.to.as_ref()) != Some(flags)
        || words.iter().skip(1).any(|word| word.contains(&before))
    {
        return;
    }
    let sets = put_into_flags(pass);
    let earlier = sets.partition_point(|&at| at < command.at);
    let mut earlier = sets.iter().take(earlier).rev().take(MOST_EARLIER);
    let is_put_in = earlier.any(|&at| {
        let earlier = pass.file.commands.get(at);
        let alternatives = |one| pass.file.are_alternatives(pass.unit.text, one, command);
        earlier.is_some_and(|one| !alternatives(one))
    });
    if is_put_in {
        let is_quoted = first.inner.start > first.range.start;
        let blank = if is_quoted { " " } else { "\\ " };
        let place = TextRange::new(first.inner.start, first.inner.start);
        pass.edit(place, &format!("${{{flags}}}{blank}"));
    }
}

/// The commands that set what the port puts into the flags, by their places.
fn put_into_flags<'p>(pass: &'p Pass<'_>) -> &'p [usize] {
    let table = pass.table;
    pass.facts.put_into_flags.get_or_init(|| {
        let of_flags = [&table.standard.variable, &table.architectures.variable];
        let sets = pass.file.commands.iter().enumerate().filter(|(_, one)| {
            let variable = pass.words(one).first().copied();
            one.lower_name() == "set" && of_flags.iter().any(|of| variable == Some(of.as_str()))
        });
        sets.map(|(at, _)| at).collect()
    })
}

fn properties(pass: &mut Pass<'_>, command: &Command, keyword: usize, targets: &Targets) {
    let words = pass.words(command);
    let single = words.get(keyword) == Some(&"PROPERTY");
    let step = if single { words.len() - keyword - 1 } else { 2 };
    let mut place = keyword + 1;
    let mut gone = 0;
    let all = words.len() - keyword - 1;
    let mut taken = Vec::new();
    let language = source_languages::check(pass, command, keyword, targets);
    while let Some(property) = words.get(place) {
        let last = (place + step - 1).min(words.len() - 1);
        if language == Some(place) {
            let range = command.range_of(place);
            left_out(
                pass,
                range,
                property,
                "MUSA's commands know sources by their ending",
            );
            taken.push((place, last));
            gone += last + 1 - place;
        } else if let Some(row) = pass.table.properties.get(*property) {
            let value = words.get(place + 1..=last).unwrap_or_default().join(";");
            if translate_property(pass, command, (place, row), &value, targets) {
                taken.push((place, last));
                gone += last + 1 - place;
            } else if let Some(instead) = &row.instead {
                let range = command.range_of(place);
                let message = format!("nothing reads `{property}` without CUDA's language");
                pass.report(NO_COUNTERPART, range, message, format!("write {instead}"));
            }
        }
        place += step.max(1);
    }
    if gone == all && gone > 0 {
        // New names of the sources go with it.
        pass.out.edits.remove_within(command.range);
        pass.remove(command.at);
        return;
    }
    for (first, last) in taken.into_iter().rev() {
        pass.remove_arguments(command, first, last);
    }
}

/// Translate a property. Returns whether it is removed.
fn translate_property(
    pass: &mut Pass<'_>,
    command: &Command,
    (place, row): (usize, &Counterpart),
    value: &str,
    targets: &Targets,
) -> bool {
    if row.value.as_ref().is_some_and(|only| only != value) {
        return false;
    }
    let words = pass.words(command);
    let property = words.get(place).copied().unwrap_or_default();
    let range = command.range_of(place);
    let of: Vec<usize> = made(targets, &words).map(|made| made.at).collect();
    let table = pass.table;
    let flags = &table.flags.variable;
    // A list that a variable holds, but for the one that gives mcc its GPUs.
    let is_elsewhere = value.contains("${") && !value.contains(&table.architectures.variable);
    if property == table.architectures.property
        && (is_elsewhere || table.architectures.is_list(value, pass.numbers()))
    {
        let options = pass.gpu_options();
        let line = format!("string(APPEND {flags} \" {}\")", options.join(" "));
        if !put(pass, &of, command, &line) {
            return true;
        }
        let shown = options.join(" ");
        let (message, help) = if of.is_empty() {
            let is_targets = !matches!(words.first(), Some(&("GLOBAL" | "DIRECTORY")));
            let why = if is_targets {
                "the target has no source of CUDA's here"
            } else {
                "no target takes it from there"
            };
            (
                format!("`{value}` was left out: {why}"),
                format!("give {flags} `{shown}` where the sources that are meant are compiled"),
            )
        } else {
            (arch::became(value, &shown), OTHER_GPUS.to_owned())
        };
        pass.report(ARCHITECTURES, range, message, help);
        return true;
    }
    let why = if property == table.standard.property {
        if !put(pass, &of, command, &standard_line(table, value)) {
            return true;
        }
        format!("`{flags}` names the standard")
    } else if let Some(variable) = row.variable.as_ref().filter(|_| !of.is_empty()) {
        if !put(pass, &of, command, &format!("set({variable} {value})")) {
            return true;
        }
        format!("{variable} takes its place")
    } else if row.variable.is_some() && is_made_here(pass, command) {
        "the target has no source of CUDA's".to_owned()
    } else if row.left_out {
        "nothing takes its place".to_owned()
    } else {
        return false;
    };
    left_out(pass, range, property, &why);
    true
}

/// Put a line in front of what makes the targets of a command. Where a condition decides about the command that does not
/// decide about its targets, a person has to: returns whether the line was put in.
fn put(pass: &mut Pass<'_>, of: &[usize], command: &Command, line: &str) -> bool {
    let is_free = of.iter().all(|&made| reaches(pass, made, command.at));
    if is_free {
        for &made in of {
            pass.insert_before(made, &[line.to_owned()]);
        }
    } else {
        only_some(pass, command, line);
    }
    is_free
}

fn only_some(pass: &mut Pass<'_>, command: &Command, line: &str) {
    let words = pass.words(command);
    let names = ["TARGET", "TARGETS"];
    let mut targets = words.iter().filter(|word| !names.contains(word));
    let target = targets.next().copied().unwrap_or_default();
    let message =
        format!("only some builds ask for this of `{target}`, which is made before that is asked");
    let help = format!("write `{line}` on the same condition in front of what makes `{target}`");
    pass.report(FLAGS_TOO_LATE, command.name, message, help);
}

/// Whether the targets that a command names are made in this file, of sources that stand here: those of a function are
/// its callers'.
fn is_made_here(pass: &Pass<'_>, command: &Command) -> bool {
    let words = pass.words(command).into_iter();
    let mut made = words.flat_map(|target| {
        let makers = ["add_library", "add_executable"].into_iter();
        makers.flat_map(move |maker| pass.file.with_first(maker, target.as_bytes()))
    });
    made.any(|one| pass.file.function_around(one.at).is_none())
}

fn left_out(pass: &mut Pass<'_>, range: TextRange, what: &str, why: &str) {
    let message = format!("`{what}` was left out: CMake has no language for mcc, and {why}");
    pass.report(SETTING_LEFT_OUT, range, message, "nothing has to be done");
}

/// `cuda_std_17` asks a language that is not enabled.
fn features(pass: &mut Pass<'_>, command: &Command, targets: &Targets) {
    let words = pass.words(command);
    for (place, word) in words.iter().enumerate() {
        let table = pass.table;
        let Some(number) = word.strip_prefix(table.standard.feature.as_str()) else {
            continue;
        };
        let instead = format!("{}{number}", table.standard.to_feature);
        if words.contains(&instead.as_str()) {
            pass.remove_arguments(command, place, place);
        } else if let Some(argument) = command.arguments.get(place) {
            pass.edit(argument.range, &instead);
        }
        let target = words.get(..1).unwrap_or_default();
        let made: Vec<usize> = made(targets, target).map(|made| made.at).collect();
        let line = standard_line(table, number);
        if !made.is_empty() && has_alternative(pass, command, number) {
            only_some(pass, command, &line);
            continue;
        }
        put(pass, &made, command, &line);
    }
}

/// Whether another branch of the same `if` asks for another standard for the same target.
fn has_alternative(pass: &Pass<'_>, command: &Command, number: &str) -> bool {
    let feature = &pass.table.standard.feature;
    let words = pass.words(command);
    let mut others = pass.file.commands.iter().filter(|other| {
        other.lower_name() == command.lower_name()
            && pass.words(other).first() == words.first()
            && pass.file.are_alternatives(pass.unit.text, command, other)
    });
    others.any(|other| {
        let words = pass.words(other);
        let mut numbers = words
            .iter()
            .filter_map(|word| word.strip_prefix(feature.as_str()));
        numbers.any(|other| other != number)
    })
}

/// The line that adds a standard of C++ to the flags of every source of MUSA's.
fn standard_line(table: &CMakeTable, number: &str) -> String {
    let (flags, option) = (&table.flags.variable, &table.standard.option);
    format!("string(APPEND {flags} \" {option}{number}\")")
}

/// A variable that only CUDA's language reads.
fn variable(pass: &mut Pass<'_>, command: &Command) {
    let words = pass.words(command);
    let Some(&variable) = words.first() else {
        return;
    };
    let table = pass.table;
    if variable == table.standard.variable {
        // What makes it unset takes nothing back from the flags, and has no value: `unset(… CACHE)`.
        if command.lower_name() == "unset" {
            if pass.remove(command.at) {
                left_out(pass, command.range, variable, "nothing takes its place");
            }
            return;
        }
        let Some(value) = words.get(1) else {
            return;
        };
        // What a template gets of the variable is nothing, where no build sets it: `"@CMAKE_CUDA_STANDARD@"`.
        let of_itself = value.trim_matches('@') == variable;
        if of_itself && pass.remove(command.at) {
            left_out(pass, command.range, variable, "nothing takes its place");
        } else if words.len() == 2 || words.get(2) == Some(&"CACHE") {
            let line = standard_line(table, value);
            // What reads it besides CUDA's language reads it in the port.
            if pass.unit.project.reads_in_cmake(variable) {
                let before = command
                    .at
                    .checked_sub(1)
                    .and_then(|at| pass.file.commands.get(at));
                if before.is_none_or(|before| pass.text_of(before.range) != line) {
                    pass.insert_before(command.at, &[line]);
                }
            } else {
                pass.edit(command.range, &line);
            }
        }
        return;
    }
    let why = match table.variables.get(variable) {
        Some(row) if row.left_out && !decides(pass, variable) => "nothing takes its place",
        Some(Counterpart {
            set_by: Some(why), ..
        }) if !pass.unit.project.reads_in_cmake(variable) => why,
        _ => return,
    };
    if pass.remove(command.at) {
        left_out(pass, command.range, variable, why);
    }
}
