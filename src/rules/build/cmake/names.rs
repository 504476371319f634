//! The remaining names: variables of `CMake`'s modules, environment variables, and names of the project's own.

use super::conditions::left_beside;
use super::libraries::{FINDS, is_found, is_place, is_suffix};
use super::own::{
    has_own_choices, is_compound, is_declared, is_description, is_option, is_own_keyword,
    is_sentence, path_around, variable_with_value,
};
use super::packages::is_language_optional;
use super::pass::Pass;
use super::{code, indirect, programs, toolkit_paths};
use crate::build::leftovers::is_handled;
use torchada_diagnostic::KeptReason;
use torchada_diagnostic::codes::build::{NO_COUNTERPART, VERSION_REQUIRED};
use torchada_mapping::{Relation, Section};
use torchada_syntax::cmake::{Argument, Command};
use torchada_text::TextRange;

/// Look at every word of CUDA's that nobody spoke of.
pub(super) fn check(pass: &mut Pass<'_, '_>) {
    for (_, command, name) in pass.commands() {
        let is_own = pass
            .unit
            .context
            .knowledge
            .builds
            .words
            .is_cudas(name.as_bytes())
            && !pass.table.commands.contains_key(&name)
            && pass.unit.project.cmake_defining(&name).is_some();
        if is_own {
            pass.keep(command.name, KeptReason::ProjectDeclared);
        }
        for (place, argument) in command.arguments.iter().enumerate() {
            if name == "find_program" && place > 0 {
                programs::check(pass, &command, argument);
            }
            toolkit_paths::check(pass, &command, &name, place);
            for range in pass.words_of_cuda(argument.inner) {
                word(pass, &command, &name, place, argument, range);
            }
        }
    }
}

fn word(
    pass: &mut Pass<'_, '_>,
    command: &Command,
    name: &str,
    place: usize,
    argument: &Argument,
    range: TextRange,
) {
    if is_handled(pass.out, range) {
        return;
    }
    let shown = pass.text_of(range);
    let text = pass.unit.text;
    let before = text.get(..range.start).unwrap_or_default();
    let finds = FINDS.contains(&name) || name == "find_program";
    let behind_env = || {
        place
            .checked_sub(1)
            .and_then(|at| command.arguments.get(at))
    };
    if before.ends_with(b"ENV{")
        || finds
            && argument.inner == range
            && behind_env().is_some_and(|one| pass.word(one) == "ENV")
    {
        environment(pass, range, shown, finds && is_place(pass, command, place));
        return;
    }
    if finds && is_suffix(pass, command, place) {
        pass.keep(range, KeptReason::BesideMusas);
        return;
    }
    // What a function calls its own arguments: `${name}_CUDA`.
    if before.ends_with(b"}") && shown.starts_with('_') {
        pass.keep(range, KeptReason::ProjectDeclared);
        return;
    }
    // What a module of the project's own finds has the names that it gives.
    if pass.is_of_own_module(shown) {
        pass.keep(range, KeptReason::ProjectDeclared);
        return;
    }
    let is_prose = name == "message"
        || argument.range != argument.inner && is_sentence(pass, argument)
        || is_description(pass, command, name, place);
    if indirect::check(pass, name, (place, argument), range) {
        return;
    }
    let is_reference = before.ends_with(b"${") || argument.inner == range || is_named(text, range);
    if is_reference && let Some(row) = pass.table.variables.get(shown) {
        let (to, instead) = (row.to.clone(), row.instead.clone());
        if let Some(found) = row.found.clone()
            && let Some(start) = asked_from(pass, command, name, place)
        {
            pass.edit(TextRange::new(start, range.end), &found);
            return;
        }
        if let Some(to) = to {
            pass.edit(range, &to);
            return;
        }
        if is_found(pass, shown) {
            pass.keep(range, KeptReason::ProjectDeclared);
            return;
        }
        if row.left_out
            && let Some(reason) = left_beside(pass, command, name, shown)
        {
            pass.keep(range, reason);
            return;
        }
        if !is_prose {
            let what = instead.unwrap_or_else(|| "nothing: leave the line out".to_owned());
            // What the project gives a value, it gives to a module of CUDA's.
            let verb = if is_declared(pass, shown) {
                "reads"
            } else {
                "sets"
            };
            let message = format!("nothing {verb} `{shown}` in a build for MUSA");
            pass.report(NO_COUNTERPART, range, message, format!("write {what}"));
            return;
        }
    }
    if code::is_written(pass, command) && code::translate(pass, range) {
        return;
    }
    if is_prose {
        pass.keep(range, KeptReason::Prose);
        return;
    }
    if pass.table.versions.iter().any(|one| one == shown) && !is_declared(pass, shown) {
        let message = format!("`{shown}` is not set on MUSA, whose releases have other numbers");
        pass.report(
            VERSION_REQUIRED,
            range,
            message,
            "leave it out, or ask for a version of MUSA's",
        );
        return;
    }
    let definers = &pass.unit.context.knowledge.builds.words.lints;
    let mut definers = definers.definition_commands.iter();
    let defines = definers.any(|one| one == name);
    if defines
        && let Some(row) = pass
            .unit
            .context
            .tables
            .get(Section::Names, shown.as_bytes())
        && let (Relation::Renamed, Some(to)) = (row.relation, row.to.as_deref())
    {
        // The code that stays with a library asks for its macros by their own names.
        if pass.unit.project.left.tables.contains(&*row.library) {
            pass.keep(range, KeptReason::Vendored);
        } else {
            pass.edit_by_row(range, row, to);
        }
        return;
    }
    let mut devices = pass.unit.context.knowledge.devices.iter();
    if devices.any(|device| device.cuda == shown)
        && argument.inner == range
        && matches!(name, "if" | "elseif" | "set_property")
    {
        pass.keep(range, KeptReason::NotADevice);
        return;
    }
    let variable = variable_with_value(pass, command, name, place);
    // A finding about a variable of CUDA's language is about its value, too.
    let row = variable.and_then(|one| pass.table.variables.get(one));
    if row.is_some_and(|row| row.to.is_none() && row.instead.is_some()) {
        pass.keep(range, KeptReason::NamedBeside);
        return;
    }
    let token = path_around(pass, argument, range);
    let declares = defines
        || place == 0
            && (gives_name(name) || !pass.table.plain_commands.iter().any(|one| one == name))
        || is_declared(pass, shown)
        || is_declared(pass, token)
        || pass.unit.project.places.have(token)
        || pass.unit.project.is_made_by_cmake(token.as_bytes())
        || pass.word(argument).contains("BINARY_DIR") && token.contains(['/', '.']);
    // The project's own code reads the standard that it sets, and the port leaves it both.
    let is_standard = shown == pass.table.standard.variable;
    let mut fronts = pass.table.language_fronts.iter();
    if declares && (is_standard || !fronts.any(|front| shown.starts_with(front.as_str())))
        || is_option(pass.table, shown)
        || is_compound(pass, shown)
        || variable.is_some_and(|one| has_own_choices(pass, one))
        || is_own_keyword(pass, name, argument, shown)
        || name == "include" && pass.unit.project.places.have(&format!("{token}.cmake"))
    {
        pass.keep(range, KeptReason::ProjectDeclared);
    }
}

/// Where a condition begins that asks whether a word holds anything, behind what looks for a compiler of CUDA's: `if(NOT
/// CMAKE_CUDA_COMPILER)`, `if(DEFINED CMAKE_CUDA_COMPILER)`.
fn asked_from(pass: &Pass<'_, '_>, command: &Command, name: &str, place: usize) -> Option<usize> {
    let words = pass.words(command);
    let word = |at: usize| words.get(at).copied();
    let is_defined = place > 0 && word(place - 1) == Some("DEFINED");
    let start = place - usize::from(is_defined);
    let before = start.checked_sub(1).and_then(word);
    let is_condition = matches!(name, "if" | "elseif" | "else" | "endif")
        && matches!(before, None | Some("NOT" | "AND" | "OR" | "("))
        && matches!(word(place + 1), None | Some("AND" | "OR" | ")"))
        && is_language_optional(pass, command.range.start);
    let first = command.arguments.get(start).filter(|_| is_condition)?;
    Some(first.inner.start)
}

/// Whether a word stands where a condition, an expression or a template names a variable: `@CMAKE_CUDA_FLAGS@`.
fn is_named(text: &[u8], word: TextRange) -> bool {
    let before = text.get(..word.start).unwrap_or_default();
    let is_replaced = before.ends_with(b"@") && text.get(word.end) == Some(&b'@');
    is_replaced || before.ends_with(b"BOOL:") || before.ends_with(b"CACHE{")
}

/// Whether the first argument of a command is a name that the project gives.
fn gives_name(command: &str) -> bool {
    command.starts_with("add_")
        || command.starts_with("target_")
        || matches!(
            command,
            "set"
                | "option"
                | "unset"
                | "set_target_properties"
                | "foreach"
                | "endforeach"
                | "function"
                | "macro"
                | "endfunction"
                | "endmacro"
        )
}

/// A variable of the environment, which may name one place of several that a command looks in.
fn environment(pass: &mut Pass<'_, '_>, range: TextRange, shown: &str, is_place: bool) {
    let row = pass
        .unit
        .context
        .tables
        .get(Section::Environment, shown.as_bytes());
    match row.and_then(|row| {
        row.to
            .as_deref()
            .filter(|_| row.relation == Relation::Renamed)
    }) {
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
