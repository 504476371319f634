//! Libraries: targets of packages, names on link lines, names in `find_library`.

use super::find_commands::{self, finds_one_of};
use super::pass::Pass;
use torchada_diagnostic::KeptReason;
use torchada_diagnostic::codes::build::NO_COUNTERPART;
use torchada_mapping::builds::CMakeTable;
use torchada_mapping::{Relation, Row, Section, has};
use torchada_syntax::cmake::Command;
use torchada_text::TextRange;

/// The commands that look for a file and give its place to a variable.
pub(super) const FINDS: [&str; 3] = ["find_library", "find_path", "find_file"];

/// What the places begin with in which these commands look: folders, which are no libraries or headers.
const PLACES: [&str; 3] = ["HINTS", "PATHS", SUFFIXES];
const SUFFIXES: &str = "PATH_SUFFIXES";

/// Whether the file or one above it looks for what a variable holds, so that no module of `CMake`'s has to give it.
pub(super) fn is_found(pass: &Pass<'_>, variable: &str) -> bool {
    pass.files().any(|(_, file)| {
        let mut finds = FINDS.iter();
        finds.any(|find| file.with_first(find, variable.as_bytes()).next().is_some())
    })
}

/// Whether an argument of such a command names a place to look in.
pub(super) fn is_place(pass: &Pass<'_>, command: &Command, place: usize) -> bool {
    keyword(pass, command, place).is_some_and(|word| word != "NAMES")
}

/// Whether an argument of such a command names folders below the places that it looks in.
pub(super) fn is_suffix(pass: &Pass<'_>, command: &Command, place: usize) -> bool {
    keyword(pass, command, place) == Some(SUFFIXES)
}

/// The keyword that an argument stands behind.
fn keyword<'a>(pass: &Pass<'a>, command: &Command, place: usize) -> Option<&'a str> {
    let words = pass.words(command);
    let mut before = words.get(..place)?.iter().rev();
    before
        .find(|word| **word == "NAMES" || PLACES.contains(word))
        .copied()
}

/// Translate the names of libraries, and bring in what defines MUSA's.
pub(super) fn check(pass: &mut Pass<'_>) {
    for command in pass.commands() {
        let name = command.lower_name();
        let words = pass.words(command);
        let links = matches!(name, "target_link_libraries" | "link_libraries")
            || matches!(name, "set" | "list")
                && words
                    .iter()
                    .take(2)
                    .any(|word| word.to_ascii_uppercase().contains("LIB"));
        if links {
            library_variables(pass, command);
        }
        // The others name a target or a variable first.
        let first = usize::from(name != "link_libraries");
        if FINDS.contains(&name) {
            find_command(pass, command);
            continue;
        }
        for (place, argument) in command.arguments.iter().enumerate() {
            let file = library_of_file(pass, pass.word(argument));
            if let Some(library) = file.filter(|_| name != "message") {
                library_by_name(pass, library.shifted(argument.inner.start));
                continue;
            }
            for range in parts(pass.word(argument), argument.inner.start) {
                let word = pass.text_of(range);
                // A message speaks of targets, and links none.
                if word.contains("::") && name != "message" {
                    target(pass, range);
                } else if links && place >= first && !word.contains(char::is_whitespace) {
                    match word.strip_prefix("-l") {
                        Some(bare) => {
                            let bare = TextRange::new(range.end - bare.len(), range.end);
                            library_by_name(pass, bare);
                        }
                        None => plain(pass, range),
                    }
                } else if name != "message" {
                    for library in options(word, range.start) {
                        library_by_name(pass, library);
                    }
                }
            }
        }
    }
}

/// `${CUDA_CUBLAS_LIBRARIES}`, which nothing sets for MUSA: the target of this library takes its place.
fn library_variables(pass: &mut Pass<'_>, command: &Command) {
    for argument in &command.arguments {
        let variable = pass.word(argument).strip_prefix("${");
        let Some(variable) = variable.and_then(|word| word.strip_suffix('}')) else {
            continue;
        };
        let row = pass.table.variables.get(variable);
        let Some(target) = row.and_then(|row| row.target.clone()) else {
            continue;
        };
        if is_found(pass, variable) || !pass.edit(argument.range, &target) {
            continue;
        }
        find_toolkit(pass, command.at);
    }
}

/// Have the libraries found as targets before the command at `at`, where nothing brings them.
pub(super) fn find_toolkit(pass: &mut Pass<'_>, at: usize) {
    if brings_toolkit(pass) {
        return;
    }
    let find = &pass.table.find;
    let lines = [find.modules.clone(), find.toolkit.clone()];
    let missing = lines.into_iter().filter(|line| !pass.has_line(line, at));
    let missing: Vec<String> = missing.collect();
    pass.insert_before(at, &missing);
}

/// Whether the file or one above it finds the package that has the libraries as targets.
fn brings_toolkit(pass: &Pass<'_>) -> bool {
    let is_such = |table: &CMakeTable, text: &[u8], command: &Command| {
        finds_one_of(table, text, command, &table.find.toolkits)
    };
    let finds = &pass.facts.finds_toolkit;
    *finds.get_or_init(|| find_commands::is_any(pass, is_such))
}

/// The names that an argument that starts at `start` may be made of: the items of a list, and what stands in generator
/// expressions, `$<LINK_ONLY:CUDA::cudart>`. Two colons belong to a target.
fn parts(word: &str, start: usize) -> Vec<TextRange> {
    let bytes = word.as_bytes();
    let colon = |at: Option<usize>| at.and_then(|at| bytes.get(at)) == Some(&b':');
    let ends = |at: usize, byte: u8| match byte {
        b':' => !colon(at.checked_sub(1)) && !colon(Some(at + 1)),
        _ => b"$<>;,".contains(&byte),
    };
    let mut found = Vec::new();
    let mut from = 0;
    for (at, &byte) in bytes.iter().enumerate() {
        if ends(at, byte) {
            found.push(TextRange::new(from, at).shifted(start));
            from = at + 1;
        }
    }
    found.push(TextRange::new(from, bytes.len()).shifted(start));
    found.retain(|one| !one.is_empty());
    found
}

/// The library in the name of its file: `cudart` in `${CUDA_LIB}/libcudart${CMAKE_SHARED_LIBRARY_SUFFIX}`.
fn library_of_file(pass: &Pass<'_>, word: &str) -> Option<TextRange> {
    let mut suffixes = pass.table.library_suffixes.iter();
    let path = suffixes.find_map(|suffix| word.strip_suffix(suffix.as_str()))?;
    let name = path.rsplit('/').next().unwrap_or(path);
    let mut prefixes = pass.table.library_prefixes.iter();
    let bare = prefixes.find_map(|prefix| name.strip_prefix(prefix.as_str()));
    let bare = bare.unwrap_or(name);
    Some(TextRange::new(path.len() - bare.len(), path.len()))
}

/// The libraries that a text which starts at `start` asks the linker for: `-L/opt/lib -lcudart`.
fn options(text: &str, start: usize) -> Vec<TextRange> {
    let words = text
        .split(|one: char| one.is_ascii_whitespace())
        .scan(start, |from, word| {
            let range = TextRange::new(*from, *from + word.len());
            *from = range.end + 1;
            Some((range, word))
        });
    let libraries = words.filter(|(_, word)| word.starts_with("-l"));
    libraries
        .map(|(range, word)| {
            // A line of a text may go on behind a backslash.
            let len = word.trim_end_matches('\\').len();
            TextRange::new(range.start + 2, range.start + len.max(2))
        })
        .collect()
}

/// A target of a package.
fn target(pass: &mut Pass<'_>, range: TextRange) {
    let word = pass.text_of(range);
    let row = pass.library(word);
    let package = word.split("::").next().unwrap_or(word);
    if pass.is_of_own_module(package) {
        pass.keep(range, KeptReason::ProjectDeclared);
        return;
    }
    match row {
        Some(row) => translate_library(pass, range, word, row),
        None if has(&pass.table.target_packages, package) => {
            let message = format!("no target of MUSA's is known for `{word}`");
            let help =
                "leave it out of the build for MUSA, or link a library of the SDK's in its place";
            pass.report(NO_COUNTERPART, range, message, help);
        }
        None => {}
    }
}

/// A name on a link line, which may be a target's.
fn plain(pass: &mut Pass<'_>, range: TextRange) {
    let word = pass.text_of(range);
    if pass.library(word).is_some() && is_target(pass, word) {
        pass.keep(range, KeptReason::ProjectDeclared);
        return;
    }
    library_by_name(pass, range);
}

/// A library by the name that the linker knows it by.
fn library_by_name(pass: &mut Pass<'_>, range: TextRange) {
    let word = pass.text_of(range);
    if let Some(row) = pass.library(word) {
        translate_library(pass, range, word, row);
    }
}

/// Whether the project makes a library of this name, in a file above or, once the build is run, in any.
fn is_target(pass: &Pass<'_>, name: &str) -> bool {
    let makes_library = |maker: &str| {
        let mut makers = pass.table.makers("add_library");
        makers.any(|known| known == maker)
    };
    let mut lists = pass.unit.project.replay().lists_of(name);
    lists.any(|list| makes_library(&list.maker))
        || pass.files().any(|(_, file)| {
            let mut makers = pass.table.makers("add_library");
            makers.any(|kind| file.with_first(kind, name.as_bytes()).next().is_some())
        })
}

fn translate_library(pass: &mut Pass<'_>, range: TextRange, word: &str, row: &Row) {
    let advice = row
        .advice
        .as_deref()
        .unwrap_or("leave it out of the build for MUSA")
        .to_owned();
    match (row.relation, row.to.as_deref()) {
        (Relation::Renamed, Some(to)) => pass.edit_by_row(range, row, to),
        (Relation::Same, _) => {}
        _ => {
            let facts = pass.unit.context.tables.facts();
            let facts = facts.filter(|_| row.why_missing().is_some());
            let what = if word.contains("::") {
                "target"
            } else {
                "library"
            };
            let message = match facts {
                Some(facts) => format!("{} has no {what} for `{word}`", facts.sdk_name()),
                None => format!("no {what} of MUSA's is known for `{word}`"),
            };
            pass.report(NO_COUNTERPART, range, message, advice);
        }
    }
}

/// The libraries that `find_library` searches for. It takes the first of its names that is there, so a name without a
/// counterpart is no matter beside one that has some: `NAMES nccl nccl_static`.
fn find_library(pass: &mut Pass<'_>, command: &Command) {
    let tables = pass.unit.context.tables;
    let arguments = command.arguments.iter().enumerate().skip(1);
    let names = arguments.filter(|(place, _)| !is_place(pass, command, *place));
    let rows = names.filter_map(|(_, argument)| {
        let word = pass.word(argument);
        let bare = word.strip_prefix("lib").unwrap_or(word);
        let range = TextRange::new(argument.inner.end - bare.len(), argument.inner.end);
        let file = tables.get(Section::LibraryFiles, word.as_bytes());
        let file = file.map(|row| (argument.inner, word, row));
        let linked = || tables.get(Section::Libraries, bare.as_bytes());
        file.or_else(|| Some((range, bare, linked()?)))
    });
    let rows: Vec<(TextRange, &str, &Row)> = rows.collect();
    let is_renamed = |row: &Row| row.relation == Relation::Renamed && row.to.is_some();
    let has_musas = rows.iter().any(|(_, _, row)| is_renamed(row));
    for (range, word, row) in rows {
        if has_musas && !is_renamed(row) && row.relation != Relation::Same {
            pass.keep(range, KeptReason::BesideMusas);
        } else {
            translate_library(pass, range, word, row);
        }
    }
}

/// What `find_library` or one of its kin searches for.
fn find_command(pass: &mut Pass<'_>, command: &Command) {
    if command.lower_name() == "find_library" {
        find_library(pass, command);
        return;
    }
    for (place, argument) in command.arguments.iter().enumerate().skip(1) {
        if is_place(pass, command, place) {
            continue;
        }
        let word = pass.word(argument);
        let tables = pass.unit.context.tables;
        if pass.unit.project.left.has_header(word) {
            pass.keep(argument.inner, KeptReason::Vendored);
        } else if let Some(row) = tables.header(word) {
            let to = row.header_target(word);
            match (row.relation, to) {
                (Relation::Renamed, Some(to)) => pass.edit_by_row(argument.inner, row, &to),
                (Relation::Same, _) => {}
                _ => {
                    let advice = row
                        .advice
                        .as_deref()
                        .unwrap_or("leave what needs it out")
                        .to_owned();
                    let message = format!("MUSA has no header like `{word}`");
                    pass.report(NO_COUNTERPART, argument.inner, message, advice);
                }
            }
        }
    }
}
