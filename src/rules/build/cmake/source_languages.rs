//! Sources whose language a property makes CUDA's: `set_source_files_properties(solve.cpp PROPERTIES LANGUAGE CUDA)`.

use super::compile_as_musa::{endings_of, ends_in, report_as_musa};
use super::pass::Pass;
use super::runtime_library;
use super::source_options::handed_to;
use super::sources::{Sources, named_between};
use super::target_makers::Targets;
use torchada_syntax::cmake::{Argument, Command};
use torchada_text::TextRange;

/// The property with the language of a source.
const LANGUAGE: &str = "LANGUAGE";

/// The language of C++.
const CXX: &str = "CXX";

/// Whether a command makes sources CUDA's, whatever their endings.
pub(super) fn makes_cudas(pass: &Pass<'_>, command: &Command) -> bool {
    let words = pass.words(command);
    let mut pairs = words.windows(2);
    let of_sources = command.lower_name() == "set_source_files_properties"
        || command.lower_name() == "set_property" && words.first() == Some(&"SOURCE");
    of_sources && pairs.any(|pair| *pair == [LANGUAGE, pass.table.language.as_str()])
}

/// Look at a command that sets properties, where `keyword` is the place of the word before them. Returns the place of
/// the property if it has to go.
pub(super) fn check(
    pass: &mut Pass<'_>,
    command: &Command,
    keyword: usize,
    targets: &Targets,
) -> Option<usize> {
    let words = pass.words(command);
    let by_pairs = command.lower_name() == "set_source_files_properties";
    let is_property = words.first() == Some(&"SOURCE");
    let table = pass.table;
    let mut values = (keyword + 1..words.len()).step_by(if by_pairs { 2 } else { words.len() });
    let place = values.find(|&place| {
        words.get(place) == Some(&LANGUAGE)
            && words.get(place + 1) == Some(&table.language.as_str())
    });
    let place = place.filter(|_| by_pairs || is_property)?;
    let first = usize::from(is_property);
    let sources = named_between(pass, command, first, keyword);
    let value = command.arguments.get(place + 1)?.range;
    let given = command.arguments.get(first..keyword).unwrap_or_default();
    let names: Vec<String> = given.iter().map(|one| pass.edited(one.range)).collect();
    match (!sources.is_empty(), sources.others) {
        // With a language the compiler of C++ would get them as well.
        (true, false) if are_taken_by_musa(pass, command, targets) => return Some(place),
        // A command that is not there makes their target: nothing else makes them MUSA's.
        (true, false) if !are_in_target(pass, command) => {
            as_musa(pass, command, &names.join(" "), value);
        }
        // Their ending, or what the port sets for them, says whose they are.
        (true, false) => {
            pass.edit(value, CXX);
        }
        (false, _) => as_musa(pass, command, &names.join(" "), value),
        // What is true of one of them is not of another.
        (true, true) => others_as_musa(pass, command, given, &sources, value),
    }
    if !sources.others && !sources.is_empty() {
        return None;
    }
    runtime_library::link_targets_of(pass, command.at, targets);
    None
}

/// Whether commands of MUSA's, which know sources by their ending, make all targets of the sources that a command sets a
/// property of.
fn are_taken_by_musa(pass: &Pass<'_>, command: &Command, targets: &Targets) -> bool {
    let mut comments = pass.unit.comments.iter();
    if comments.any(|comment| command.range.covers(*comment)) {
        return false;
    }
    let keys = handed_to(pass, command);
    let lists = pass.unit.project.replay().lists_with(keys);
    !lists.is_empty()
        && lists.into_iter().all(|list| {
            let made = targets.get(&*list.target);
            made.is_some_and(|made| made.iter().all(|one| one.by_musa)) && !list.is_by_option()
        })
}

/// Whether a target that is known gets sources that a command sets a property of.
fn are_in_target(pass: &Pass<'_>, command: &Command) -> bool {
    let keys = handed_to(pass, command);
    keys.is_empty() || !pass.unit.project.replay().lists_with(keys).is_empty()
}

/// Take those whose ending says that they are MUSA's out of the lists, and let the compiler of C++ take the others.
fn others_as_musa(
    pass: &mut Pass<'_>,
    command: &Command,
    given: &[Argument],
    sources: &Sources,
    value: TextRange,
) {
    let names: Vec<&str> = given.iter().map(|one| pass.word(one)).collect();
    let is_list = |name: &&str| name.starts_with("${") && name.ends_with('}');
    let (Some(start), Some(end)) = (given.first(), given.last()) else {
        return;
    };
    if !names.iter().all(is_list) {
        return;
    }
    let range = TextRange::new(start.range.start, end.range.end);
    let pattern = ends_in(&endings_of(pass, sources));
    let others = &pass.table.flags.other_sources;
    let lines = [
        format!("set({others} {})", names.join(" ")),
        format!("list(FILTER {others} EXCLUDE REGEX {pattern})"),
    ];
    let list = format!("${{{others}}}");
    if pass.edit(range, &list) {
        pass.insert_before(command.at, &lines);
        as_musa(pass, command, &list, value);
    }
}

/// Let the compiler of C++ take the sources for MUSA's.
fn as_musa(pass: &mut Pass<'_>, command: &Command, names: &str, value: TextRange) {
    let table = &pass.table.flags;
    if names.is_empty() || !pass.edit(value, CXX) {
        return;
    }
    let options = format!("set_property(SOURCE {names} {})", table.more_options);
    let lines = [table.options.as_slice(), &[options]].concat();
    pass.insert_behind(command.at, &lines);
    let message = format!("`{names}` is compiled with `-x musa` by the compiler of C++");
    report_as_musa(pass, command, message);
}
