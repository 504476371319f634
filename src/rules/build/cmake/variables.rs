//! Variables that `CMake` and its modules set, and those of the environment.

use super::conditions::left_beside;
use super::find_commands::is_compiler_found_at;
use super::libraries::{FINDS, is_found, is_place, is_suffix};
use super::own::{is_declared, is_option};
use super::packages::looks_for_language;
use super::pass::Pass;
use crate::build::codes::{CMAKE_OPTION_ADVICE, sentence};
use torchada_diagnostic::KeptReason;
use torchada_diagnostic::codes::build::{CMAKE_OPTION, NO_COUNTERPART};
use torchada_mapping::builds::Counterpart;
use torchada_mapping::{Relation, Section, has, starts_with_one};
use torchada_syntax::cmake::{Argument, Command};
use torchada_text::TextRange;

/// A word of CUDA's in an argument of a command.
pub(super) struct Word<'a> {
    pub(super) command: &'a Command,
    /// How many arguments stand before the one with the word.
    pub(super) place: usize,
    pub(super) argument: &'a Argument,
    pub(super) range: TextRange,
    pub(super) shown: &'a str,
}

/// Keywords of `CMake`'s behind which variables of the environment get values.
const ENVIRONMENTS: [&str; 3] = ["ENVIRONMENT", "ENVIRONMENT_MODIFICATION", "env"];

impl Word<'_> {
    /// The text before the word.
    pub(super) fn before<'a>(&self, pass: &Pass<'a>) -> &'a [u8] {
        let before = pass.unit.text.get(..self.range.start);
        before.unwrap_or_default()
    }

    /// Whether the word is the whole argument.
    pub(super) fn is_whole(&self) -> bool {
        self.argument.inner == self.range
    }
}

/// A variable of the environment, or the end of a path that a command looks for. Returns whether it is one.
pub(super) fn in_environment(pass: &mut Pass<'_>, word: &Word<'_>) -> bool {
    let finds =
        FINDS.contains(&word.command.lower_name()) || word.command.lower_name() == "find_program";
    let before = word.place.checked_sub(1);
    let argument_before = before.and_then(|at| word.command.arguments.get(at));
    let is_behind_env = || argument_before.is_some_and(|one| pass.word(one) == "ENV");
    if word.before(pass).ends_with(b"ENV{") || finds && word.is_whole() && is_behind_env() {
        let is_place =
            finds && is_place(pass, word.command, word.place) || is_beside_place(pass, word);
        environment(pass, word.range, word.shown, is_place);
        return true;
    }
    if is_assigned(pass, word)
        && let Some(to) = of_musa(pass, word.shown)
    {
        pass.edit(word.range, to);
        return true;
    }
    let is_suffix = finds && is_suffix(pass, word.command, word.place);
    if is_suffix {
        pass.keep(word.range, KeptReason::BesideMusas);
    }
    is_suffix
}

/// How many words of a command are looked through for the keyword in front of variables of the environment.
const VARIABLES: usize = 32;

/// Whether a variable of the environment gets a value, for a test or behind `CMake`'s `env`: `ENVIRONMENT
/// "CUDA_LAUNCH_BLOCKING=1;…"`, `-E env CUDA_LAUNCH_BLOCKING=1 demo`.
fn is_assigned(pass: &Pass<'_>, word: &Word<'_>) -> bool {
    let begins = word.range.start == word.argument.inner.start || word.before(pass).ends_with(b";");
    if !begins || pass.unit.text.get(word.range.end) != Some(&b'=') {
        return false;
    }
    let before = word.command.arguments.get(..word.place).unwrap_or_default();
    let mut before = before.iter().rev().take(VARIABLES);
    before.any(|one| ENVIRONMENTS.contains(&pass.word(one)))
}

/// How many arguments of a command are places. Beyond: none of the others is.
const PLACES: usize = 64;

/// Whether a word names one of several places of a list, and the port looks in another of them: `set(PLACES $ENV{CUDA_HOME}
/// $ENV{CUDA_ROOT})`.
fn is_beside_place(pass: &Pass<'_>, word: &Word<'_>) -> bool {
    let is_place = |other: &&str| {
        let variable = other.strip_prefix("$ENV{");
        let variable = variable.and_then(|rest| rest.strip_suffix('}'));
        variable.is_some_and(|name| of_musa(pass, name).is_some())
    };
    let arguments = word.command.arguments.iter().take(PLACES).enumerate();
    let mut others = arguments.filter(|(at, _)| *at != word.place);
    matches!(word.command.lower_name(), "set" | "list" | "foreach")
        && others.any(|(_, other)| is_place(&pass.word(other)))
}

/// What MUSA calls a variable of the environment.
fn of_musa<'a>(pass: &Pass<'a>, name: &str) -> Option<&'a str> {
    let row = pass
        .unit
        .context
        .row(Section::Environment, name.as_bytes())?;
    let is_renamed = row.relation == Relation::Renamed;
    row.to.as_deref().filter(|_| is_renamed)
}

/// A variable that `CMake` or one of its modules sets. Returns whether the table of them decides about the word.
pub(super) fn of_cmake(pass: &mut Pass<'_>, word: &Word<'_>, is_prose: bool) -> bool {
    let &Word {
        command,
        place,
        range,
        shown,
        ..
    } = word;
    let is_reference = word.before(pass).ends_with(b"${") || word.is_whole();
    if !is_reference && !is_named(pass.unit.text, range) {
        return false;
    }
    let Some(row) = pass.table.variables.get(shown) else {
        return false;
    };
    let asked = row.found.as_deref();
    let asked = asked.and_then(|found| Some((asked_from(pass, command, place)?, found)));
    if let Some((start, found)) = asked {
        pass.edit(TextRange::new(start, range.end), found);
    } else if let Some(to) = &row.to {
        pass.edit(range, to);
    } else if let Some((whole, value)) = referenced(pass, word, row) {
        pass.edit(whole, value);
    } else if is_found(pass, shown) {
        pass.keep(range, KeptReason::ProjectDeclared);
    } else if row.left_out
        && let Some(reason) = left_beside(pass, command, shown)
    {
        pass.keep(range, reason);
    } else if is_beside_place(pass, word) {
        pass.keep(range, KeptReason::BesideMusas);
    } else if is_prose {
        return false;
    } else {
        let instead = row.instead.as_deref();
        let what = instead.unwrap_or("nothing: leave the line out");
        // What the project gives a value, it gives to a module of CUDA's.
        let verb = if is_declared(pass, shown) {
            "reads"
        } else {
            "sets"
        };
        let message = format!("nothing {verb} `{shown}` in a build for MUSA");
        pass.report(NO_COUNTERPART, range, message, format!("write {what}"));
    }
    true
}

/// The place of a reference to a variable that nothing sets in a build for MUSA, `${CMAKE_CUDA_COMPILER}`, and what has this
/// value where MUSA's compiler is found.
fn referenced<'t>(
    pass: &Pass<'_>,
    word: &Word<'_>,
    row: &'t Counterpart,
) -> Option<(TextRange, &'t str)> {
    let value = row.instead.as_deref().filter(|one| one.starts_with("${"))?;
    let range = word.range;
    let is_reference = word.before(pass).ends_with(b"${")
        && pass.unit.text.get(range.end) == Some(&b'}')
        && word.command.lower_name() != "message"
        && is_compiler_found_at(pass, word.command);
    is_reference.then(|| (TextRange::new(range.start - 2, range.end + 1), value))
}

/// An option of `CMake`'s for CUDA that a command hands another run of `CMake`, `-DCMAKE_CUDA_ARCHITECTURES=80`, and what
/// stands in its value. Returns whether the word is a part of one.
pub(super) fn for_another_run(pass: &mut Pass<'_>, word: &Word<'_>) -> bool {
    let option = pass.word(word.argument).strip_prefix("-D");
    let name = option.and_then(|one| one.split(['=', ':']).next());
    let is_cmakes = |name: &&str| {
        pass.table.variables.contains_key(*name)
            || starts_with_one(*name, &pass.table.language_fronts)
    };
    let Some(name) = name.filter(is_cmakes) else {
        return false;
    };
    if defines(pass, word) {
        return false;
    }
    if word.shown == name {
        let message = sentence(CMAKE_OPTION, &format!("`{name}`"), false);
        pass.report(CMAKE_OPTION, word.range, message, CMAKE_OPTION_ADVICE);
        return true;
    }
    let row = pass.table.variables.get(word.shown);
    let is_left = row.is_some_and(|row| row.to.is_none());
    if is_left {
        pass.keep(word.range, KeptReason::NamedBeside);
    }
    is_left
}

/// Whether a word is a macro that code gets: from a command for macros, or from `-DNAME` among flags.
pub(super) fn defines(pass: &Pass<'_>, word: &Word<'_>) -> bool {
    let definers = &pass.unit.context.knowledge.builds.words.lints;
    let name = word.command.lower_name();
    let is_flag = || {
        let names = word.command.arguments.iter().take(FIRST);
        let names = names.take_while(|one| one.range.start < word.range.start);
        let mut names = names.map(|one| pass.word(one));
        word.before(pass).ends_with(b"-D") && names.any(|name| pass.table.is_for_flags(name))
    };
    has(&definers.definition_commands, name)
        || matches!(name, "set" | "list" | "string") && is_flag()
}

/// How many arguments of a command are looked through for the variable that gets flags.
const FIRST: usize = 3;

/// Where a condition begins that asks whether a word holds anything, behind what looks for a compiler of CUDA's: `if(NOT
/// CMAKE_CUDA_COMPILER)`, `if(DEFINED CMAKE_CUDA_COMPILER)`.
fn asked_from(pass: &Pass<'_>, command: &Command, place: usize) -> Option<usize> {
    let name = command.lower_name();
    let words = pass.words(command);
    let word = |at: usize| words.get(at).copied();
    let is_defined = place > 0 && word(place - 1) == Some("DEFINED");
    let start = place - usize::from(is_defined);
    let before = start.checked_sub(1).and_then(word);
    let is_condition = matches!(name, "if" | "elseif" | "else" | "endif")
        && matches!(before, None | Some("NOT" | "AND" | "OR" | "("))
        && matches!(word(place + 1), None | Some("AND" | "OR" | ")"))
        && looks_for_language(pass, command.range.start);
    let first = command.arguments.get(start).filter(|_| is_condition)?;
    Some(first.inner.start)
}

/// Whether a word stands where a condition, an expression or a template names a variable: `@CMAKE_CUDA_FLAGS@`.
fn is_named(text: &[u8], word: TextRange) -> bool {
    let before = text.get(..word.start).unwrap_or_default();
    let is_replaced = before.ends_with(b"@") && text.get(word.end) == Some(&b'@');
    is_replaced || before.ends_with(b"BOOL:") || before.ends_with(b"CACHE{")
}

/// A variable of the environment by its name. `is_place`: it is one place of several that a command looks in.
fn environment(pass: &mut Pass<'_>, range: TextRange, shown: &str, is_place: bool) {
    match of_musa(pass, shown) {
        Some(to) => {
            pass.edit(range, to);
        }
        None if is_option(pass.table, shown) || pass.is_of_own_module(shown) => {
            pass.keep(range, KeptReason::ProjectDeclared);
        }
        None if is_place => pass.keep(range, KeptReason::BesideMusas),
        None => {
            let message =
                format!("no variable of MUSA's is known for `{shown}` in the environment");
            let help = "set it for the build as it is, or leave what asks for it out";
            pass.report(NO_COUNTERPART, range, message, help);
        }
    }
}
