//! What a command finds: MUSA's compiler, the libraries as targets, `PyTorch`.

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

/// Whether a command of this file or of one above it finds MUSA's compiler once it is translated.
pub(super) fn is_compiler_found(pass: &Pass<'_>) -> bool {
    let is_found = &pass.facts.finds_compiler;
    *is_found.get_or_init(|| is_any(pass, finds_compiler))
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
