//! Names that a macro makes strings of.

use super::own_names::{files_seen, makes_own_name};
use crate::diagnostic::{Code, Severity};
use crate::mapping::{Relation, Section};
use crate::project::{Facts, Invocation, ParameterMacro};
use crate::rules::cpp::names::counts;
use crate::rules::cpp::shield::shield;
use crate::rules::{Outcome, Unit};
use crate::text::TextRange;

/// A string is made of a CUDA name that stays.
pub(super) const STRINGISED: Code = Code {
    id: "CPP031",
    severity: Severity::Warning,
    title: "a macro makes a string of a CUDA name that stays",
};

/// Arguments that become strings: where the name is translated the string is, too; where it
/// stays, whoever reads the string still asks for CUDA's.
pub(super) fn stringised(unit: &Unit<'_>, out: &mut Outcome) {
    for (index, token) in unit.identifiers() {
        let Some(row) = counts(unit, index, token, Section::Names) else {
            continue;
        };
        let range = token.range();
        let stays = || {
            shield(unit, index, row, false).is_some()
                || is_own_member(unit, range)
                || makes_own_name(unit, range).is_some()
        };
        if row.relation == Relation::Renamed
            && unit.foreign(range).is_none()
            && is_stringised(unit, range)
            && stays()
        {
            let name = String::from_utf8_lossy(token.text(unit.text)).into_owned();
            let to = row.to.as_deref().unwrap_or_default();
            out.findings.push(
                unit.finding(STRINGISED, token.range(), format!("`{name}` is the project's here and stays, and the macro makes the string \"{name}\" of it"))
                    .help(format!("where the string is looked up in a library of MUSA's, it has to be \"{to}\"")),
            );
        }
    }
}

fn is_stringised(unit: &Unit<'_>, range: TextRange) -> bool {
    is_argument_of(unit, range, &|facts| &facts.stringizers)
}

/// Whether a macro takes a member by the name at `range`, and the project speaks of that member
/// without the macro, too: a name that only the macro speaks of may change.
pub(in crate::rules::cpp) fn is_own_member(unit: &Unit<'_>, range: TextRange) -> bool {
    if unit.fragment.is_some() || !is_argument_of(unit, range, &|facts| &facts.accessors) {
        return false;
    }
    unit.project.members.contains(range.of(unit.text))
}

/// Whether the text at `range` is an argument that a macro of this list does something with.
fn is_argument_of(
    unit: &Unit<'_>,
    range: TextRange,
    list: &dyn Fn(&Facts) -> &[ParameterMacro],
) -> bool {
    let made = |one: &Invocation, parameter: usize| {
        files_seen(unit, one)
            .iter()
            .filter_map(|&file| unit.project.files.get(file))
            .flat_map(|file| list(&file.facts))
            .any(|found| found.name == one.name && found.parameters.contains(&parameter))
    };
    unit.project.uses_in(unit.index).any(|one| {
        let at = one.arguments.iter().position(|(place, _)| *place == range);
        at.is_some_and(|at| made(one, at))
    })
}
