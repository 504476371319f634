//! What a command finds: MUSA's compiler, the libraries as targets, `PyTorch`.

use rustc_hash::FxHashMap;

use super::pass::Pass;
use torchada_mapping::builds::CMakeTable;
use torchada_mapping::has;
use torchada_syntax::cmake::Command;

/// The package that a command of a file with this text finds.
pub(super) fn package<'t>(
    table: &CMakeTable,
    text: &'t [u8],
    command: &Command,
) -> Option<&'t [u8]> {
    let finds = has(&table.find.commands, command.lower_name());
    let package = command.arguments.first().filter(|_| finds)?;
    Some(package.inner.of(text))
}

/// Whether a command of a file with this text finds MUSA's compiler once the file is translated.
pub(super) fn finds_compiler(table: &CMakeTable, text: &[u8], command: &Command) -> bool {
    finds_one_of(table, text, command, &table.find.packages)
        || enables_language(table, text, command)
}

/// Whether a command of a file with this text finds one of these packages.
pub(super) fn finds_one_of(
    table: &CMakeTable,
    text: &[u8],
    command: &Command,
    packages: &[String],
) -> bool {
    let package = package(table, text, command);
    package.is_some_and(|found| has(packages, found))
}

/// Whether a command of a file with this text enables CUDA's language.
pub(super) fn enables_language(table: &CMakeTable, text: &[u8], command: &Command) -> bool {
    let mut words = command.arguments.iter().map(|one| one.inner.of(text));
    let language = table.language.as_bytes();
    matches!(command.lower_name(), "project" | "enable_language")
        && words.any(|word| word == language)
}

/// Whether a command of this file or of one above it enables CUDA's language.
pub(super) fn has_language(pass: &Pass<'_>) -> bool {
    let has = &pass.facts.enables_language;
    *has.get_or_init(|| is_any(pass, enables_language))
}

/// Whether a command asks whether there is a compiler of CUDA's.
pub(super) fn checks_language(pass: &Pass<'_>, command: &Command) -> bool {
    command.lower_name() == "check_language" && asks_for_language(pass, command)
}

/// Whether a command names CUDA's language.
pub(super) fn asks_for_language(pass: &Pass<'_>, command: &Command) -> bool {
    pass.words(command).contains(&pass.table.language.as_str())
}

/// Whether a command of this file or of one above it finds MUSA's compiler once it is translated.
pub(super) fn is_compiler_found(pass: &Pass<'_>) -> bool {
    let is_found = &pass.facts.finds_compiler;
    *is_found.get_or_init(|| is_any(pass, finds_compiler))
}

/// How many commands are looked at that find MUSA's compiler.
const MOST_FINDERS: usize = 64;

/// Whether MUSA's compiler is found once the build comes to a command: by one of a file above, or by one in front of it that
/// stands in no block or in one that is around the command, too.
pub(super) fn is_compiler_found_at(pass: &Pass<'_>, command: &Command) -> bool {
    let first = pass.facts.first_finders.get_or_init(|| {
        let mut first = FxHashMap::default();
        let finders = pass.file.commands.iter().filter(|one| {
            finds_compiler(pass.table, pass.unit.text, one) || checks_language(pass, one)
        });
        for finder in finders.take(MOST_FINDERS) {
            let mut block = finder.block;
            // Where all other branches end the build, what stands behind the `if` has the compiler.
            while let Some(opener) = block.filter(|&opener| pass.is_only_way(opener)) {
                block = pass.file.commands.get(opener).and_then(|one| one.block);
            }
            first.entry(block).or_insert(finder.at);
        }
        first
    });
    let mut around = pass.file.blocks(command.at).map(Some).chain([None]);
    around.any(|block| first.get(&block).is_some_and(|&at| at < command.at)) || is_found_above(pass)
}

fn is_found_above(pass: &Pass<'_>) -> bool {
    let is_found = &pass.facts.finds_compiler_above;
    *is_found.get_or_init(|| is_any_above(pass, finds_compiler))
}

/// Whether a command of this file or of one above it is such a command.
pub(super) fn is_any(
    pass: &Pass<'_>,
    is_such: impl Fn(&CMakeTable, &[u8], &Command) -> bool,
) -> bool {
    pass.files().any(|(text, file)| {
        let mut commands = file.commands.iter();
        commands.any(|one| is_such(pass.table, text, one))
    })
}

/// Whether a file above this one has a command of which `is_such` holds.
pub(super) fn is_any_above(
    pass: &Pass<'_>,
    is_such: impl Fn(&CMakeTable, &[u8], &Command) -> bool,
) -> bool {
    pass.above.iter().any(|(text, file)| {
        let mut commands = file.commands.iter();
        commands.any(|one| is_such(pass.table, text, one))
    })
}
