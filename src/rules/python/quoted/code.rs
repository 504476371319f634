//! Code in strings: whole programs, pieces that are run or written, and quoted annotations.

use super::edits::{change, is_of_name, shown};
use super::programs::is_run_by_commands;
use crate::python::PythonUnit;
use crate::python::inference::{StringRole, string_role};
use crate::python::torch::names::{Verdict, left, verdict};
use crate::{Change, Outcome};
use torchada_diagnostic::codes::python::IN_STRING;
use torchada_mapping::contains_one;
use torchada_syntax::python::{Consumer, HOLE, Literal, Use, is_sound};
use torchada_text::TextRange;

/// Report a string that is a program.
pub(super) fn program(unit: &PythonUnit<'_>, out: &mut Outcome, literal: &Literal, of: &Use) {
    let prose = matches!(
        of.consumer,
        Consumer::Docstring | Consumer::Statement | Consumer::Message
    );
    if prose || !unit.is_musa() {
        return;
    }
    let range = unit.claim(out, literal.node);
    let (message, help) = if is_run_by_commands(unit, literal.value()) {
        (
            "CUDA's names stay in Python that a command in this text runs",
            "write MUSA's names in the command, or have its Python begin with `import torchada`",
        )
    } else {
        (
            "CUDA's names stay in a text that is a program in Python",
            "where it is run, have it begin with `import torchada`, or write MUSA's names in it",
        )
    };
    unit.report(out, IN_STRING, range, message, help);
}

/// Report CUDA's names in a string that the code runs, or writes to a file of code.
pub(super) fn part(unit: &PythonUnit<'_>, out: &mut Outcome, literal: &Literal) {
    let value = shown(literal);
    let cuda = format!("{}.", unit.python_values().module.cuda);
    if !unit.is_musa() || !value.contains(&cuda) {
        return;
    }
    let range = unit.claim(out, literal.node);
    let message = format!("`{cuda}` stays in a text that may be code");
    let help = format!(
        "where it is run, write `{}.`; the runtime package makes CUDA's name work, too",
        unit.python_values().module.musa
    );
    unit.report(out, IN_STRING, range, message, help);
}

/// Report the texts that are pieces of code in which a tensor or a module is moved to CUDA's device, or made there:
/// `f"{name} = {name}.cuda()"`, `f"torch.zeros({size}, device='cuda')"`; and those that are graphs of `TorchScript`'s.
pub(super) fn pieces(unit: &PythonUnit<'_>, out: &mut Outcome) {
    if !unit.is_musa() {
        return;
    }
    for device in &unit.context.knowledge.devices {
        let call = format!(".{}(", device.cuda);
        let quoted = [format!("'{}", device.cuda), format!("\"{}", device.cuda)];
        let of_graph = format!("device={}", device.cuda);
        for literal in unit.literals(&[&device.cuda]) {
            let value = shown(&literal);
            if is_graph(unit, &value, &of_graph)
                && !unit.is_claimed(out, literal.node)
                && !is_for_people(unit, &literal)
            {
                let range = unit.claim(out, literal.node);
                let message = format!("`{of_graph}` stays in a graph of TorchScript's");
                let help = format!(
                    "write `device={}` where the text is compared with what a graph prints",
                    device.to
                );
                unit.report(out, IN_STRING, range, message, help);
                continue;
            }
            let names_device = contains_one(&value, &quoted);
            let moves = value.contains(&call);
            if !(moves || names_device && value.contains('('))
                || !is_piece(&value)
                || unit.is_claimed(out, literal.node)
                || is_for_people(unit, &literal)
            {
                continue;
            }
            let range = unit.claim(out, literal.node);
            let (left, to) = if moves {
                (format!("{call})"), format!("`.{}()`", device.to))
            } else {
                (
                    format!("\"{}\"", device.cuda),
                    format!("`\"{}\"`", device.to),
                )
            };
            let message = format!("`{left}` stays in a text that may be code");
            let help = format!(
                "where it is run, write {to}; the runtime package makes CUDA's name work, too"
            );
            unit.report(out, IN_STRING, range, message, help);
        }
    }
}

/// Whether a text is a graph of `TorchScript`'s, or a part of one, with the device of a tensor in it:
/// `%x : Float(2, requires_grad=0, device=cuda:0)`.
fn is_graph(unit: &PythonUnit<'_>, value: &str, of_graph: &str) -> bool {
    let marks = &unit.context.knowledge.python_strings.quoted.graphs;
    value.contains(of_graph) && contains_one(value, marks)
}

/// Whether a text is Python in one line, with something put in, or behind an expression that stands before the text.
fn is_piece(value: &str) -> bool {
    let text = value.trim().replace(HOLE, "x");
    let is_whole = |text: &str| is_sound(text.as_bytes());
    !text.contains(" .")
        && (is_whole(&text) || text.starts_with('.') && is_whole(&format!("x{text}")))
}

fn is_for_people(unit: &PythonUnit<'_>, literal: &Literal) -> bool {
    let of = unit.module.use_of(literal.node);
    matches!(
        of.consumer,
        Consumer::Docstring | Consumer::Statement | Consumer::Message
    ) || string_role(unit, &of) == StringRole::Text
}

/// What configurations write in front of a text that is an expression: `"$torch.cuda.device_count()"`.
const EVALUATES: char = '$';

/// Whether a text is an expression of Python's with one of CUDA's names.
pub(super) fn may_be_expression(unit: &PythonUnit<'_>, text: &str) -> bool {
    text.contains(&unit.python_values().module.cuda)
        && is_sound(text.trim_start_matches(EVALUATES).as_bytes())
}

/// Translate each dotted name in a quoted annotation.
pub(super) fn annotation(unit: &PythonUnit<'_>, out: &mut Outcome, literal: &Literal) {
    if !unit.is_musa() {
        return;
    }
    let value = shown(literal);
    let mut start = 0;
    for piece in value.split(|one| !is_of_name(one)) {
        let range = TextRange::new(start, start + piece.len());
        let gap = value.get(range.end..).and_then(|rest| rest.chars().next());
        start = range.end + gap.map_or(0, char::len_utf8);
        if let Some(name) = unit.module.resolve_text(literal.node, piece)
            && name.is_sure()
        {
            replace(unit, out, literal, range, piece, &name.name);
        }
    }
}

/// Replace the text that stands for `name` by the name's counterpart.
fn replace(
    unit: &PythonUnit<'_>,
    out: &mut Outcome,
    literal: &Literal,
    range: TextRange,
    written: &str,
    name: &str,
) {
    let (to, evidence) = match verdict(unit, name) {
        Verdict::Becomes(to, evidence) => (to, evidence),
        Verdict::Left(code, row) => {
            let range = unit.module.tree.range(literal.node);
            out.report(left(unit, code, row, name, range));
            return;
        }
        _ => return,
    };
    // `th.cuda.Event`, where `th` is torch: only the names behind the first one change.
    let (root, _) = written.split_once('.').unwrap_or((written, ""));
    let hidden = name
        .len()
        .checked_sub(written.len() - root.len())
        .and_then(|end| name.get(..end));
    if let Some(rest) = hidden.and_then(|hidden| to.strip_prefix(hidden)) {
        let to = format!("{root}{rest}");
        let edit = Change::new(range, &to).evidence(evidence);
        change(unit, out, literal, edit);
    }
}
