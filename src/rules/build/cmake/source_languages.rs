//! Sources whose language a property makes CUDA's: `set_source_files_properties(solve.cpp PROPERTIES LANGUAGE CUDA)`.

use super::codes::AS_MUSA;
use super::pass::Pass;
use super::sources::named_between;
use torchada_syntax::cmake::Command;

/// The property with the language of a source.
const LANGUAGE: &str = "LANGUAGE";

/// The language of C++.
const CXX: &str = "CXX";

/// Look at a command that sets properties, where `keyword` is the place of the word before them.
pub(super) fn check(pass: &mut Pass<'_, '_>, at: usize, command: &Command, keyword: usize) {
    let words = pass.words(command);
    let by_pairs = command.lower_name() == "set_source_files_properties";
    let is_property = words.first() == Some(&"SOURCE");
    let table = pass.table;
    let mut values = (keyword + 1..words.len()).step_by(if by_pairs { 2 } else { words.len() });
    let place = values.find(|&place| {
        words.get(place) == Some(&LANGUAGE)
            && words.get(place + 1) == Some(&table.language.as_str())
    });
    let Some(place) = place.filter(|_| by_pairs || is_property) else {
        return;
    };
    let first = usize::from(is_property);
    let sources = named_between(pass, command, first, keyword);
    let of_cuda = !sources.renamed.is_empty() || !sources.kept.is_empty();
    match (of_cuda, sources.others) {
        // Their ending, or what the port sets for them, says whose they are.
        (true, false) => {
            if let Some(value) = command.arguments.get(place + 1) {
                pass.edit(value.range, CXX);
            }
        }
        (false, _) => as_musa(pass, at, command, (first, keyword, place)),
        // What is true of one of them is not of another.
        (true, true) => {}
    }
}

/// Let the compiler of C++ take the sources for MUSA's.
fn as_musa(
    pass: &mut Pass<'_, '_>,
    at: usize,
    command: &Command,
    (first, keyword, place): (usize, usize, usize),
) {
    let table = &pass.table.flags;
    let arguments = command.arguments.get(first..keyword).unwrap_or_default();
    let names: Vec<&str> = arguments.iter().map(|one| pass.word(one)).collect();
    let names = names.join(" ");
    let Some(value) = command.arguments.get(place + 1).map(|one| one.range) else {
        return;
    };
    if names.is_empty() || !pass.edit(value, CXX) {
        return;
    }
    let options = format!("set_property(SOURCE {names} {})", table.more_options);
    let lines = [table.options.as_slice(), &[options]].concat();
    pass.insert_behind(at, &lines);
    let message = format!("`{names}` is compiled with `-x musa` by the compiler of C++");
    let help = "configure with MUSA's: `-DCMAKE_CXX_COMPILER=/usr/local/musa/bin/clang++`, as ggml does for MUSA";
    pass.report(AS_MUSA, command.name, message, help);
}
