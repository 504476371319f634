//! Functions of libraries, by their names.

use rustc_hash::FxHashSet;

use super::codes::{DECLARATIONS, FUNCTION_NAME, RULE};
use super::opened::Opened;
use crate::diagnostic::Applicability;
use crate::mapping::stub::StubKnowledge;
use crate::mapping::{Relation, Row, Section};
use crate::rules::Outcome;
use crate::rules::python::inference::{StringRole, string_role};
use crate::rules::python::names::{UNKNOWN_NAME, left};
use crate::rules::python::unit::Change;
use crate::rules::python::{ModuleView, PythonUnit};
use crate::syntax::python::{Consumer, Field, Kind, Literal, Use};
use crate::text::TextRange;

/// The row of a function of one of the libraries.
fn function<'a>(unit: &ModuleView<'a>, name: &[u8]) -> Option<&'a Row> {
    let row = unit.context.tables.get(Section::Names, name)?;
    let stub = StubKnowledge::builtin();
    let ours = |table: &String| *table == *row.library;
    let mut libraries = stub.libraries.iter();
    libraries
        .any(|one| one.tables.iter().any(ours))
        .then_some(row)
}

/// `library.cudaMalloc`
pub fn functions(unit: &PythonUnit<'_>, out: &mut Outcome, opened: &Opened<'_>) {
    if !unit.is_musa() {
        return;
    }
    let tree = &unit.module.tree;
    for node in tree.of(Kind::Attribute) {
        if tree.is_broken(node) {
            continue;
        }
        let (Some(object), Some(name)) = (
            tree.child(node, Field::Object),
            tree.child(node, Field::Attribute),
        ) else {
            continue;
        };
        let Some(row) = function(unit, tree.word(name)) else {
            continue;
        };
        if out.is_claimed_at(tree.range(name).start) {
            continue;
        }
        let sure = opened.is_library(unit, object);
        let others =
            !sure && (unit.module.resolve(object).is_some() || opened.defines(tree.word(name)));
        if !others {
            translate_function(unit, out, row, tree.range(name), tree.range(name), sure);
        }
    }
}

/// The function that a string may name, and whether it surely does.
fn named_function<'a>(
    unit: &ModuleView<'a>,
    opened: &Opened<'_>,
    literal: &Literal,
    of: &Use,
) -> Option<(&'a Row, bool)> {
    let tree = &unit.module.tree;
    if !literal.is_plain() || of.is_part() {
        return None;
    }
    let row = function(unit, literal.value())?;
    // What the module exports is its own.
    let exported = matches!(of.consumer, Consumer::Target { target }
        if unit.module.last_name(target) == b"__all__");
    if exported || string_role(unit, of) == StringRole::Text {
        return None;
    }
    let sure = match of.consumer {
        Consumer::Item { of } => opened.is_library(unit, of),
        Consumer::Argument {
            call,
            position: Some(1),
        } => tree
            .argument(call, 0)
            .is_some_and(|first| opened.is_library(unit, first)),
        _ => false,
    };
    Some((row, sure))
}

/// What the names of functions start with.
fn starts(stub: &StubKnowledge) -> Vec<&str> {
    stub.libraries
        .iter()
        .flat_map(|one| one.prefixes.keys().map(String::as_str))
        .collect()
}

/// The tables of the functions whose names stand in strings that stay, because they do not tell.
pub fn named_in_strings<'a>(unit: &ModuleView<'a>, opened: &Opened<'_>) -> FxHashSet<&'a str> {
    let stub = StubKnowledge::builtin();
    let starts = starts(stub);
    let names = unit.literals(&starts).filter_map(|literal| {
        let of = unit.module.use_of(literal.node);
        let (row, sure) = named_function(unit, opened, &literal, &of)?;
        (!sure && row.relation != Relation::Same).then_some(&*row.library)
    });
    names.collect()
}

/// Names of functions in strings: `getattr(library, "cudaMalloc")`, `library["cuInit"]`.
pub fn names(unit: &PythonUnit<'_>, out: &mut Outcome, opened: &Opened<'_>) {
    let stub = StubKnowledge::builtin();
    let known = &unit.context.knowledge.python_strings.libraries;
    let starts = starts(stub);
    let tree = &unit.module.tree;
    for literal in unit.literals(&starts) {
        if unit.is_claimed(out, literal.node) {
            continue;
        }
        let of = unit.module.use_of(literal.node);
        if let Consumer::Argument { call, .. } = of.consumer
            && known
                .declares
                .iter()
                .any(|one| one.as_bytes() == unit.module.callee_word(call))
        {
            declarations(unit, out, &literal);
            continue;
        }
        if !unit.is_musa() || !opened.is_used() {
            continue;
        }
        let Some((row, sure)) = named_function(unit, opened, &literal, &of) else {
            continue;
        };
        let whole = tree.range(literal.node);
        if let Some(range) = literal.in_file(TextRange::new(0, literal.value().len())) {
            translate_function(unit, out, row, range, whole, sure);
        }
    }
}

fn translate_function(
    unit: &PythonUnit<'_>,
    out: &mut Outcome,
    row: &Row,
    range: TextRange,
    whole: TextRange,
    sure: bool,
) {
    out.claim_at(whole.start);
    if row.relation == Relation::Same {
        return;
    }
    let Some(to) = row.to.as_deref() else {
        if sure {
            out.findings
                .push(left(unit, UNKNOWN_NAME, Some(row), &row.cuda, range));
        }
        return;
    };
    if !sure {
        let message = format!(
            "`{}` stays: it names a function of CUDA's, or one of the project's own",
            row.cuda
        );
        let finding = unit.finding(FUNCTION_NAME, range, message);
        out.findings.push(finding.help(format!(
            "a library of MUSA's has `{to}`; the runtime package finds it by either name"
        )));
    }
    let change = Change {
        range,
        to,
        rule: RULE,
        applicability: Applicability::of_reading(sure),
        evidence: row.evidence,
    };
    unit.change(out, &change);
}

/// `ffi.cdef("int cudaMalloc(void **, size_t);")`
fn declarations(unit: &PythonUnit<'_>, out: &mut Outcome, literal: &Literal) {
    let text = String::from_utf8_lossy(literal.value()).into_owned();
    let mut words = text.split(|one: char| !(one.is_ascii_alphanumeric() || one == '_'));
    let Some(row) = words.find_map(|word| function(unit, word.as_bytes())) else {
        return;
    };
    unit.claim(out, literal.node);
    let range = unit.module.tree.range(literal.node);
    let message = format!("declarations stay: `{}` is one of them", row.cuda);
    out.findings.push(
        unit.finding(DECLARATIONS, range, message).help(
            "declare MUSA's functions, by their names; the numbers of enumerators may differ",
        ),
    );
}
