//! Comparisons in the portable dialect, which let both names of a device pass.

use super::{ONLY_CUDA_PASSES, change};
use crate::diagnostic::Applicability;
use crate::rules::Outcome;
use crate::rules::python::PythonUnit;
use crate::syntax::python::{Consumer, Kind, Literal, Use, Wrapper};
use crate::text::TextRange;

/// Make a comparison of a device with CUDA's name accept both names: `== "cuda"` becomes `in ("cuda", "musa")`.
pub fn compare_with_both(
    unit: &PythonUnit<'_>,
    out: &mut Outcome,
    literal: &Literal,
    of: &Use,
    cuda: &str,
    musa: &str,
) {
    let tree = &unit.module.tree;
    let node = literal.node;
    let literal = tree.range(node);
    let text = unit.shown(literal);
    let other = text.replacen(cuda, musa, 1);
    let mut put = |range, to: &str| change(unit, out, range, to, Applicability::Safe);
    match of.consumer {
        Consumer::Comparison {
            at,
            operator,
            on_left: false,
            ..
        } if tree.children(at).count() == 3 => {
            let list = of
                .steps
                .iter()
                .any(|step| matches!(step, Wrapper::Among(_)));
            let word = match tree.word(operator) {
                b"==" if of.steps.is_empty() => "in",
                b"!=" if of.steps.is_empty() => "not in",
                word if list && (word == b"in" || word.starts_with(b"not")) => {
                    put(literal, &format!("{text}, {other}"));
                    return;
                }
                _ => return,
            };
            let range = TextRange::new(tree.range(operator).start, literal.end);
            put(range, &format!("{word} ({text}, {other})"));
        }
        // `"cuda" in x.device.type`: the right side is one word, and not a list.
        Consumer::Comparison {
            at,
            operator,
            other: whole,
            on_left: true,
        } if tree.children(at).count() == 3
            && of.steps.is_empty()
            && tree.word(operator).ends_with(b"in")
            && tree.kind(whole) == Kind::Attribute
            && unit.module.last_name(whole) == b"type" =>
        {
            let whole = unit.shown(tree.range(whole));
            let word = unit.shown(tree.range(operator));
            put(tree.range(at), &format!("{whole} {word} ({text}, {other})"));
        }
        Consumer::Argument { call, .. }
            if of.steps.is_empty() && unit.module.callee_word(call) == b"startswith" =>
        {
            put(literal, &format!("({text}, {other})"));
        }
        Consumer::Comparison { .. } => {
            let message = format!("{text} stays: only CUDA's device passes this comparison");
            let finding = unit.finding(ONLY_CUDA_PASSES, literal, message);
            out.findings
                .push(finding.help(format!("let {other} pass, too")));
        }
        Consumer::Pattern { .. } if of.steps.is_empty() && tree.kind(node) == Kind::Str => {
            put(literal, &format!("{text} | {other}"));
        }
        _ => {}
    }
}
