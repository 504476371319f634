//! Endings of sources in variables, without their dot: `foreach(ext cu cpp)` with `file(GLOB found "*.${ext}")`.

use std::collections::BTreeMap;

use super::pass::Pass;
use torchada_diagnostic::codes::build::ENDING_STAYS;
use torchada_project::Source;
use torchada_syntax::cmake::{Argument, Command};
use torchada_syntax::cmake_references::reference;
use torchada_syntax::whole_words;
use torchada_text::TextRange;

/// The operator that compares a variable with a text.
const COMPARES: &str = "STREQUAL";

/// The option that gives a variable of a script a value.
const DEFINES: &str = "-D";

/// What asks how long the value of a variable is.
const LENGTH: &[u8] = b"LENGTH ${";

/// Commands that run programs, and so may start a script.
pub(super) const STARTERS: [&str; 3] =
    ["add_custom_command", "add_custom_target", "execute_process"];

/// Let endings follow the files that have them, where nothing but names of files is made of them.
pub(super) fn check(pass: &mut Pass<'_>) {
    let unit = pass.unit;
    for (old, new) in &unit.context.knowledge.files.rename {
        let (Some(bare), Some(to)) = (old.strip_prefix('.'), new.strip_prefix('.')) else {
            continue;
        };
        let found = variables_with_ending(pass, bare);
        if found.is_empty() {
            continue;
        }
        let files = pass.unit.project.files.iter();
        let mut with = files.filter(|one| one.path.ends_with(old));
        if !with.clone().any(Source::is_renamed) {
            continue;
        }
        let all_follow = with.all(Source::is_renamed);
        for ((variable, function), places) in found {
            let uses = match function {
                Some(function) => VariableUses::inside(pass, &variable, function),
                None => VariableUses::of(pass, &variable),
            };
            if uses.behind_dots && (uses.elsewhere || !all_follow) {
                for argument in places {
                    let message = format!(
                        "`{bare}` stays as a part of names of files, and sources of that ending get `{new}`"
                    );
                    let help = format!(
                        "`${{{variable}}}` is not only the ending of sources that are renamed: write `{to}` where it is"
                    );
                    pass.report(ENDING_STAYS, argument.inner, message, &help);
                }
            } else if uses.behind_dots {
                let compared = compared(pass, &variable, function, bare);
                for argument in places.into_iter().chain(compared) {
                    pass.edit(argument.inner, to);
                }
            }
        }
    }
}

/// The variables that get an ending as a value, each with the command that begins the function whose parameter it is, and
/// with the places of the ending.
type EndingHolders = BTreeMap<(String, Option<usize>), Vec<Argument>>;

/// The variables that get an ending as a value.
fn variables_with_ending(pass: &Pass<'_>, ending: &str) -> EndingHolders {
    let mut found = EndingHolders::new();
    let mut add = |variable: &str, function: Option<usize>, place: Argument| {
        let holder = (variable.to_owned(), function);
        found.entry(holder).or_default().push(place);
    };
    for command in pass.commands() {
        let name = command.lower_name();
        if STARTERS.contains(&name) {
            for (variable, place) in handed_over(pass, command, ending) {
                add(&variable, None, place);
            }
            continue;
        }
        let with_ending = command.arguments.iter().enumerate();
        let with_ending = with_ending.filter(|(_, one)| pass.word(one) == ending);
        let sets = matches!(name, "set" | "foreach");
        for (at, place) in with_ending {
            let variable = pass.first_word(command);
            if let Some(variable) = variable.filter(|_| sets && at > 0) {
                add(variable, None, *place);
            }
            // `add_kernel(fill cu)` for `function(add_kernel name suffix)`
            let function = pass.file.definitions(name).next().filter(|_| !sets);
            let definition = function.and_then(|at| pass.file.commands.get(at));
            let parameter = definition.and_then(|one| one.arguments.get(at + 1));
            if let Some(parameter) = parameter {
                add(pass.word(parameter), function, *place);
            }
        }
    }
    found
}

/// The endings that a command hands to a script: `-D EXT=cu`, `-DEXT:STRING=cu`.
fn handed_over(pass: &Pass<'_>, command: &Command, ending: &str) -> Vec<(String, Argument)> {
    let mut found = Vec::new();
    let mut is_behind = false;
    for argument in &command.arguments {
        let word = pass.word(argument);
        let definition = word
            .strip_prefix(DEFINES)
            .or_else(|| is_behind.then_some(word));
        is_behind = word == DEFINES;
        let Some((name, value)) = definition.and_then(|one| one.split_once('=')) else {
            continue;
        };
        if value == ending {
            let name = name.split(':').next().unwrap_or(name).to_owned();
            let inner = TextRange::new(argument.inner.end - ending.len(), argument.inner.end);
            let place = Argument { inner, ..*argument };
            found.push((name, place));
        }
    }
    found
}

/// The places that the values of a variable go to.
#[derive(Default)]
struct VariableUses {
    /// Behind the dot in names of files.
    behind_dots: bool,
    elsewhere: bool,
}

impl VariableUses {
    /// The uses in this file, and in the others, which get the variable where folders are added.
    fn of(pass: &Pass<'_>, variable: &str) -> Self {
        let mut uses = Self::default();
        let others = pass.unit.project.cmake_texts();
        for (_, text) in others.filter(|(index, _)| *index != pass.unit.index) {
            for at in whole_words(text, variable.as_bytes()) {
                let is_closed = text.get(at + variable.len()) == Some(&b'}');
                let front = text.get(..at).unwrap_or_default();
                // MUSA's ending is as long as CUDA's.
                let function = front.get(front.len().saturating_sub(LENGTH.len())..);
                if function.is_some_and(|function| function.eq_ignore_ascii_case(LENGTH)) {
                    continue;
                }
                uses.add(is_closed && front.ends_with(b".${"));
            }
        }
        for command in pass.commands() {
            uses.add_of(pass, variable, command);
        }
        uses
    }

    /// The uses in the function that begins at a command, and gets the variable as a parameter.
    fn inside(pass: &Pass<'_>, variable: &str, function: usize) -> Self {
        let mut uses = Self::default();
        for command in pass.file.inside(function) {
            uses.add_of(pass, variable, command);
        }
        uses
    }

    fn add_of(&mut self, pass: &Pass<'_>, variable: &str, command: &Command) {
        if command.lower_name() == "message" {
            return;
        }
        let used = reference(variable);
        for argument in &command.arguments {
            let word = pass.word(argument);
            for (at, _) in word.match_indices(&used) {
                self.add(word.get(..at).is_some_and(|front| front.ends_with('.')));
            }
        }
    }

    fn add(&mut self, behind_dot: bool) {
        self.behind_dots |= behind_dot;
        self.elsewhere |= !behind_dot;
    }
}

/// Where a variable is compared with an ending: in the function that has it, or anywhere.
fn compared(
    pass: &Pass<'_>,
    variable: &str,
    function: Option<usize>,
    ending: &str,
) -> Vec<Argument> {
    let asks = |command: &Command| {
        let mut found = Vec::new();
        for three in command.arguments.windows(3) {
            if let [one, sign, other] = three
                && pass.word(sign) == COMPARES
                && pass.word(one) == variable
                && pass.word(other) == ending
            {
                found.push(*other);
            }
        }
        found
    };
    let is_question = |one: &&Command| matches!(one.lower_name(), "if" | "elseif");
    if let Some(function) = function {
        let questions = pass.file.inside(function).filter(is_question);
        questions.flat_map(asks).collect()
    } else {
        let commands = pass.commands().into_iter();
        commands.filter(is_question).flat_map(asks).collect()
    }
}
