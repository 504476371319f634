//! The sources in a folder, of which `CMake` knows none by MUSA's endings: `aux_source_directory(src SOURCES)`.

use super::pass::Pass;
use super::sources::{Sources, named_between};

/// The command that lists them.
const COMMAND: &str = "aux_source_directory";

/// Add the sources that get MUSA's endings to the variables that such commands fill.
pub(super) fn check(pass: &mut Pass<'_>) {
    let file = pass.file;
    for command in &file.commands {
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
