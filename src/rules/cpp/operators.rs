//! Calls of `PyTorch`'s operators that `torch_musa` has no kernel of: `at::cudnn_convolution(…)`.

use super::CppUnit;
use crate::Outcome;
use torchada_diagnostic::codes::cpp::NO_KERNEL;
use torchada_mapping::has;
use torchada_mapping::operators::{OperatorModule, Operators as Table};

/// Calls of the functions that C++ has of `PyTorch`'s operators.
pub fn check(unit: &CppUnit<'_>, out: &mut Outcome) {
    let tables = unit.context.tables;
    let namespaces = Table::builtin()
        .table
        .modules
        .iter()
        .flat_map(|one| &one.cpp);
    let mut written =
        namespaces.map(|name| unit.parsed.tokens.has_word(unit.text, name.as_bytes()));
    // Most files name nothing of PyTorch's: their words need not be looked up.
    if !written.any(|is_written| is_written) {
        return;
    }
    let calls = tables.operator_calls();
    let is_one = |word: &[u8]| std::str::from_utf8(word).is_ok_and(|word| calls.has_word(word));
    for (index, token) in unit.identifiers_where(is_one) {
        let is_called = unit.word_before(index, 1) == b"::" && unit.word(index + 1) == b"(";
        let Some(module) = module(unit.word_before(index, 2)).filter(|_| is_called) else {
            continue;
        };
        let range = token.range();
        let name = unit.shown(range);
        let fault = calls.of(&format!("{}.{name}", module.python));
        let Some(fault) = fault.filter(|fault| fault.support.lacks()) else {
            continue;
        };
        if fault.keyword.is_some()
            || unit.declared.contains(name.as_bytes())
            || unit.foreign(range).is_some()
            || unit.is_left_out(range.start)
        {
            continue;
        }
        let help = fault.advice();
        unit.report(
            out,
            NO_KERNEL,
            range,
            fault.message(&tables.kernels()),
            help,
        );
    }
}

/// The module of Python's whose functions C++ has in a namespace.
fn module(namespace: &[u8]) -> Option<&'static OperatorModule> {
    let is_one = |module: &&OperatorModule| has(&module.cpp, namespace);
    Table::builtin().table.modules.iter().find(is_one)
}
