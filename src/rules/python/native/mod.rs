//! Libraries that are opened by name, and the functions that are looked up in them: ctypes, cffi.

mod codes;
mod files;
mod functions;
mod opened;
mod put_together;

use super::PythonUnit;
use super::inference::{StringRole, string_role};
use super::unit::Change;
use crate::diagnostic::{Applicability, Code, Kept, KeptReason};
use crate::mapping::stub::{SharedLibrary, StubKnowledge};
use crate::mapping::{Relation, Row, Section, Takes};
use crate::rules::{Outcome, Rule};
use crate::syntax::python::Literal;
use crate::text::TextRange;
use codes::RULE;
pub use codes::{DECLARATIONS, FUNCTION_NAME, LIBRARY_FILE};
use files::{FileName, file_name};
use functions::{functions, names};
use opened::{Opened, last};
use put_together::put_together;

/// Libraries that are opened by name.
pub struct Native;

impl Rule<PythonUnit<'_>> for Native {
    fn name(&self) -> &'static str {
        RULE
    }

    fn codes(&self) -> &'static [Code] {
        const CODES: [Code; 3] = [LIBRARY_FILE, FUNCTION_NAME, DECLARATIONS];
        &CODES
    }

    fn check(&self, unit: &PythonUnit<'_>, out: &mut Outcome) {
        let known = &unit.context.knowledge.python_strings.libraries;
        let opens = known
            .loaders
            .iter()
            .any(|loader| unit.says(last(&loader.callee)));
        let declares = known.declares.iter().any(|method| unit.says(method));
        if !opens && !declares && !unit.says(&known.prefix) {
            return;
        }
        let mut opened = Opened::of(unit);
        if opened.is_used() && unit.is_musa() {
            opened.named_in_strings = functions::named_in_strings(unit, &opened);
        }
        files(unit, out, &opened);
        if unit.is_musa() {
            put_together(unit, out);
        }
        if opened.is_used() {
            functions(unit, out, &opened);
        }
        if opened.is_used() || declares {
            names(unit, out, &opened);
        }
    }
}

/// Names of files.
fn files(unit: &PythonUnit<'_>, out: &mut Outcome, opened: &Opened<'_>) {
    let known = &unit.context.knowledge.python_strings.libraries;
    for literal in unit.literals(&[known.prefix.as_str()]) {
        if unit.is_claimed(out, literal.node) {
            continue;
        }
        if let Some(file) = file_name(unit, &literal) {
            translate_file(unit, out, opened, &literal, &file);
        }
    }
    // `find_library("cudart")`
    for &(argument, takes) in &opened.arguments {
        if takes == Takes::Name
            && let Some(literal) = Literal::read(&unit.module.tree, argument)
            && let Some(row) = unit.context.tables.get(Section::Libraries, literal.value())
        {
            unit.claim(out, literal.node);
            let whole = TextRange::new(0, literal.value().len());
            let file = FileName {
                row,
                part: whole,
                alone: true,
                exact: true,
            };
            translate_file(unit, out, opened, &literal, &file);
        }
    }
}

fn translate_file(
    unit: &PythonUnit<'_>,
    out: &mut Outcome,
    opened: &Opened<'_>,
    literal: &Literal,
    file: &FileName<'_>,
) {
    let of = unit.module.use_of(literal.node);
    let row = file.row;
    if row.relation == Relation::Same {
        return;
    }
    let goes_there = opened.takes(unit, literal.node, &of);
    let unpatched = opened.is_unpatched(&of);
    if !goes_there && (of.is_part() || string_role(unit, &of) == StringRole::Text) {
        return;
    }
    unit.claim(out, literal.node);
    let range = unit.module.tree.range(literal.node);
    // The runtime package opens MUSA's library if code asks for CUDA's.
    let has_counterpart = row.to.is_some() && is_alike(row);
    let reached = goes_there && !unpatched && file.alone && file.exact;
    if !unit.is_musa() && has_counterpart && reached {
        let reason = KeptReason::AtRunTime;
        out.kept.push(Kept { range, reason });
        return;
    }
    let shown = unit.shown(range);
    let Some(to) = row.to.as_deref().filter(|_| is_alike(row)) else {
        let message = format!("{shown} stays: its functions have no counterparts of the same kind");
        let advice = row
            .advice
            .as_deref()
            .unwrap_or("keep it out of the path for MUSA");
        let advice = match row.to.as_deref() {
            Some(to) => format!("MUSA has `{to}`, whose functions take other arguments"),
            None => advice.to_owned(),
        };
        let finding = unit.finding(LIBRARY_FILE, range, message);
        out.findings.push(finding.help(advice));
        return;
    };
    let told = goes_there && file.alone && file.exact && unit.is_musa();
    let asked = library(row).is_some_and(|one| {
        let mut tables = one.tables.iter();
        tables.any(|table| opened.named_in_strings.contains(table.as_str()))
    });
    let sure = told && !asked;
    if !sure {
        let why = if unpatched && !unit.is_musa() {
            "the runtime package does not reach the function that opens it"
        } else if told {
            "functions are looked up by names that stay"
        } else if !file.exact {
            "it is a pattern, or a part of a name"
        } else if !file.alone {
            "it stands in a folder, which may be CUDA's"
        } else {
            "whether it is opened is not told by where it stands"
        };
        let finding = unit.finding(LIBRARY_FILE, range, format!("{shown} stays: {why}"));
        out.findings
            .push(finding.help(format!("where it is opened on MUSA, it has to be `{to}`")));
        // A whole path leads into CUDA's folder, whatever the file is called.
        if !unit.is_musa() || !file.exact || (!file.alone && literal.is_plain()) {
            return;
        }
    }
    let Some(place) = literal.in_file(file.part) else {
        return;
    };
    let change = Change {
        range: place,
        to,
        rule: RULE,
        applicability: Applicability::of_reading(sure),
        evidence: row.evidence,
    };
    unit.change(out, &change);
}

/// Whether a library's functions have names of the same kind on both sides.
fn is_alike(row: &Row) -> bool {
    library(row).is_some()
}

/// The library of a file whose functions have names of the same kind on both sides.
fn library(row: &Row) -> Option<&'static SharedLibrary> {
    let stub = StubKnowledge::builtin();
    let name = row.cuda.strip_prefix("lib").unwrap_or(&row.cuda);
    let stem = name.split('.').next().unwrap_or(name);
    stub.libraries.iter().find(|one| one.stem == stem)
}
