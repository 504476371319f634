//! Decides how one pasted name is translated, by all uses of its macro.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::build::{build, build_with, by_stem};
use super::plans::PastingPlan;
use crate::cpp::CppUnit;
use torchada_mapping::{Evidence, Relation, Row, Section};
use torchada_project::{Invocation, PastedPiece, Paster};

/// The plan for each of the names that a macro pastes.
pub(super) fn plans(unit: &CppUnit<'_>, paster: &Paster) -> Arc<[PastingPlan]> {
    unit.pasting_plans.of(paster, || {
        let names = paster.names.iter();
        names.map(|name| plan(unit, paster, name)).collect()
    })
}

/// The plan for `name`, one of the names that `paster` pastes.
fn plan(unit: &CppUnit<'_>, paster: &Paster, name: &[PastedPiece]) -> PastingPlan {
    let uses = unit
        .project
        .invocations
        .get(&paster.name)
        .map_or(&[][..], Vec::as_slice);
    let uses: Vec<&Invocation> = uses
        .iter()
        .filter(|one| one.arguments.len() >= paster.arity.min(1))
        .collect();
    let built: Vec<(String, &Row, &Invocation)> = uses
        .iter()
        .filter_map(|one| {
            let full = build(name, one)?;
            let row = unit.context.row(Section::Names, full.as_bytes())?;
            let is_cudas = row.relation != Relation::Same && !row.std && is_seen(unit, row, one);
            is_cudas.then_some((full, row, *one))
        })
        .collect();
    if built.is_empty() {
        return stemmed(unit, name, uses.is_empty());
    }
    let weakest = built
        .iter()
        .filter_map(|(_, row, _)| row.evidence)
        .max()
        .unwrap_or(Evidence::Rule);
    let changed: FxHashMap<usize, String> = name
        .iter()
        .enumerate()
        .filter(|(_, piece)| piece.parameter.is_none())
        .filter_map(|(at, piece)| Some((at, by_stem(unit, &piece.text)?)))
        .collect();
    let serves = |full: &str, row: &Row, one: &Invocation| {
        let made = build_with(name, &changed, one);
        row.to.as_deref() == made.as_deref() && made.as_deref() != Some(full)
    };
    if !changed.is_empty() && built.iter().all(|(full, row, one)| serves(full, row, one)) {
        let mut changes: Vec<(usize, String)> = changed.into_iter().collect();
        changes.sort();
        return PastingPlan::Pieces(changes, weakest);
    }
    let only: Vec<usize> = name
        .iter()
        .filter_map(|piece| piece.parameter)
        .filter(|&at| paster.only_pasted.get(at).copied().unwrap_or(false))
        .collect();
    if let [parameter] = only.as_slice()
        && built
            .iter()
            .all(|(_, row, _)| row.relation == Relation::Renamed)
        && built
            .iter()
            .all(|(_, row, _)| replaced_argument(name, *parameter, row).is_some())
        && others_only_name_things(unit, paster, name, *parameter, &uses)
    {
        return PastingPlan::Argument(*parameter);
    }
    let mut names: Vec<String> = built.into_iter().map(|(full, _, _)| full).collect();
    names.sort();
    names.dedup();
    names.truncate(4);
    PastingPlan::Reported(names)
}

/// Whether a header that brings the name is seen where the macro is used. A name with CUDA's mark needs none.
fn is_seen(unit: &CppUnit<'_>, row: &Row, one: &Invocation) -> bool {
    row.stem || row.needs.is_empty() || unit.project.visible(one.used_in).has_header(&row.needs)
}

/// Whether the other names that the parameter is part of are the macro's own, so that they may
/// change with it: none of them is CUDA's, and each has another piece that makes it unlike.
fn others_only_name_things(
    unit: &CppUnit<'_>,
    paster: &Paster,
    name: &[PastedPiece],
    parameter: usize,
    uses: &[&Invocation],
) -> bool {
    paster
        .names
        .iter()
        .filter(|other| other.as_slice() != name)
        .filter(|other| other.iter().any(|piece| piece.parameter == Some(parameter)))
        .all(|other| {
            let several = other
                .iter()
                .filter(|piece| piece.parameter.is_some())
                .count()
                > 1;
            several
                && uses.iter().all(|one| {
                    build(other, one).is_none_or(|full| {
                        unit.context.row(Section::Names, full.as_bytes()).is_none()
                    })
                })
        })
}

/// A paste that no use explains, but that plainly starts with a CUDA stem.
fn stemmed(unit: &CppUnit<'_>, name: &[PastedPiece], unused: bool) -> PastingPlan {
    let first = name.first().filter(|piece| piece.parameter.is_none());
    let Some(first) = first.filter(|_| !unused) else {
        return PastingPlan::Nothing;
    };
    let text = String::from_utf8_lossy(&first.text);
    let is_stem = unit
        .context
        .tables
        .stems()
        .iter()
        .any(|stem| stem.cuda.len() > 2 && stem.cuda == text);
    if is_stem {
        PastingPlan::Reported(vec![format!("{text}…")])
    } else {
        PastingPlan::Nothing
    }
}

/// The argument that makes the row's counterpart out of the pasted name.
pub(super) fn replaced_argument(
    name: &[PastedPiece],
    parameter: usize,
    row: &Row,
) -> Option<String> {
    let to = row.to.as_deref()?;
    let at = name
        .iter()
        .position(|piece| piece.parameter == Some(parameter))?;
    let literal = |pieces: &[PastedPiece]| -> Option<String> {
        pieces
            .iter()
            .map(|piece| {
                piece
                    .parameter
                    .is_none()
                    .then(|| String::from_utf8_lossy(&piece.text).into_owned())
            })
            .collect()
    };
    let front = literal(name.get(..at)?)?;
    let back = literal(name.get(at + 1..)?)?;
    let middle = to
        .strip_prefix(front.as_str())?
        .strip_suffix(back.as_str())?;
    (!middle.is_empty()).then(|| middle.to_owned())
}
