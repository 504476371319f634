//! Beginnings of names by which a program hands variables on: `name.startswith("NCCL_")`.

use crate::Outcome;
use crate::python::PythonUnit;
use torchada_diagnostic::codes::python::HANDED_ON;
use torchada_mapping::{has, has_part};
use torchada_syntax::python::{Consumer, Literal};

/// Report the beginnings of CUDA's names where those of MUSA's don't stand beside them.
pub(super) fn report_prefixes(unit: &PythonUnit<'_>, out: &mut Outcome) {
    let known = &unit.context.knowledge.python_strings.environment;
    for (cuda, musa) in &known.handed_on {
        for literal in unit.literals(&[cuda.as_str()]) {
            let is_whole = literal.is_plain() && literal.value() == cuda.as_bytes();
            if is_whole && !unit.is_claimed(out, literal.node) {
                report(unit, out, &literal, cuda, musa);
            }
        }
    }
}

fn report(unit: &PythonUnit<'_>, out: &mut Outcome, literal: &Literal, cuda: &str, musa: &str) {
    let known = &unit.context.knowledge.python_strings.environment;
    let of = unit.module.use_of(literal.node);
    let takes_beginnings = match of.consumer {
        Consumer::Argument { call, .. } => has(&known.begins, unit.module.callee_word(call)),
        Consumer::Target { target } => has_part(&known.beginnings, &unit.module.last_name(target)),
        _ => false,
    };
    let near = unit.module.sibling_literals(&of);
    if !takes_beginnings || near.iter().any(|one| one.value() == musa.as_bytes()) {
        return;
    }
    let range = unit.claim(out, literal.node);
    let message =
        format!("`{cuda}` begins the names of CUDA's variables, and MUSA's begin with `{musa}`");
    let help = format!(
        "take both, or variables that the port sets by MUSA's names are not handed on: put `\"{musa}\"` beside it"
    );
    unit.report(out, HANDED_ON, range, message, help);
}
