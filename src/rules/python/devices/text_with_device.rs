//! Texts with a device and something else in them, which code takes apart or searches: they stay, with a finding.

use crate::python::PythonUnit;
use crate::python::inference::by_name;
use torchada_mapping::has;
use torchada_syntax::python::{Consumer, Literal};

/// Why such a text stays, and what to do.
pub(super) fn stays(
    unit: &PythonUnit<'_>,
    literal: &Literal,
    cuda: &str,
    musa: &str,
) -> Option<(&'static str, String)> {
    let value = literal.text();
    if asks_for_option(unit, literal, &value, cuda) {
        let help = format!("search for `{musa}` where the text has it");
        return Some(("a text is searched for it", help));
    }
    has_precision(unit, &value, cuda).then(|| {
        let help = format!("write `{musa}` where that code knows it");
        ("code takes it apart into a device and a precision", help)
    })
}

/// Whether code asks whether a text has an option for the device in it: `"device=cuda" in name`.
fn asks_for_option(unit: &PythonUnit<'_>, literal: &Literal, value: &str, cuda: &str) -> bool {
    let Some((option, device)) = value.rsplit_once('=') else {
        return false;
    };
    let option = option.trim_start_matches('-').replace('-', "_");
    is_device_text(device, cuda)
        && by_name(unit, option.as_bytes()).is_device()
        && matches!(
            unit.module.use_of(literal.node).consumer,
            Consumer::Comparison { .. }
        )
}

/// Whether a text is a device and a precision, as RWKV's strategies are: `"cuda:0 fp16"`.
fn has_precision(unit: &PythonUnit<'_>, value: &str, cuda: &str) -> bool {
    let Some((device, rest)) = value.split_once(' ') else {
        return false;
    };
    let mut words = rest.split(' ');
    let precisions = &unit.python_values().words_of_calls.precisions;
    let is_precision = words.next().is_some_and(|one| has(precisions, one));
    // `cuda fp16 *10 -> cpu fp32`, and no sentence.
    let goes_on = words
        .next()
        .is_none_or(|one| one.starts_with('*') || one == "->");
    is_precision && goes_on && is_device_text(device, cuda)
}

/// Whether a text is the name of a device, with a number or without one.
pub fn is_device_text(text: &str, cuda: &str) -> bool {
    let rest = text.strip_prefix(cuda);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(':'))
}
