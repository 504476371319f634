//! Languages and packages: CUDA's language goes, MUSA's modules are found.

use super::find_commands::{
    asks_for_language, checks_language, enables_language, finds_compiler, is_any_above,
};
use super::pass::Pass;
use torchada_diagnostic::KeptReason;
use torchada_diagnostic::codes::build::{NO_COUNTERPART, VERSION_REQUIRED};
use torchada_mapping::{Relation, has};
use torchada_syntax::cmake::Command;
use torchada_text::TextRange;

/// What stands in front of a package's name in that of the module which finds it: `include(FindCUDA)`.
const MODULE: &str = "Find";

/// Take CUDA's language out, and have MUSA's modules found where CUDA's packages are.
pub(super) fn check(pass: &mut Pass<'_>) {
    for command in pass.commands() {
        let name = command.lower_name();
        match name {
            "project" => project(pass, command),
            "enable_language" => enable(pass, command),
            "check_language" => check_language(pass, command),
            "include" => find(pass, command, MODULE),
            _ if has(&pass.table.find.commands, name) => find(pass, command, ""),
            _ if has(&pass.table.find.naming, name) => name_found(pass, command),
            _ => written(pass, command),
        }
    }
}

/// The lines that find MUSA's compiler, as far as they are not there yet for the command at `at`.
pub(super) fn find_compiler(pass: &Pass<'_>, at: usize) -> Vec<String> {
    let find = &pass.table.find;
    let lines = [&find.modules, &find.compiler];
    let missing = lines.into_iter().filter(|line| !pass.has_line(line, at));
    missing.cloned().collect()
}

fn project(pass: &mut Pass<'_>, command: &Command) {
    let words = pass.words(command);
    let language = pass.table.language.clone();
    let Some(place) = words.iter().skip(1).position(|word| *word == language) else {
        through_variables(pass, command.at, &words);
        return;
    };
    let place = place + 1;
    let keyword = words.iter().position(|word| *word == "LANGUAGES");
    let first = keyword.map_or(1, |at| at + 1);
    let others = words.iter().skip(first).any(|word| *word == "CXX");
    if others {
        pass.remove_arguments(command, place, place);
    } else if let Some(argument) = command.arguments.get(place) {
        pass.edit(argument.range, "CXX");
    }
    let lines = find_compiler(pass, command.at);
    pass.insert_behind(command.at, &lines);
}

/// `set(languages CXX CUDA)`, `project(x ${languages})`: the branch in which the language is added is not that of
/// `project`. Where another command of the file finds MUSA's compiler, the language is left out; else what finds the
/// compiler is for a person to place.
fn through_variables(pass: &mut Pass<'_>, project: usize, words: &[&str]) {
    let mut commands = pass.file.commands.iter().skip(project);
    let finds = commands.any(|one| finds_compiler(pass.table, pass.unit.text, one));
    let inside = |word: &&str| Some(word.strip_prefix("${")?.strip_suffix('}')?.to_owned());
    let variables: Vec<String> = words.iter().filter_map(inside).collect();
    for command in pass.commands() {
        let name = command.lower_name();
        let arguments = pass.words(command);
        let first = if name == "set" { 1 } else { 2 };
        let variable = match (name, arguments.first()) {
            ("set", Some(first)) => *first,
            ("list", Some(&("APPEND" | "PREPEND"))) => {
                arguments.get(1).copied().unwrap_or_default()
            }
            _ => continue,
        };
        if !has(&variables, variable) {
            continue;
        }
        let language = pass.table.language.clone();
        let place = arguments
            .iter()
            .skip(first)
            .position(|word| *word == language);
        let Some(place) = place.map(|place| place + first) else {
            continue;
        };
        if finds && arguments.len() > first + 1 {
            pass.remove_arguments(command, place, place);
        } else if finds && name != "set" {
            pass.remove(command.at);
        } else if let Some(argument) = command.arguments.get(place) {
            let range = argument.range;
            let message = format!(
                "`{language}` comes to `project` through `{variable}`, and CMake has no language for mcc"
            );
            let help = format!(
                "leave it out here, and write `{}` behind `project`",
                pass.table.find.compiler
            );
            pass.report(NO_COUNTERPART, range, message, help);
        }
    }
}

fn enable(pass: &mut Pass<'_>, command: &Command) {
    let words = pass.words(command);
    let Some(place) = words.iter().position(|word| *word == pass.table.language) else {
        return;
    };
    let lines = find_compiler(pass, command.at);
    let languages = words.iter().filter(|word| **word != "OPTIONAL").count();
    if languages > 1 {
        pass.remove_arguments(command, place, place);
        pass.insert_behind(command.at, &lines);
        return;
    }
    // The command itself becomes the one that finds the compiler; a file may do both.
    let own = pass.table.find.compiler.clone();
    let before: Vec<String> = lines.into_iter().filter(|line| *line != own).collect();
    if pass.edit(command.range, &own) {
        pass.insert_before(command.at, &before);
    }
}

fn check_language(pass: &mut Pass<'_>, command: &Command) {
    if !asks_for_language(pass, command) {
        return;
    }
    let find = &pass.table.find;
    let (modules, finds) = (find.modules.clone(), find.if_there.clone());
    // What was found before need not be asked for.
    if pass.adds_line(&find.compiler, command.at) && pass.remove(command.at) {
        return;
    }
    if pass.edit(command.range, &finds) && !pass.has_line(&modules, command.at) {
        pass.insert_before(command.at, &[modules]);
    }
}

/// Whether this file looks for a compiler of CUDA's before a place, or one above it does: conditions behind that ask whether
/// there is one.
pub(super) fn looks_for_language(pass: &Pass<'_>, before: usize) -> bool {
    let first = pass.facts.looks_for_language.get_or_init(|| {
        let looks = |one: &&Command| {
            checks_language(pass, one) || enables_language(pass.table, pass.unit.text, one)
        };
        let mut commands = pass.file.commands.iter();
        commands.find(looks).map(|one| one.range.end)
    });
    first.is_some_and(|end| end <= before) || is_enabled_above(pass)
}

/// Whether a file above enables CUDA's language.
fn is_enabled_above(pass: &Pass<'_>) -> bool {
    let is_enabled = &pass.facts.enables_language_above;
    *is_enabled.get_or_init(|| is_any_above(pass, enables_language))
}

/// `ament_export_dependencies(CUDAToolkit)`: packages by the names under which they were found.
fn name_found(pass: &mut Pass<'_>, command: &Command) {
    for argument in &command.arguments {
        let word = pass.word(argument);
        let to = pass.table.packages.get(word).and_then(|row| row.to.clone());
        if let Some(to) = to.filter(|_| !pass.has_module(word)) {
            pass.edit(argument.range, &to);
        }
    }
}

/// `string(APPEND CONFIG "find_dependency(CUDAToolkit)")`: a text that becomes a file of `CMake`'s finds a package. What
/// lets MUSA's be found there depends on when the text's variables get their values.
fn written(pass: &mut Pass<'_>, command: &Command) {
    for argument in &command.arguments {
        let text = pass.word(argument);
        let Some(open) = text.find('(') else { continue };
        let (front, behind) = (text.get(..open), text.get(open + 1..));
        let mut finds = pass.table.find.commands.iter();
        if !finds.any(|one| front.is_some_and(|front| front.ends_with(one.as_str()))) {
            continue;
        }
        let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
        let behind = behind.unwrap_or_default();
        let length = behind.bytes().take_while(is_part).count();
        let package = behind.get(..length).unwrap_or_default();
        let row = pass.table.packages.get(package);
        let Some(to) = row.and_then(|row| row.to.clone()) else {
            continue;
        };
        let start = argument.inner.start + open + 1;
        let modules = pass.table.find.modules.clone();
        pass.report(
            NO_COUNTERPART,
            TextRange::new(start, start + length),
            format!("a text has the package `{package}` found, which MUSA's builds don't have"),
            format!("write `{to}` there, and in front of it `{modules}`, with `$` escaped where it is to be read later"),
        );
    }
}

/// `find_package(CUDAToolkit 12.0 REQUIRED cublas)`. `front` stands in front of the package's name.
fn find(pass: &mut Pass<'_>, command: &Command, front: &str) {
    let words = pass.words(command);
    let package = words.first().and_then(|word| word.strip_prefix(front));
    let Some(package) = package else {
        return;
    };
    let Some(row) = pass.table.packages.get(package) else {
        return;
    };
    let Some(argument) = command.arguments.first() else {
        return;
    };
    let range = TextRange::new(argument.inner.start + front.len(), argument.inner.end);
    if pass.has_module(package) {
        pass.keep(range, KeptReason::ProjectDeclared);
        return;
    }
    let Some(to) = row.to.as_deref() else {
        let instead = row.instead.clone().unwrap_or_default();
        pass.report(
            NO_COUNTERPART,
            command.range,
            format!("MUSA has no package like `{package}`"),
            format!("write {instead}"),
        );
        return;
    };
    let finds = &pass.table.find;
    let is_plain = words
        .iter()
        .skip(1)
        .all(|word| matches!(*word, "REQUIRED" | "QUIET"));
    let is_compiler = finds.compiler.contains(&format!("({to} "));
    if is_plain
        && is_compiler
        && pass.adds_line(&finds.compiler, command.at)
        && pass.remove(command.at)
    {
        return;
    }
    pass.edit(range, to);
    let modules = pass.table.find.modules.clone();
    if !pass.has_line(&modules, command.at) {
        pass.insert_before(command.at, &[modules]);
    }
    leave_version_out(pass, command);
    components(pass, command);
}

/// Leave out the version of CUDA's that is asked for.
fn leave_version_out(pass: &mut Pass<'_>, command: &Command) {
    let words = pass.words(command);
    // `7.0`, `${MIN_CUDA_VERSION}`
    let is_version = |word: &&str| {
        word.starts_with(|first: char| first.is_ascii_digit())
            || word.starts_with("${") && word.contains("VERSION")
    };
    // `CMake` takes what stands behind `REQUIRED` for a component, but a version is meant there, too.
    let place = words.iter().skip(1).position(is_version).map(|at| at + 1);
    let Some((place, version)) = place.and_then(|at| Some((at, words.get(at)?))) else {
        return;
    };
    let is_exact = |at: usize| words.get(at) == Some(&"EXACT");
    let first = place - usize::from(place > 1 && is_exact(place - 1));
    let last = place + usize::from(is_exact(place + 1));
    pass.remove_arguments(command, first, last);
    let message = format!("the version `{version}` was left out: MUSA counts its own");
    let help = "name the SDK that the port needs, if it needs one";
    pass.report(VERSION_REQUIRED, command.range_of(place), message, help);
}

/// Translate the components of a package: libraries.
fn components(pass: &mut Pass<'_>, command: &Command) {
    for argument in command.arguments.iter().skip(1) {
        let word = pass.word(argument);
        match pass.library(word) {
            Some(row) if row.relation == Relation::Renamed => {
                pass.edit_by_row(argument.range, row, row.to.as_deref().unwrap_or_default());
            }
            Some(row) => {
                let help = row.advice.as_deref().unwrap_or("leave it out").to_owned();
                let message = format!("no library of MUSA's is known for the component `{word}`");
                pass.report(NO_COUNTERPART, argument.range, message, help);
            }
            None => {}
        }
    }
}
