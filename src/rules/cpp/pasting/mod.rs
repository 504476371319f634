//! Names that `##` pastes together, followed to the places where the macro is used.

mod build;
mod own_names;
mod plan;
mod plans;
mod strings;

use std::collections::BTreeMap;

use super::CppUnit;
use super::verdict::keep_if;
use crate::{Change, Outcome};
use build::{build, pasted_part};
pub(super) use own_names::{is_made_by_macro, makes_own_name};
use plan::{plans, replaced_argument};
use plans::PastingPlan;
pub use plans::PastingPlans;
pub(super) use strings::is_own_member;
use strings::stringised;
use torchada_diagnostic::codes::cpp::PASTED;
use torchada_edit::GroupId;
use torchada_mapping::Section;
use torchada_project::{Invocation, PastedPiece, Paster};
use torchada_text::TextRange;

/// Renames the pieces of pasted names.
pub fn check(unit: &CppUnit<'_>, out: &mut Outcome) {
    if unit.fragment.is_some() {
        return;
    }
    for paster in &unit.file.facts.pasters {
        for (plan, name) in plans(unit, paster).iter().zip(&paster.names) {
            body(unit, out, plan, name);
        }
    }
    arguments(unit, out);
    stringised(unit, out);
}

fn body(unit: &CppUnit<'_>, out: &mut Outcome, plan: &PastingPlan, name: &[PastedPiece]) {
    let Some(first) = name.first() else { return };
    let whole = TextRange::new(
        first.range.start,
        name.last().map_or(first.range.end, |p| p.range.end),
    );
    match plan {
        PastingPlan::Nothing | PastingPlan::Argument(_) => {}
        PastingPlan::Pieces(changes, evidence) => {
            if keep_if(unit, out, whole, unit.foreign(whole)) {
                return;
            }
            let group = out.group();
            for (at, to) in changes {
                if let Some(piece) = name.get(*at) {
                    let change = Change::new(piece.range, to).evidence(*evidence);
                    unit.rename(out, change.group(group));
                }
            }
        }
        PastingPlan::Reported(names) => {
            if keep_if(unit, out, whole, unit.foreign(whole)) {
                return;
            }
            let shown = names.join("`, `");
            let message =
                format!("this builds `{shown}`, and its pieces can't be translated one by one");
            let help =
                "write the names in full where the macro is used, or translate the macro by hand";
            unit.report(out, PASTED, whole, message, help);
        }
    }
}

/// The arguments of this file's uses whose change translates the pasted name.
fn arguments(unit: &CppUnit<'_>, out: &mut Outcome) {
    let mut used: BTreeMap<&[u8], Vec<&Invocation>> = BTreeMap::new();
    for one in unit.project.uses_in(unit.index) {
        used.entry(&one.name).or_default().push(one);
    }
    for (macro_name, uses) in used {
        let definition = unit.visible.files.iter().find_map(|&file| {
            let file = unit.project.files.get(file)?;
            Paster::named(&file.facts.pasters, macro_name).first()
        });
        let Some(paster) = definition else { continue };
        for (plan, name) in plans(unit, paster).iter().zip(&paster.names) {
            let &PastingPlan::Argument(parameter) = plan else {
                continue;
            };
            for one in &uses {
                let group = out.group();
                argument_edit(unit, out, name, parameter, one, group);
            }
        }
    }
}

fn argument_edit(
    unit: &CppUnit<'_>,
    out: &mut Outcome,
    name: &[PastedPiece],
    parameter: usize,
    one: &Invocation,
    group: GroupId,
) {
    let Some(full) = build(name, one) else {
        return;
    };
    let Some(row) = unit.context.row(Section::Names, full.as_bytes()) else {
        return;
    };
    let Some((whole, text)) = one.arguments.get(parameter) else {
        return;
    };
    let at = name
        .iter()
        .position(|piece| piece.parameter == Some(parameter));
    let Some(part) = at.and_then(|at| pasted_part(name, at, text)) else {
        return;
    };
    let range = TextRange::new(whole.start + part.start, whole.start + part.end);
    if keep_if(unit, out, range, unit.foreign(range)) {
        return;
    }
    if let Some(to) = replaced_argument(name, parameter, row) {
        let change = Change::new(range, &to).evidence(row.evidence);
        unit.rename(out, change.group(group));
    }
}
