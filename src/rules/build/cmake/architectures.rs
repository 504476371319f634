//! The GPUs that a build is for: CUDA's numbers become MUSA's, and are passed to mcc.

use super::calls::only_reads;
use super::flags::translator;
use super::outside_questions::outside_questions;
use super::pass::Pass;
use super::target_makers::reaches;
use crate::build::arch;
use crate::build::codes::OTHER_GPUS;
use crate::flags::{FlagAction, Obstacle};
use torchada_diagnostic::codes::build::{ARCHITECTURE_LOGIC, ARCHITECTURES};
use torchada_mapping::contains_one;
use torchada_syntax::cmake::Command;
use torchada_syntax::cmake_references::reference;
use torchada_text::TextRange;

/// Translate the variable with the numbers, and hand its value on to mcc.
pub(super) fn check(pass: &mut Pass<'_>) {
    let variable = pass.table.architectures.variable.clone();
    let row = pass.table.variables.get(&variable);
    let Some(to) = row.and_then(|row| row.to.clone()) else {
        return;
    };
    let mut uses = UsesOfNumbers {
        numbers: pass.gpus(),
        variable,
        to,
        writers: Vec::new(),
        is_reported: false,
        has_list: false,
        has_several: false,
    };
    for command in pass.commands() {
        uses.look_at(pass, command);
    }
    // Behind the last place, and behind each that is left without coming to one of those.
    let mut done: Vec<usize> = Vec::new();
    for &writer in uses.writers.iter().rev() {
        let at = outside_questions(pass, writer);
        if !done.iter().any(|&later| reaches(pass, at, later)) {
            done.push(at);
            hand_on(pass, writer, at, &uses.to, uses.has_several);
        }
    }
}

/// The uses of the variable with the numbers in the commands that were looked at.
struct UsesOfNumbers {
    variable: String,
    /// MUSA's variable in its place.
    to: String,
    /// MUSA's numbers.
    numbers: Vec<String>,
    /// The commands that give the variable a value.
    writers: Vec<usize>,
    /// Whether a decision by CUDA's numbers was reported.
    is_reported: bool,
    /// Whether one of CUDA's lists became MUSA's.
    has_list: bool,
    /// Whether one came to another that may be there already.
    has_several: bool,
}

impl UsesOfNumbers {
    fn look_at(&mut self, pass: &mut Pass<'_>, command: &Command) {
        let name = command.lower_name();
        let words = pass.words(command);
        let place = words.iter().position(|word| *word == self.variable);
        // The place of the first number that the command gives the variable.
        let first = match (name, place, words.first()) {
            ("set", Some(0), _) => Some(1),
            ("list", Some(1), Some(&"APPEND")) => Some(2),
            _ => None,
        };
        match name {
            "set" | "list" if let Some(first) = first => {
                self.writers.push(command.at);
                let is_list = replace(pass, command, first, &self.numbers, !self.has_list);
                self.has_list |= is_list;
                self.has_several |= is_list && name == "list";
                if !is_list && !self.is_reported {
                    self.is_reported = made_elsewhere(pass, command, first, &self.to);
                }
            }
            // `list(TRANSFORM CMAKE_CUDA_ARCHITECTURES APPEND "-real")`
            "list" if place == Some(1) && transforms_kind(pass, &words) => {
                let message =
                    "this was left out: MUSA's numbers of GPUs are not marked as real or virtual";
                if pass.remove(command.at) {
                    let nothing = "nothing is to be done";
                    pass.report(ARCHITECTURES, command.name, message, nothing);
                }
            }
            // `list(TRANSFORM CMAKE_CUDA_ARCHITECTURES PREPEND "-arch=sm_")`
            "list" if let Some(range) = put_before_numbers(pass, command) => {
                let old = pass.text_of(range).to_owned();
                let new = pass.gpu_option("");
                if pass.edit(range, &new) {
                    let message =
                        format!("`{old}` became `{new}`: the numbers behind it are MUSA's");
                    pass.report(ARCHITECTURES, range, message, "nothing is to be done");
                }
            }
            // Comparisons have their own check, for whatever variable has the numbers.
            "message"
            | "unset"
            | "foreach"
            | "endforeach"
            | "set_target_properties"
            | "set_property"
            | "if"
            | "elseif" => {}
            "list" if matches!(words.first(), Some(&("FILTER" | "FIND" | "REMOVE_ITEM"))) => {}
            _ => self.any_other(pass, command, place),
        }
    }

    /// Report a command that works with CUDA's numbers in a way that only people understand.
    fn any_other(&mut self, pass: &mut Pass<'_>, command: &Command, place: Option<usize>) {
        let name = command.lower_name();
        let is_plain = pass.table.is_plain(name);
        if place.is_some_and(|place| !is_plain && only_reads(pass, name, place)) {
            return;
        }
        if place.is_some() && !is_plain {
            self.writers.push(command.at);
        }
        let words = pass.words(command);
        let is_mentioned = words.iter().any(|word| mentions(word, &self.variable));
        if is_mentioned && !self.is_reported && (place.is_some() || is_plain) && name != "set" {
            self.is_reported = true;
            let help = format!(
                "decide by MUSA's numbers ({}), or leave the decision out",
                self.numbers.join(", ")
            );
            let message = format!(
                "`{name}` works with CUDA's numbers of GPUs in `{}`",
                self.to
            );
            pass.report(ARCHITECTURE_LOGIC, command.name, message, help);
        }
    }
}

/// Give mcc the numbers that the variable `to` got from the command `writer`, behind the command at `at`.
fn hand_on(pass: &mut Pass<'_>, writer: usize, at: usize, to: &str, has_several: bool) {
    let flags = &pass.table.flags.variable;
    let option = pass.gpu_option("${arch}");
    if has_several {
        // Each of several lists of CUDA's became all of MUSA's.
        pass.insert_behind(at, &[format!("list(REMOVE_DUPLICATES {to})")]);
    }
    let lines = [
        format!("foreach(arch IN LISTS {to})"),
        format!("  string(APPEND {flags} \" {option}\")"),
        "endforeach()".to_owned(),
    ];
    pass.insert_behind(at, &lines);
    // What a function hands out of its own numbers has to come with the flags.
    let hands_out = |one: &Command| pass.words(one).contains(&"PARENT_SCOPE");
    if pass.file.commands.get(writer).is_some_and(hands_out) {
        let line = format!("set({flags} \"${{{flags}}}\" PARENT_SCOPE)");
        pass.insert_behind(at, &[line]);
    }
}

/// Whether the words of a `list` change numbers of GPUs into those for one kind of code.
fn transforms_kind(pass: &Pass<'_>, words: &[&str]) -> bool {
    let kinds = &pass.numbers().kinds;
    let names_kind = |word: &&str| contains_one(word, kinds);
    words.first() == Some(&"TRANSFORM") && words.iter().any(names_kind)
}

/// The option of a `list` that puts one before each of the numbers.
pub(super) fn put_before_numbers(pass: &Pass<'_>, command: &Command) -> Option<TextRange> {
    let words = pass.words(command);
    let variable = pass.table.architectures.variable.as_str();
    let [list, numbers, how, option, ..] = words.as_slice() else {
        return None;
    };
    if (*list, *numbers, *how) != ("TRANSFORM", variable, "PREPEND") {
        return None;
    }
    let found = translator(pass).translate(&[option]);
    let is_front = found.action == FlagAction::Remains(Obstacle::WithoutValue);
    let range = command.arguments.get(3)?.inner;
    (is_front && found.is_for_gpus && option.contains('=')).then_some(range)
}

/// Report numbers that are put together of other variables: `set(CMAKE_CUDA_ARCHITECTURES "${GPU}-real;${GPU}-virtual")`.
/// These numbers reach mcc as they are. Returns whether a finding was made.
fn made_elsewhere(pass: &mut Pass<'_>, command: &Command, first: usize, to: &str) -> bool {
    let variable = reference(&pass.table.architectures.variable);
    let words = pass.words(command);
    let values = words
        .get(first..)
        .unwrap_or_default()
        .iter()
        .take_while(|word| !matches!(**word, "CACHE" | "PARENT_SCOPE"));
    let others = values
        .map(|word| word.replace(&variable, ""))
        .find(|word| word.contains("${") || word.contains("$ENV{"));
    if others.is_none() {
        return false;
    }
    let message =
        format!("`{to}` gets numbers of GPUs from other variables, and mcc gets them as they are");
    let help = format!(
        "let these variables hold MUSA's numbers alone ({}), without `-real` and `-virtual`",
        pass.gpus().join(", ")
    );
    pass.report(ARCHITECTURE_LOGIC, command.name, message, help);
    true
}

fn mentions(word: &str, variable: &str) -> bool {
    word == variable || word.contains(&reference(variable))
}

/// Put MUSA's numbers in place of a list of CUDA's. Returns whether it was one.
fn replace(
    pass: &mut Pass<'_>,
    command: &Command,
    first: usize,
    numbers: &[String],
    say: bool,
) -> bool {
    let table = &pass.table.architectures;
    let values: Vec<_> = command.arguments.iter().skip(first).collect();
    let stop = |word: &str| matches!(word, "CACHE" | "PARENT_SCOPE");
    let count = values
        .iter()
        .take_while(|one| !stop(pass.word(one)))
        .count();
    let values = values.get(..count).unwrap_or_default();
    let (Some(from), Some(to)) = (values.first(), values.last()) else {
        return false;
    };
    if !values
        .iter()
        .all(|one| table.is_list(pass.word(one), pass.numbers()))
    {
        return false;
    }
    let range = TextRange::new(from.range.start, to.range.end);
    let old = pass.text_of(range).to_owned();
    let is_quoted = from.range != from.inner;
    let new = if is_quoted || old.contains(';') {
        let list = numbers.join(";");
        if is_quoted {
            format!("\"{list}\"")
        } else {
            list
        }
    } else {
        numbers.join(" ")
    };
    if pass.edit(range, &new) && say {
        let message = arch::became(&old, &new);
        pass.report(ARCHITECTURES, range, message, OTHER_GPUS);
    }
    true
}
