//! Names that `##` pastes together, followed to the places where the macro is used.

use aho_corasick::AhoCorasick;
use rustc_hash::FxHashMap;

use super::names::counts;
use super::shield::shield;
use super::verdict::keep_if;
use crate::diagnostic::{Code, Severity};
use crate::edit::GroupId;
use crate::mapping::{Evidence, Relation, Row, Section};
use crate::project::{Invocation, Paster, Piece};
use crate::rules::{Outcome, Rule, Unit};
use crate::text::TextRange;

/// A pasted name whose pieces can't be translated one by one.
pub(super) const PASTED: Code = Code {
    id: "CPP030",
    severity: Severity::Warning,
    title: "pasted CUDA name can't be translated in pieces",
};

/// A string is made of a CUDA name that stays.
const STRINGISED: Code = Code {
    id: "CPP031",
    severity: Severity::Warning,
    title: "a macro makes a string of a CUDA name that stays",
};

const PASTING: &str = "pasted-name";

/// Renames the pieces of pasted names.
pub(super) struct Pasting;

impl Rule for Pasting {
    fn name(&self) -> &'static str {
        PASTING
    }

    fn codes(&self) -> &'static [Code] {
        &[PASTED, STRINGISED]
    }

    fn check(&self, unit: &Unit<'_>, out: &mut Outcome) {
        if unit.fragment.is_some() {
            return;
        }
        for paster in &unit.file.facts.pasters {
            for name in &paster.names {
                body(unit, out, paster, name);
            }
        }
        arguments(unit, out);
        stringised(unit, out);
    }
}

/// What the uses of a macro make of one pasted name.
enum Plan {
    /// No use makes a CUDA name.
    Nothing,
    /// These pieces of the body change, by their places in the name.
    Pieces(Vec<(usize, String)>, Evidence),
    /// The argument for this parameter changes in each use.
    Argument(usize),
    /// Uses make CUDA names, and no single change serves them all.
    Reported(Vec<String>),
}

fn body(unit: &Unit<'_>, out: &mut Outcome, paster: &Paster, name: &[Piece]) {
    let Some(first) = name.first() else { return };
    let whole = TextRange::new(
        first.range.start,
        name.last().map_or(first.range.end, |p| p.range.end),
    );
    match plan(unit, paster, name) {
        Plan::Nothing | Plan::Argument(_) => {}
        Plan::Pieces(changes, evidence) => {
            if keep_if(unit, out, whole, unit.foreign(whole)) {
                return;
            }
            let group = out.group();
            for (at, to) in changes {
                if let Some(piece) = name.get(at) {
                    unit.rename_in(out, piece.range, &to, PASTING, Some(evidence), group);
                }
            }
        }
        Plan::Reported(names) => {
            if keep_if(unit, out, whole, unit.foreign(whole)) {
                return;
            }
            let shown = names.join("`, `");
            out.findings.push(
                unit.finding(PASTED, whole, format!("this builds `{shown}`, and its pieces can't be translated one by one"))
                    .help("write the names in full where the macro is used, or translate the macro by hand"),
            );
        }
    }
}

fn plan(unit: &Unit<'_>, paster: &Paster, name: &[Piece]) -> Plan {
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
            let full = build(name, &|piece| argument(piece, one))?;
            let row = unit.lore.tables.get(Section::Names, full.as_bytes())?;
            (row.relation != Relation::Same).then_some((full, row, *one))
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
        let made = build_with(name, &changed, &|piece| argument(piece, one));
        row.to.as_deref() == made.as_deref() && made.as_deref() != Some(full)
    };
    if !changed.is_empty() && built.iter().all(|(full, row, one)| serves(full, row, one)) {
        let mut changes: Vec<(usize, String)> = changed.into_iter().collect();
        changes.sort();
        return Plan::Pieces(changes, weakest);
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
        return Plan::Argument(*parameter);
    }
    let mut names: Vec<String> = built.into_iter().map(|(full, _, _)| full).collect();
    names.sort();
    names.dedup();
    names.truncate(4);
    Plan::Reported(names)
}

/// Whether the other names that the parameter is part of are the macro's own, so that they may
/// change with it: none of them is CUDA's, and each has another piece that makes it unlike.
fn others_only_name_things(
    unit: &Unit<'_>,
    paster: &Paster,
    name: &[Piece],
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
                    build(other, &|piece| argument(piece, one)).is_none_or(|full| {
                        unit.lore
                            .tables
                            .get(Section::Names, full.as_bytes())
                            .is_none()
                    })
                })
        })
}

/// A paste that no use explains, but that plainly starts with a CUDA stem.
fn stemmed(unit: &Unit<'_>, name: &[Piece], unused: bool) -> Plan {
    let first = name.first().filter(|piece| piece.parameter.is_none());
    let Some(first) = first.filter(|_| !unused) else {
        return Plan::Nothing;
    };
    let text = String::from_utf8_lossy(&first.text);
    let is_stem = unit
        .lore
        .tables
        .stems()
        .iter()
        .any(|stem| stem.cuda.len() > 2 && stem.cuda == text);
    if is_stem {
        Plan::Reported(vec![format!("{text}…")])
    } else {
        Plan::Nothing
    }
}

/// The arguments of this file's uses whose change translates the pasted name.
fn arguments(unit: &Unit<'_>, out: &mut Outcome) {
    let mine = |one: &&Invocation| one.file == unit.index;
    let mut names: Vec<&Vec<u8>> = unit.project.invocations.keys().collect();
    names.sort();
    for macro_name in names {
        let uses = unit
            .project
            .invocations
            .get(macro_name)
            .map_or(&[][..], Vec::as_slice);
        if !uses.iter().any(|one| mine(&one)) {
            continue;
        }
        let definition = unit.visible.files.iter().find_map(|&file| {
            let file = unit.project.files.get(file)?;
            file.facts
                .pasters
                .iter()
                .find(|paster| paster.name == *macro_name)
        });
        let Some(paster) = definition else { continue };
        for name in &paster.names {
            let Plan::Argument(parameter) = plan(unit, paster, name) else {
                continue;
            };
            for one in uses.iter().filter(mine) {
                let group = out.group();
                argument_edit(unit, out, name, parameter, one, group);
            }
        }
    }
}

/// Arguments that become strings: where the name is translated the string is, too; where it
/// stays, whoever reads the string still asks for CUDA's.
fn stringised(unit: &Unit<'_>, out: &mut Outcome) {
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

/// The macro that pastes the argument at `range` into a name of the project's own, and that
/// name. A name that nothing but the macro speaks of may change with the argument.
pub(super) fn makes_own_name(unit: &Unit<'_>, range: TextRange) -> Option<(String, String)> {
    if unit.fragment.is_some() {
        return None;
    }
    let files = || {
        unit.visible
            .files
            .iter()
            .filter_map(|&file| unit.project.files.get(file))
    };
    for one in unit.project.uses_in(unit.index) {
        let Some(parameter) = one.arguments.iter().position(|(place, _)| *place == range) else {
            continue;
        };
        let pasters = files().flat_map(|file| &file.facts.pasters);
        for paster in pasters.filter(|paster| paster.name == one.name) {
            for name in &paster.names {
                if !name.iter().any(|piece| piece.parameter == Some(parameter)) {
                    continue;
                }
                let Some(built) = build(name, &|piece| argument(piece, one)) else {
                    continue;
                };
                let known = unit
                    .lore
                    .tables
                    .get(Section::Names, built.as_bytes())
                    .is_some();
                let spoken_of = || {
                    AhoCorasick::new([&built]).is_ok_and(|built| {
                        files()
                            .filter_map(|file| file.text.as_deref())
                            .any(|text| built.is_match(text))
                    })
                };
                if !known && spoken_of() {
                    let macro_name = String::from_utf8_lossy(&one.name).into_owned();
                    return Some((macro_name, built));
                }
            }
        }
    }
    None
}

fn argument_edit(
    unit: &Unit<'_>,
    out: &mut Outcome,
    name: &[Piece],
    parameter: usize,
    one: &Invocation,
    group: GroupId,
) {
    let Some(full) = build(name, &|piece| argument(piece, one)) else {
        return;
    };
    let Some(row) = unit.lore.tables.get(Section::Names, full.as_bytes()) else {
        return;
    };
    let Some((range, _)) = one.arguments.get(parameter) else {
        return;
    };
    if keep_if(unit, out, *range, unit.foreign(*range)) {
        return;
    }
    if let Some(to) = replaced_argument(name, parameter, row) {
        unit.rename_in(out, *range, &to, PASTING, row.evidence, group);
    }
}

/// The argument that makes the row's counterpart out of the pasted name.
fn replaced_argument(name: &[Piece], parameter: usize, row: &Row) -> Option<String> {
    let to = row.to.as_deref()?;
    let at = name
        .iter()
        .position(|piece| piece.parameter == Some(parameter))?;
    let literal = |pieces: &[Piece]| -> Option<String> {
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

fn argument(piece: &Piece, one: &Invocation) -> Option<String> {
    match piece.parameter {
        None => Some(String::from_utf8_lossy(&piece.text).into_owned()),
        Some(at) => {
            let (_, text) = one.arguments.get(at)?;
            let text = String::from_utf8_lossy(text).into_owned();
            text.chars()
                .all(|c| c.is_ascii_alphanumeric() || c == '_')
                .then_some(text)
        }
    }
}

fn build(name: &[Piece], value: &dyn Fn(&Piece) -> Option<String>) -> Option<String> {
    build_with(name, &FxHashMap::default(), value)
}

fn build_with(
    name: &[Piece],
    changed: &FxHashMap<usize, String>,
    value: &dyn Fn(&Piece) -> Option<String>,
) -> Option<String> {
    name.iter()
        .enumerate()
        .map(|(at, piece)| changed.get(&at).cloned().or_else(|| value(piece)))
        .collect()
}

/// The piece with its stem replaced, where it has one.
fn by_stem(unit: &Unit<'_>, piece: &[u8]) -> Option<String> {
    let piece = std::str::from_utf8(piece).ok()?;
    unit.lore.tables.stems().iter().find_map(|stem| {
        piece
            .strip_prefix(stem.cuda.as_ref())
            .map(|rest| format!("{}{rest}", stem.musa))
    })
}
