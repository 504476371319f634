//! Flags of CUDA's language for one configuration of the build: MUSA's variable, which knows none, gets them where the build is of
//! this one.

use super::conditions::decides;
use super::pass::Pass;
use torchada_syntax::cmake::{Command, Quoting};
use torchada_syntax::cmake_references::reference;
use torchada_text::{TextRange, line_start};

/// Have commands that give CUDA's variable flags give them to MUSA's.
pub(super) fn check(pass: &mut Pass<'_>) {
    for command in pass.commands() {
        let words = pass.words(command);
        let place = match command.lower_name() {
            "set" => 0,
            "list" | "string" if words.first() == Some(&"APPEND") => 1,
            _ => continue,
        };
        let Some(&variable) = words.get(place) else {
            continue;
        };
        let row = pass.table.variables.get(variable);
        let Some(configuration) = row.and_then(|row| row.configuration.clone()) else {
            continue;
        };
        let condition = format!("if(CMAKE_BUILD_TYPE STREQUAL \"{configuration}\")");
        if decides(pass, variable) {
            continue;
        }
        // `set(CMAKE_CUDA_FLAGS_RELEASE "")` takes away what CMake has for its own language.
        let is_empty = matches!(words.as_slice(), [_, value] if value.is_empty());
        if is_empty && place == 0 {
            pass.remove(command.at);
        } else if let Some(to) = give(pass, command, place, variable) {
            surround(pass, command, &condition, to);
        }
    }
}

/// Put a condition around a command, which gets another name. Lines that others put in before the command behind it stay outside.
fn surround(pass: &mut Pass<'_>, command: &Command, condition: &str, to: &str) {
    let line = line_start(pass.unit.text, command.range.start);
    let front = pass.text_of(TextRange::new(line, command.range.start));
    let indent = if front.trim().is_empty() { front } else { "" };
    let (name, end) = (command.name, command.range.end);
    pass.edit(name, &format!("{condition}\n{indent}  {to}"));
    pass.edit(TextRange::new(end - 1, end), &format!(")\n{indent}endif()"));
}

/// Have a command add to MUSA's variable what it gives the one at `place`. Returns the name of the command that does so.
fn give<'p>(
    pass: &mut Pass<'p>,
    command: &Command,
    place: usize,
    variable: &str,
) -> Option<&'p str> {
    let words = pass.words(command);
    let behind = |word: &&str| matches!(*word, "CACHE" | "PARENT_SCOPE");
    let end = words.iter().position(behind);
    let last = end.unwrap_or(words.len());
    let values = command.arguments.get(place + 1..last).unwrap_or_default();
    let (named, first) = (command.arguments.get(place)?, values.first()?);
    // `"${CMAKE_CUDA_FLAGS_DEBUG} -g"`: what it has been given already stays in MUSA's variable.
    let flags = &pass.table.flags.variable;
    let sets = place == 0;
    let language = variable
        .rsplit_once('_')
        .map_or(variable, |(front, _)| front);
    let own = [variable, language].map(reference);
    let mut fronts = own
        .iter()
        .filter(|one| sets && pass.word(first).starts_with(one.as_str()));
    let front = fronts.next().map_or(0, String::len);
    let rest = TextRange::new(first.inner.start + front, first.inner.end);
    let is_read = |text: &str| text.contains(&format!("${{{language}"));
    let others = values.iter().skip(1).any(|one| is_read(pass.word(one)));
    let is_quoted = first.quoting == Quoting::Quoted && values.len() == 1;
    if words.contains(&"PARENT_SCOPE")
        || others
        || is_read(pass.text_of(rest))
        || front > 0 && !is_quoted && rest.start < rest.end
    {
        return None;
    }
    let flags = flags.clone();
    if !sets {
        let name = pass.text_of(command.name);
        return pass.edit(named.range, &flags).then_some(name);
    }
    pass.edit(named.range, &format!("APPEND {flags}"));
    if is_quoted {
        let before = TextRange::new(first.range.start, first.inner.start + front);
        pass.edit(before, if front > 0 { "\"" } else { "\" " });
    } else if front > 0 {
        pass.remove_arguments(command, place + 1, place + 1);
    }
    if let Some(end) = end {
        pass.remove_arguments(command, end, words.len() - 1);
    }
    Some(if is_quoted { "string" } else { "list" })
}
