//! Names that a macro makes strings of.

use crate::diagnostic::{Code, Severity};
use crate::mapping::{Relation, Section};
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
        let stays = row.relation == Relation::Renamed && shield(unit, index, row, false).is_some();
        if stays && unit.foreign(token.range()).is_none() && is_stringised(unit, token.range()) {
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
    let made = |name: &[u8], parameter: usize| {
        unit.visible
            .files
            .iter()
            .filter_map(|&file| unit.project.files.get(file))
            .flat_map(|file| &file.facts.stringizers)
            .any(|one| one.name == name && one.parameters.contains(&parameter))
    };
    unit.project.uses_in(unit.index).any(|one| {
        let at = one.arguments.iter().position(|(place, _)| *place == range);
        at.is_some_and(|at| made(&one.name, at))
    })
}
