//! Names that a macro turns into strings, or of whose members it makes CUDA's functions.

use rustc_hash::{FxHashMap, FxHashSet};

use super::own_names::{files_seen, makes_own_name};
use crate::Outcome;
use crate::cpp::CppUnit;
use crate::cpp::identifiers::counts;
use crate::cpp::shield::shield;
use torchada_diagnostic::codes::cpp::STRINGISED;
use torchada_mapping::{Relation, Section};
use torchada_project::{FileFacts, Invocation, ParameterMacro};
use torchada_text::TextRange;

/// Arguments that become strings, or what members of their names get: where the name is translated the string is, too;
/// where it stays, whoever reads the string still asks for CUDA's, and so does the member.
pub(super) fn stringised(unit: &CppUnit<'_>, out: &mut Outcome) {
    let strings = places(unit, |facts| &facts.stringizers);
    let namesakes = places(unit, |facts| &facts.namesakes);
    if strings.is_empty() && namesakes.is_empty() {
        return;
    }
    for (index, token) in unit.identifiers() {
        let is_string = strings.contains(&token.range());
        if !is_string && !namesakes.contains(&token.range()) {
            continue;
        }
        let Some(row) = counts(unit, index, token, Section::Names) else {
            continue;
        };
        let range = token.range();
        let stays = || {
            shield(unit, index, row, false).is_some()
                || is_own_member(unit, range)
                || makes_own_name(unit, range).is_some()
        };
        if row.relation == Relation::Renamed && unit.foreign(range).is_none() && stays() {
            let name = String::from_utf8_lossy(token.text(unit.text)).into_owned();
            let to = row.to.as_deref().unwrap_or_default();
            let (made, help) = if is_string {
                let help = format!(
                    "where the string is looked up in a library of MUSA's, it has to be \"{to}\""
                );
                (format!("makes the string \"{name}\" of it"), help)
            } else {
                let help = format!("give the macro two names, the member's and `{to}`");
                ("gives the member what CUDA calls so".to_owned(), help)
            };
            let message = format!("`{name}` is the project's here and stays, and the macro {made}");
            unit.report(out, STRINGISED, range, message, help);
        }
    }
}

/// Whether a macro takes a member by the name at `range`, and the project speaks of that member
/// without the macro, too: a name that only the macro speaks of may change.
pub(in crate::cpp) fn is_own_member(unit: &CppUnit<'_>, range: TextRange) -> bool {
    let is_taken = |(one, at): (&Invocation, usize)| {
        parameters(unit, one, |facts| &facts.accessors).contains(&at)
    };
    unit.fragment.is_none()
        && unit.project.members.contains(range.of(unit.text))
        && unit.project.uses_of(unit.index, range).any(is_taken)
}

/// The places, in this file, of the arguments for parameters on these lists of macros.
fn places(unit: &CppUnit<'_>, list: fn(&FileFacts) -> &[ParameterMacro]) -> FxHashSet<TextRange> {
    let mut found = FxHashSet::default();
    let mut known: FxHashMap<(usize, &[u8]), Vec<usize>> = FxHashMap::default();
    for one in unit.project.uses_in(unit.index) {
        let parameters = known
            .entry((one.used_in, &one.name))
            .or_insert_with(|| parameters(unit, one, list));
        let arguments = parameters.iter().filter_map(|&at| one.arguments.get(at));
        found.extend(arguments.map(|(place, _)| *place));
    }
    found
}

/// The parameters on this list of the macro that is used here.
fn parameters(
    unit: &CppUnit<'_>,
    one: &Invocation,
    list: fn(&FileFacts) -> &[ParameterMacro],
) -> Vec<usize> {
    let files = files_seen(unit, one);
    let files = files.iter();
    let macros = files
        .filter_map(|&file| unit.project.files.get(file))
        .flat_map(|file| ParameterMacro::named(list(&file.facts), &one.name));
    macros
        .flat_map(|found| found.parameters.iter().copied())
        .collect()
}
