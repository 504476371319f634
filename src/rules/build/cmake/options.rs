//! Flags for CUDA's compiler: those in variables, and those that targets get by their language.

use super::architectures::put_before_numbers;
use super::codes::FLAGS_TOO_LATE;
use super::expressions::{bare, expression_end, for_cuda};
use super::flags::{is_nvccs, say, split, translator};
use super::own::is_sentence;
use super::pass::Pass;
use super::target_makers::{Targets, made, reaches};
use super::words::plain;
use super::{calls, flag_lookups, source_options};
use crate::flags::FlagAction;
use torchada_project::replay::TargetSources;
use torchada_syntax::cmake::Command;
use torchada_text::TextRange;

/// Look at flags.
pub(super) fn check(pass: &mut Pass<'_, '_>, targets: &Targets) {
    for (at, command, name) in pass.commands() {
        match name.as_str() {
            "target_compile_options" => {
                by_language(pass, at, &command, 2, targets);
                plain(pass, &command, 1, true);
            }
            "add_compile_options" => {
                by_language(pass, at, &command, 0, targets);
                plain(pass, &command, 0, true);
            }
            "list" if put_before_numbers(pass, &command).is_some() => {}
            "set" | "list" | "string" | "if" | "elseif"
                if flag_lookups::check(pass, &command, &name) => {}
            "set" | "list" | "string"
                if gives_flags(pass, &command, &name) && !vanishes(pass, at, &command, &name) =>
            {
                plain(pass, &without_text(pass, &command), 1, name == "list");
                too_late(pass, at, &command, targets);
            }
            "set_property" | "set_source_files_properties" | "set_target_properties" => {
                let words = pass.words(&command);
                let of_flags = words
                    .iter()
                    .position(|word| matches!(*word, "COMPILE_OPTIONS" | "COMPILE_FLAGS"));
                if let Some(first) = of_flags.filter(|_| !is_for_host(pass, &words)) {
                    let is_list = words.get(first) == Some(&"COMPILE_OPTIONS");
                    plain(pass, &command, first + 1, is_list);
                    if name != "set_property" {
                        keep_value(pass, &command, first);
                    }
                    source_options::check(pass, &command, first, targets);
                }
            }
            // `cuda_add_library(x x.cu OPTIONS -Xptxas -v)`
            _ if pass
                .table
                .commands
                .get(&name)
                .is_some_and(|row| row.makes.is_some()) =>
            {
                let keyword = pass
                    .words(&command)
                    .iter()
                    .position(|word| *word == "OPTIONS");
                if let Some(keyword) = keyword {
                    plain(pass, &command, keyword + 1, true);
                }
            }
            _ => calls::check(pass, &command, &name),
        }
    }
}

/// Whether the target that a command names first has no source of CUDA's: its options go to the compiler of C++ as before.
fn is_for_host(pass: &Pass<'_, '_>, words: &[&str]) -> bool {
    let unit = pass.unit;
    let files = &unit.context.knowledge.files;
    let lists = unit.project.replay().targets.iter();
    let mut lists = lists
        .filter(|one| words.first() == Some(&&*one.target))
        .peekable();
    let is_host = |one: &TargetSources| {
        one.unknown.is_empty() && !one.sources.iter().any(|source| files.is_cuda(&source.text))
    };
    lists.peek().is_some() && lists.all(is_host)
}

/// Leave an empty value where all flags of a property went: `CMake` takes pairs of a property and its value.
fn keep_value(pass: &mut Pass<'_, '_>, command: &Command, first: usize) {
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

/// Take a command out that gives a variable nothing but options which mcc does without. Returns whether it was one.
fn vanishes(pass: &mut Pass<'_, '_>, at: usize, command: &Command, name: &str) -> bool {
    let skipped = if name == "set" { 1 } else { 2 };
    let words = pass.words(command);
    let Some(variable) = words.get(skipped - 1) else {
        return false;
    };
    if name != "set" && !matches!(words.first(), Some(&("APPEND" | "REMOVE_ITEM"))) {
        return false;
    }
    let itself = format!("${{{variable}}}");
    let mut notes = Vec::new();
    let mut pieces: Vec<(TextRange, &str)> = Vec::new();
    for argument in command.arguments.iter().skip(skipped) {
        let start = argument.inner.start;
        let found = split(pass.word(argument)).into_iter();
        let found =
            found.map(|(at, one)| (TextRange::new(start + at, start + at + one.len()), one));
        pieces.extend(found);
    }
    let texts: Vec<&str> = pieces.iter().map(|(_, one)| *one).collect();
    let mut from = 0;
    while let Some(&(range, word)) = pieces.get(from) {
        let found = translator(pass).translate(texts.get(from..).unwrap_or_default());
        from += found.words;
        let goes = match &found.action {
            FlagAction::Becomes(to) => to.is_empty(),
            _ => false,
        };
        if goes {
            notes.push((range, found));
        } else if name != "set" || word != itself {
            return false;
        }
    }
    if notes.is_empty() || !pass.remove(at) {
        return false;
    }
    for (range, found) in notes {
        say(pass, range, &found);
    }
    true
}

/// A command without what is said of a variable for people: `CACHE STRING "pass -G"`.
fn without_text(pass: &Pass<'_, '_>, command: &Command) -> Command {
    let values = command.arguments.iter();
    let values = values.take_while(|one| pass.word(one) != "CACHE");
    Command {
        arguments: values.copied().collect(),
        ..command.clone()
    }
}

/// Whether a command gives a variable flags: its name says so, or an option is nvcc's alone.
fn gives_flags(pass: &Pass<'_, '_>, command: &Command, name: &str) -> bool {
    let words = pass.words(command);
    let variable = match name {
        "set" => words.first(),
        _ => words.get(1),
    };
    let words = &pass.unit.context.knowledge.builds.words;
    let values = without_text(pass, command);
    let mut options = values
        .arguments
        .iter()
        .skip(1)
        .flat_map(|one| split(pass.word(one)));
    let is_nvccs = options.any(|(_, one)| is_nvccs(pass, bare(one).1));
    let is_prose = values
        .arguments
        .iter()
        .skip(1)
        .any(|one| is_sentence(pass, one) && !pass.word(one).contains("${"));
    is_nvccs && !is_prose
        || variable.is_some_and(|one| {
            pass.table.is_for_flags(one)
                || words.is_cudas(one.as_bytes()) && pass.table.is_cuda_for_flags(one)
        })
}

/// Flags that a target gets where the language is CUDA's.
fn by_language(
    pass: &mut Pass<'_, '_>,
    at: usize,
    command: &Command,
    first: usize,
    targets: &Targets,
) {
    let mut moved: Vec<String> = Vec::new();
    let mut gone: Vec<(usize, usize)> = Vec::new();
    let mut place = 0;
    while place < command.arguments.len() {
        let (begins, ends) = (place, expression_end(pass, command, place));
        place = ends + 1;
        let Some((list, inner)) = for_cuda(pass, command, begins, ends) else {
            continue;
        };
        let pieces = split(list);
        let texts: Vec<&str> = pieces.iter().map(|(_, one)| bare(one).1).collect();
        let mut from = 0;
        let mut notes = Vec::new();
        while from < texts.len() {
            let found = translator(pass).translate(texts.get(from..).unwrap_or_default());
            let start = inner.start + pieces.get(from).map_or(0, |(start, _)| *start);
            from += found.words;
            match &found.action {
                FlagAction::Becomes(to) => moved.extend(to.iter().cloned()),
                FlagAction::NamesGpus => {}
                // What marks hold together stays one argument.
                _ if found.words == 1 && found.shown.contains(' ') => {
                    moved.push(format!("\"{}\"", found.shown));
                }
                _ => moved.push(found.shown.clone()),
            }
            notes.push((start, found));
        }
        for (start, found) in notes {
            say(
                pass,
                TextRange::new(start, start + found.shown.len()),
                &found,
            );
        }
        gone.push((begins, ends));
    }
    if gone.is_empty() {
        return;
    }
    let taken: usize = gone.iter().map(|(begins, ends)| ends - begins + 1).sum();
    let rest = command.arguments.len() - taken;
    if rest <= first.min(command.arguments.len()) {
        pass.remove(at);
    } else {
        for &(begins, ends) in gone.iter().rev() {
            pass.remove_arguments(command, begins, ends);
        }
    }
    let flags = pass.table.flags.variable.clone();
    // FindMUSA gives these to every source by itself.
    let names = std::iter::once(flags.as_str()).chain(pass.table.variables_of(&flags));
    let own: Vec<String> = names.map(|name| format!("${{{name}}}")).collect();
    moved.retain(|one| !one.is_empty() && !own.contains(one));
    if moved.is_empty() {
        return;
    }
    let line = format!("list(APPEND {flags} {})", moved.join(" "));
    let target = command
        .arguments
        .first()
        .map(|one| pass.word(one))
        .unwrap_or_default();
    let names = [target];
    let earlier = made(targets, &names).map(|made| made.at);
    let earlier: Vec<usize> = earlier.filter(|made| *made < at).collect();
    let is_known = moved.iter().all(|one| !one.contains("${"));
    match earlier.is_empty() {
        // What is put in before the target must be known there, and no condition of its own may decide about it.
        false if is_known && earlier.iter().all(|&made| reaches(pass, made, at)) => {
            for made in earlier {
                pass.insert_before(made, std::slice::from_ref(&line));
            }
        }
        false => {
            pass.insert_before(at, std::slice::from_ref(&line));
            let message =
                format!("`{target}` was made before `{line}`, and gets none of these flags");
            let help = format!(
                "move what makes `{target}` behind that line: FindMUSA reads the flags where the target is made"
            );
            pass.report(FLAGS_TOO_LATE, command.name, message, help);
        }
        true if let Some(file) = made_in(pass, target) => {
            let message = format!(
                "`{target}` is made in {file}, before `{line}`, and gets none of these flags"
            );
            let help = format!("give {flags} the flags there, before what makes `{target}`");
            pass.report(FLAGS_TOO_LATE, command.name, message, help);
        }
        true => {
            if in_function(pass, at) {
                let message = format!(
                    "`{line}` holds in this function alone, which does not make `{target}`"
                );
                let help =
                    "hand the flags out with PARENT_SCOPE, or set them where the target is made";
                pass.report(FLAGS_TOO_LATE, command.name, message, help);
            }
            pass.insert_before(at, &[line]);
        }
    }
}

/// The other file that makes a target of sources of CUDA's.
fn made_in<'a>(pass: &Pass<'a, '_>, target: &str) -> Option<&'a str> {
    let unit = pass.unit;
    let mut lists = unit.project.replay().targets.iter();
    let list = lists.find(|one| {
        let files = &unit.context.knowledge.files;
        &*one.target == target
            && one.from.0 != unit.index
            && one.sources.iter().any(|source| files.is_cuda(&source.text))
    })?;
    Some(&unit.project.files.get(list.from.0)?.path)
}

/// Whether a command stands in a function, whose variables are its own.
fn in_function(pass: &Pass<'_, '_>, at: usize) -> bool {
    let mut blocks = pass.file.blocks(at);
    blocks.any(|block| {
        let opener = pass.file.commands.get(block);
        opener.is_some_and(|one| one.lower_name() == "function")
    })
}

/// Flags that a variable gets behind the targets which read it.
fn too_late(pass: &mut Pass<'_, '_>, at: usize, command: &Command, targets: &Targets) {
    let words = pass.words(command);
    let flags = pass.table.flags.variable.as_str();
    let named = |word: &str| word == flags || pass.table.variables_of(flags).any(|one| one == word);
    if !words.iter().take(2).any(|word| named(word)) {
        return;
    }
    let all = targets
        .iter()
        .flat_map(|(name, all)| all.iter().map(move |made| (name, made)));
    let earlier = all.filter(|(_, made)| made.at < at);
    let Some((target, _)) = earlier.min_by_key(|(_, made)| made.at) else {
        return;
    };
    let message = format!("`{target}` was made before these flags, and gets none of them");
    let help = format!(
        "move this in front of what makes `{target}`: FindMUSA reads the flags where the target is made"
    );
    pass.report(FLAGS_TOO_LATE, command.name, message, help);
}
