//! Names of functions of CUDA's libraries, as members of an opened library and in strings.

use rustc_hash::FxHashSet;

use super::exports::is_exported;
use super::opening::OpenedLibraries;
use crate::python::inference::{StringRole, string_role};
use crate::python::torch::names::left;
use crate::python::{ModuleView, PythonUnit};
use crate::{Change, Outcome};
use torchada_diagnostic::codes::python::{DECLARATIONS, FUNCTION_NAME, UNKNOWN_NAME};
use torchada_mapping::stub::StubKnowledge;
use torchada_mapping::{Relation, Row, Section, has};
use torchada_syntax::python::{Consumer, Kind, Literal, Use};
use torchada_text::TextRange;

/// The row of a function, if it belongs to a library whose functions have counterparts of the same kind.
fn function_row<'a>(unit: &ModuleView<'a>, name: &[u8]) -> Option<&'a Row> {
    let row = unit.context.row(Section::Names, name)?;
    let stub = StubKnowledge::builtin();
    let is_of_row = |table: &String| *table == *row.library;
    let mut libraries = stub.libraries.iter();
    libraries
        .any(|one| one.tables.iter().any(is_of_row))
        .then_some(row)
}

/// Translate the members of opened libraries: `library.cudaMalloc`.
pub fn translate_members(unit: &PythonUnit<'_>, out: &mut Outcome, opened: &OpenedLibraries<'_>) {
    if !unit.is_musa() {
        return;
    }
    let tree = &unit.module.tree;
    for node in tree.of(Kind::Attribute) {
        if tree.is_broken(node) {
            continue;
        }
        let Some((object, name)) = tree.object_and_name(node) else {
            continue;
        };
        let Some(row) = function_row(unit, tree.word(name)) else {
            continue;
        };
        if out.is_claimed_at(tree.range(name).start) {
            continue;
        }
        let sure = opened.is_library(unit, object);
        let is_another =
            !sure && (unit.module.resolve(object).is_some() || opened.defines(tree.word(name)));
        if !is_another {
            translate_function(unit, out, row, tree.range(name), tree.range(name), sure);
        }
    }
}

/// The function that a string may name, and whether it surely does.
fn function_in_string<'a>(
    unit: &ModuleView<'a>,
    opened: &OpenedLibraries<'_>,
    literal: &Literal,
    of: &Use,
) -> Option<(&'a Row, bool)> {
    let tree = &unit.module.tree;
    if !literal.is_plain() || of.is_part() {
        return None;
    }
    let row = function_row(unit, literal.value())?;
    if is_exported(unit, of) || string_role(unit, of) == StringRole::Text {
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

/// The prefixes of the names of functions.
fn prefixes(stub: &StubKnowledge) -> Vec<&str> {
    stub.libraries
        .iter()
        .flat_map(|one| one.prefixes.keys().map(String::as_str))
        .collect()
}

/// The tables of the functions that strings may name. Such a string stays, for it may mean something else.
pub fn tables_named_in_strings<'a>(
    unit: &ModuleView<'a>,
    opened: &OpenedLibraries<'_>,
) -> FxHashSet<&'a str> {
    let stub = StubKnowledge::builtin();
    let prefixes = prefixes(stub);
    let names = unit.literals(&prefixes).filter_map(|literal| {
        let of = unit.module.use_of(literal.node);
        let (row, sure) = function_in_string(unit, opened, &literal, &of)?;
        (!sure && row.relation != Relation::Same).then_some(&*row.library)
    });
    names.collect()
}

/// Translate the names of functions in strings: `getattr(library, "cudaMalloc")`, `library["cuInit"]`.
pub fn translate_names_in_strings(
    unit: &PythonUnit<'_>,
    out: &mut Outcome,
    opened: &OpenedLibraries<'_>,
) {
    let stub = StubKnowledge::builtin();
    let known = &unit.context.knowledge.python_strings.libraries;
    let prefixes = prefixes(stub);
    let tree = &unit.module.tree;
    for literal in unit.literals(&prefixes) {
        if unit.is_claimed(out, literal.node) {
            continue;
        }
        let of = unit.module.use_of(literal.node);
        if let Consumer::Argument { call, .. } = of.consumer
            && has(&known.declares, unit.module.callee_word(call))
        {
            report_declarations(unit, out, &literal);
            continue;
        }
        if !unit.is_musa() {
            continue;
        }
        let Some((row, sure)) = function_in_string(unit, opened, &literal, &of) else {
            continue;
        };
        let whole = tree.range(literal.node);
        if let Some(range) = literal.in_file(TextRange::new(0, literal.value().len())) {
            translate_function(unit, out, row, range, whole, sure);
        }
    }
}

/// Write a function's counterpart in place of its name; `sure` if the name can mean nothing else.
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
            out.report(left(unit, UNKNOWN_NAME, Some(row), &row.cuda, range));
        }
        return;
    };
    // `torch.cuda.cudart().cudaGetLastError`: a name of PyTorch's module, of which that rule speaks.
    if !sure && out.findings.iter().any(|one| one.range.overlaps(range)) {
        return;
    }
    if !sure {
        let message = format!(
            "`{}` stays: it names a function of CUDA's, or one of the project's own",
            row.cuda
        );
        let help =
            format!("a library of MUSA's has `{to}`; the runtime package finds it by either name");
        unit.report(out, FUNCTION_NAME, range, message, help);
    }
    let change = Change::new(range, to).sure(sure).evidence(row.evidence);
    unit.change(out, change);
}

/// Report declarations of CUDA's functions: `ffi.cdef("int cudaMalloc(void **, size_t);")`.
fn report_declarations(unit: &PythonUnit<'_>, out: &mut Outcome, literal: &Literal) {
    let text = literal.text().into_owned();
    let mut words = text.split(|one: char| !(one.is_ascii_alphanumeric() || one == '_'));
    let Some(row) = words.find_map(|word| function_row(unit, word.as_bytes())) else {
        return;
    };
    let range = unit.claim(out, literal.node);
    let message = format!("declarations stay: `{}` is one of them", row.cuda);
    let help = "declare MUSA's functions, by their names; the numbers of enumerators may differ";
    unit.report(out, DECLARATIONS, range, message, help);
}
