//! The words of CUDA's that no other rule spoke of: names in code, versions, macros, devices, and what is the project's own.

use super::own::{
    has_own_choices, is_compound, is_declared, is_description, is_option, is_own_keyword,
    is_sentence, path_around, variable_with_value,
};
use super::pass::Pass;
use super::variables::{Word, defines, for_another_run, in_environment, of_cmake};
use super::{code_in_strings, indirect_names, programs, toolkit_paths};
use crate::build::leftovers::is_handled;
use crate::build::toolkit;
use torchada_diagnostic::KeptReason;
use torchada_diagnostic::codes::build::VERSION_REQUIRED;
use torchada_mapping::{Relation, Section, ends_with_one, has, starts_with_one};
use torchada_project::paths;
use torchada_syntax::cmake::Command;

/// Translate, report or keep each of these words.
pub(super) fn check(pass: &mut Pass<'_>) {
    for command in pass.commands() {
        let name = command.lower_name();
        let is_own = pass
            .unit
            .context
            .knowledge
            .builds
            .words
            .is_cudas(name.as_bytes())
            && !pass.table.commands.contains_key(name)
            && pass.unit.project.cmake_defining(name).is_some();
        if is_own {
            pass.keep(command.name, KeptReason::ProjectDeclared);
        }
        for (place, argument) in command.arguments.iter().enumerate() {
            if name == "find_program" && place > 0 {
                programs::check(pass, command, argument);
            }
            toolkit_paths::check(pass, command, place);
            let words = pass.words_of_cuda(argument.inner);
            let is_prose = !words.is_empty() && is_prose(pass, command, place);
            for range in words {
                let shown = pass.text_of(range);
                let word = Word {
                    command,
                    place,
                    argument,
                    range,
                    shown,
                };
                decide(pass, &word, is_prose);
            }
        }
    }
}

/// Whether the argument at `place` is text for people.
fn is_prose(pass: &Pass<'_>, command: &Command, place: usize) -> bool {
    let argument = command.arguments.get(place);
    let quoted = argument.filter(|one| one.range != one.inner);
    command.lower_name() == "message"
        || quoted.is_some_and(|one| is_sentence(pass, one))
        || is_description(pass, command, place)
}

/// Decide about a word, which may stand in text for people: the first of these that knows it does.
fn decide(pass: &mut Pass<'_>, word: &Word<'_>, is_prose: bool) {
    let is_decided = is_handled(pass.out, word.range)
        || in_environment(pass, word)
        || is_found_by_project(pass, word)
        || indirect_names::check(pass, word)
        || for_another_run(pass, word)
        || of_cmake(pass, word, is_prose)
        || code_in_strings::is_written(pass, word.command)
            && code_in_strings::translate(pass, word.range);
    if is_decided {
        return;
    }
    if is_prose {
        pass.keep(word.range, KeptReason::Prose);
    } else if !version(pass, word) && !macro_of_code(pass, word) && !device(pass, word) {
        own(pass, word);
    }
}

/// What a function or a module of the project's own calls its results.
fn is_found_by_project(pass: &mut Pass<'_>, word: &Word<'_>) -> bool {
    // `${name}_CUDA`
    let is_argument = word.before(pass).ends_with(b"}") && word.shown.starts_with('_');
    let is_own = is_argument || pass.is_of_own_module(word.shown);
    if is_own {
        pass.keep(word.range, KeptReason::ProjectDeclared);
    }
    is_own
}

/// A variable that holds a version of CUDA's.
fn version(pass: &mut Pass<'_>, word: &Word<'_>) -> bool {
    let shown = word.shown;
    let is_version = has(&pass.table.versions, shown) && !is_declared(pass, shown);
    if is_version {
        let message = format!("`{shown}` is not set on MUSA, whose releases have other numbers");
        let help = "leave it out, or ask for a version of MUSA's";
        pass.report(VERSION_REQUIRED, word.range, message, help);
    }
    is_version
}

/// A macro that code has, and that the tables rename.
fn macro_of_code(pass: &mut Pass<'_>, word: &Word<'_>) -> bool {
    let tables = pass.unit.context.tables;
    let row = tables.get(Section::Names, word.shown.as_bytes());
    let row = row.filter(|row| row.relation == Relation::Renamed && defines(pass, word));
    let Some((row, to)) = row.and_then(|row| Some((row, row.to.as_deref()?))) else {
        return false;
    };
    // The code that stays with a library asks for its macros by their own names.
    if pass.unit.project.left.tables.contains(&*row.library) {
        pass.keep(word.range, KeptReason::Vendored);
    } else {
        pass.edit_by_row(word.range, row, to);
    }
    true
}

/// The text of a device that a condition or a property has.
fn device(pass: &mut Pass<'_>, word: &Word<'_>) -> bool {
    let mut devices = pass.unit.context.knowledge.devices.iter();
    let is_device = devices.any(|device| device.cuda == word.shown)
        && word.is_whole()
        && matches!(word.command.lower_name(), "if" | "elseif" | "set_property");
    if is_device {
        pass.keep(word.range, KeptReason::NotADevice);
    }
    is_device
}

/// Whether a path is a source's or a header's by its ending, wherever it lies, and neither a header of CUDA's nor a file of
/// its toolkit.
fn is_source(pass: &Pass<'_>, path: &str) -> bool {
    let context = pass.unit.context;
    let endings = context.knowledge.files.kinds.get("cpp");
    let names = [path, paths::file_name(path)];
    endings.is_some_and(|endings| ends_with_one(path, endings))
        && names
            .iter()
            .all(|name| context.tables.header(name).is_none())
        && toolkit::written(context, path.as_bytes(), false).is_empty()
}

/// What the project gives a name itself, and the value of a variable that a finding is about already.
fn own(pass: &mut Pass<'_>, word: &Word<'_>) {
    let &Word {
        command,
        place,
        argument,
        range,
        shown,
    } = word;
    let name = command.lower_name();
    let variable = variable_with_value(pass, command, place);
    // A finding about a variable of CUDA's language is about its value, too.
    let row = variable.and_then(|one| pass.table.variables.get(one));
    if row.is_some_and(|row| row.to.is_none() && row.instead.is_some()) {
        pass.keep(range, KeptReason::NamedBeside);
        return;
    }
    let token = path_around(pass, argument, range);
    let before = place
        .checked_sub(1)
        .and_then(|at| command.arguments.get(at));
    let is_of_all = before.is_some_and(|one| pass.word(one) == "PROPERTY")
        && pass.words(command).contains(&"GLOBAL");
    let is_header = pass.unit.context.tables.header(token).is_some();
    // A library of CUDA's that a function of the project's gets is still CUDA's: `add_demo(app torch_cuda)`.
    let is_library =
        || pass.unit.project.cmake_defining(name).is_some() && pass.library(shown).is_some();
    let names_first = pass.table.declaring.uses_name(name) || !pass.table.is_plain(name);
    let declares = defines(pass, word)
        || is_of_all
        || place == 0 && names_first && !is_header
        || is_declared(pass, shown)
        || is_declared(pass, token)
        || pass.unit.project.places.have(token)
        || is_source(pass, token)
        || pass.unit.project.is_made_by_cmake(token.as_bytes())
        || pass.word(argument).contains("BINARY_DIR") && token.contains(['/', '.']);
    // The project's own code reads the standard that it sets, and the port leaves it both.
    let is_standard = shown == pass.table.standard.variable;
    if declares && (is_standard || !starts_with_one(shown, &pass.table.language_fronts))
        || is_option(pass.table, shown)
        || is_compound(pass, shown) && !is_library()
        || variable.is_some_and(|one| has_own_choices(pass, one))
        || is_own_keyword(pass, name, argument, shown)
        || name == "include" && pass.unit.project.places.have(&format!("{token}.cmake"))
    {
        pass.keep(range, KeptReason::ProjectDeclared);
    }
}
