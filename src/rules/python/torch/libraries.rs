//! `torch.cuda.cudart().cudaProfilerStart()`: a library's functions by CUDA's names.

use super::names::left;
use crate::python::quoted::takes_member_name;
use crate::python::{ModuleView, PythonUnit};
use crate::{Change, Outcome};
use torchada_diagnostic::codes::python::{ABSENT_NAME, UNKNOWN_NAME};
use torchada_mapping::Section;
use torchada_mapping::{LibraryOf, has};
use torchada_syntax::python::{Kind, Literal, NodeId};
use torchada_text::{TextRange, last_part};

/// Functions of a library that a call gives.
pub fn check(unit: &PythonUnit<'_>, out: &mut Outcome) {
    let mut libraries = unit.python_values().libraries.iter();
    if !libraries.any(|one| unit.contains(last_part(&one.callee))) {
        return;
    }
    let tree = &unit.module.tree;
    for node in tree.of(Kind::Attribute) {
        let Some((object, name)) = tree.object_and_name(node) else {
            continue;
        };
        if let Some(library) = library(unit, object) {
            translate(unit, out, library, tree.word(name), tree.range(name));
        }
    }
    // `hasattr(torch.cuda.cudart(), "cudaHostRegister")`
    for call in tree.of(Kind::Call) {
        let library = tree
            .argument(call, 0)
            .filter(|_| takes_member_name(unit, call))
            .and_then(|object| library(unit, object));
        let text = tree
            .argument(call, 1)
            .and_then(|one| Literal::read(tree, one));
        let text = text.filter(Literal::is_plain);
        if let (Some(library), Some(text)) = (library, text)
            && let Some(range) = text.in_file(TextRange::new(0, text.value().len()))
        {
            unit.claim(out, text.node);
            translate(unit, out, library, text.value(), range);
        }
    }
}

/// Translate the name of a function of a library's, or report it.
fn translate(
    unit: &PythonUnit<'_>,
    out: &mut Outcome,
    library: &LibraryOf,
    word: &[u8],
    range: TextRange,
) {
    let row = unit.context.row(Section::Names, word);
    let to = row.and_then(|row| row.to.as_ref());
    let shown = || unit.shown(range);
    if to.is_some_and(|to| !has(&library.has, to.as_bytes())) {
        let finding = left(unit, ABSENT_NAME, None, &shown(), range);
        out.report(finding.help(library.advice.clone()));
    } else if let Some((to, evidence)) =
        row.and_then(|row| Some((row.to.as_deref()?, row.evidence)))
    {
        unit.change(out, Change::new(range, to).evidence(evidence));
    } else {
        out.report(left(unit, UNKNOWN_NAME, row, &shown(), range));
    }
}

/// The library that an expression gives: the expression is a call that returns the library, or a name that holds nothing
/// else, but for the `None` of a program without the library.
fn library<'u>(unit: &ModuleView<'u>, node: NodeId) -> Option<&'u LibraryOf> {
    let tree = &unit.module.tree;
    match tree.kind(node) {
        Kind::Call => {
            let last = unit.module.callee_word(node);
            let libraries = unit.python_values().libraries.iter();
            let mut libraries = libraries.filter(|one| last_part(&one.callee).as_bytes() == last);
            libraries.find(|one| {
                let callee = unit.callee_name(node);
                callee.is_some_and(|callee| callee.is_sure() && callee.name == one.callee)
            })
        }
        Kind::Identifier => {
            let made = unit.module.only_value_but_none(node);
            library(unit, made.filter(|&made| tree.kind(made) == Kind::Call)?)
        }
        _ => None,
    }
}
