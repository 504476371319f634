//! Names that reach a command through a variable: properties in a list of them, and variables that another one names.

use super::pass::Pass;
use super::variables::Word;
use torchada_diagnostic::KeptReason;
use torchada_diagnostic::codes::build::NO_COUNTERPART;
use torchada_text::TextRange;

/// Answer a word that is such a name. Returns whether it is one.
pub(super) fn check(pass: &mut Pass<'_>, word: &Word<'_>) -> bool {
    let (range, shown) = (word.range, word.shown);
    if word.is_whole() && is_value(word.command.lower_name(), word.place) {
        return listed_property(pass, range, shown);
    }
    let Some(instead) = named_by_another(pass, range, shown) else {
        return false;
    };
    let verb = if word.before(pass).ends_with(b"${") {
        "sets"
    } else {
        "reads"
    };
    let message = format!("nothing {verb} `{shown}…` in a build for MUSA");
    pass.report(NO_COUNTERPART, range, message, format!("write {instead}"));
    true
}

/// Whether an argument is a value of the list that a command makes: `set(X a b)`, `list(APPEND X a b)`.
fn is_value(command: &str, place: usize) -> bool {
    match command {
        "set" => place > 0,
        "list" => place > 1,
        _ => false,
    }
}

/// A property in a list, which may be called as a variable is: `set(PROPERTIES CUDA_SEPARABLE_COMPILATION ON)`. Nothing reads
/// it without a language of CUDA's, and most need nothing in their place.
fn listed_property(pass: &mut Pass<'_>, range: TextRange, shown: &str) -> bool {
    let Some(row) = pass.table.properties.get(shown) else {
        return false;
    };
    let Some(instead) = row.instead.clone() else {
        pass.keep(range, KeptReason::NamedBeside);
        return true;
    };
    let message = format!("nothing reads `{shown}` without CUDA's language");
    pass.report(NO_COUNTERPART, range, message, format!("write {instead}"));
    true
}

/// What to write in place of one of several variables, where another one says which: `CMAKE_CUDA_FLAGS_${CMAKE_BUILD_TYPE}`.
fn named_by_another(pass: &Pass<'_>, range: TextRange, shown: &str) -> Option<String> {
    let behind = pass.unit.text.get(range.end..)?;
    let mut family = pass.table.variables.range(shown.to_owned()..);
    let (name, row) = family.next()?;
    let is_one = shown.ends_with('_') && behind.starts_with(b"${") && name.starts_with(shown);
    row.instead.clone().filter(|_| is_one)
}
