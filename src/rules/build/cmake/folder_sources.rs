//! The sources in a folder whose endings are not named, or not whole, so that those of MUSA's are missed:
//! `aux_source_directory(src SOURCES)`, `file(GLOB SOURCES src/*.c*)`.

use super::pass::Pass;
use super::sources::{Sources, named_between};
use torchada_project::{paths, wildcard_match};
use torchada_syntax::cmake::{Argument, Command};
use torchada_text::TextRange;

/// The command that lists them.
const COMMAND: &str = "aux_source_directory";

/// Add the sources that get MUSA's endings to the variables that such commands fill.
pub(super) fn check(pass: &mut Pass<'_>) {
    let file = pass.file;
    for command in &file.commands {
        if command.lower_name() == "file" {
            open_endings(pass, command);
        }
        if command.lower_name() != COMMAND {
            continue;
        }
        let Sources { renamed, .. } = named_between(pass, command, 0, 1);
        let words = pass.words(command);
        let [folder, variable, ..] = words.as_slice() else {
            continue;
        };
        let endings = &pass.unit.context.knowledge.files.rename;
        let is_met = |cuda: &str| renamed.iter().any(|source| source.ends_with(cuda));
        let found = endings.iter().filter(|(cuda, _)| is_met(cuda.as_str()));
        let patterns: Vec<String> = found
            .map(|(_, musa)| format!("\"{folder}/*{musa}\""))
            .collect();
        if patterns.is_empty() {
            continue;
        }
        let lines = [
            format!("file(GLOB {variable}_MUSA {})", patterns.join(" ")),
            format!("list(APPEND {variable} ${{{variable}_MUSA}})"),
        ];
        pass.insert_behind(command.at, &lines);
    }
}

/// Put patterns with MUSA's endings behind those whose ending is open and does not take them in.
fn open_endings(pass: &mut Pass<'_>, command: &Command) {
    for (place, argument) in command.arguments.iter().enumerate().skip(2) {
        let Sources { renamed, .. } = named_between(pass, command, place, place + 1);
        let pattern = pass.word(argument);
        // A point in a folder's name begins no ending.
        let parts = pattern.rsplit_once('.');
        let parts = parts.filter(|(_, ending)| !renamed.is_empty() && !ending.contains('/'));
        let Some((stem, _)) = parts else {
            continue;
        };
        let endings = &pass.unit.context.knowledge.files.rename;
        let shown = paths::file_name(pattern).replace('?', "*");
        let is_missed = |(cuda, musa): &(&String, &String)| {
            let mut stems = renamed
                .iter()
                .filter_map(|one| one.strip_suffix(cuda.as_str()));
            stems.any(|stem| !wildcard_match(&shown, &format!("{}{musa}", paths::file_name(stem))))
        };
        let missed = endings.iter().filter(is_missed);
        let added = missed.map(|(_, musa)| beside(argument, &format!("{stem}{musa}")));
        let added: String = added.collect();
        if !added.is_empty() {
            let behind = TextRange::new(argument.range.end, argument.range.end);
            pass.edit(behind, &added);
        }
    }
}

/// A pattern behind another one, with quotes where that has some.
fn beside(argument: &Argument, pattern: &str) -> String {
    let quote = if argument.range == argument.inner {
        ""
    } else {
        "\""
    };
    format!(" {quote}{pattern}{quote}")
}
