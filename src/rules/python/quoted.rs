//! Names of `PyTorch`'s in strings: `getattr(torch, "cuda")`, quoted annotations, `mock.patch`.

use super::names::{Verdict, verdict};
use super::unit::Change;
use super::{PythonRule, PythonUnit};
use crate::diagnostic::{Applicability, Code};
use crate::mapping::Evidence;
use crate::rules::Outcome;
use crate::syntax::python::{Consumer, Dotted, Field, Literal, NodeId};
use crate::text::TextRange;

/// Names in strings.
pub struct Quoted;

const RULE: &str = "python-quoted";

impl PythonRule for Quoted {
    fn name(&self) -> &'static str {
        RULE
    }

    fn codes(&self) -> &'static [Code] {
        &[]
    }

    fn check(&self, unit: &PythonUnit<'_>, out: &mut Outcome) {
        if !unit.is_musa() {
            return;
        }
        let words: Vec<&str> = unit.positions().words.iter().map(String::as_str).collect();
        for literal in unit.literals(&words) {
            if !literal.is_plain() {
                continue;
            }
            let of = unit.module.use_of(literal.node);
            match of.consumer {
                Consumer::Argument {
                    call,
                    position: Some(1),
                } => member(unit, out, &literal, call),
                Consumer::Argument {
                    call,
                    position: Some(0),
                } if unit.module.callee_word(call) == b"patch" => {
                    let whole = TextRange::new(0, literal.value().len());
                    let name = String::from_utf8_lossy(literal.value()).into_owned();
                    // The text is the whole name, whatever the module imports.
                    replace(unit, out, &literal, whole, &name, &name);
                }
                Consumer::Annotation => annotation(unit, out, &literal),
                _ => {}
            }
        }
    }
}

/// `getattr(torch, "cuda")`, `hasattr(torch.cuda, "CUDAGraph")`.
fn member(unit: &PythonUnit<'_>, out: &mut Outcome, literal: &Literal, call: NodeId) {
    let tree = &unit.module.tree;
    let builtin = tree.child(call, Field::Function).is_some_and(|callee| {
        unit.module.is_builtin(callee, "getattr") || unit.module.is_builtin(callee, "hasattr")
    });
    let object = tree
        .child(call, Field::Arguments)
        .and_then(|arguments| tree.nth(arguments, 0));
    let Some(object) = object.filter(|_| builtin) else {
        return;
    };
    let Some(object) = unit.module.resolve(object).filter(Dotted::is_sure) else {
        return;
    };
    let word = String::from_utf8_lossy(literal.value());
    if let Verdict::Becomes(to, evidence) = verdict(unit, &format!("{}.{word}", object.name)) {
        unit.claim(out, literal.node);
        let (front, last) = to.rsplit_once('.').unwrap_or(("", &to));
        let moved = match verdict(unit, &object.name) {
            Verdict::Becomes(to, _) => to,
            _ => object.name,
        };
        if front == moved {
            let whole = TextRange::new(0, literal.value().len());
            change(unit, out, literal, whole, last, evidence);
        }
    }
}

/// Every dotted name in a quoted annotation.
fn annotation(unit: &PythonUnit<'_>, out: &mut Outcome, literal: &Literal) {
    let value = String::from_utf8_lossy(literal.value()).into_owned();
    let part = |one: char| one.is_alphanumeric() || one == '_' || one == '.';
    let mut start = 0;
    for piece in value.split(|one| !part(one)) {
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

/// Put the counterpart of `name` in the place of what is written for it.
fn replace(
    unit: &PythonUnit<'_>,
    out: &mut Outcome,
    literal: &Literal,
    range: TextRange,
    written: &str,
    name: &str,
) {
    let Verdict::Becomes(to, evidence) = verdict(unit, name) else {
        return;
    };
    // `th.cuda.Event`, where `th` is torch: only what is behind the first name changes.
    let (root, _) = written.split_once('.').unwrap_or((written, ""));
    let hidden = name
        .len()
        .checked_sub(written.len() - root.len())
        .and_then(|end| name.get(..end));
    if let Some(rest) = hidden.and_then(|hidden| to.strip_prefix(hidden)) {
        change(
            unit,
            out,
            literal,
            range,
            &format!("{root}{rest}"),
            evidence,
        );
    }
}

fn change(
    unit: &PythonUnit<'_>,
    out: &mut Outcome,
    literal: &Literal,
    range: TextRange,
    to: &str,
    evidence: Evidence,
) {
    if let Some(range) = literal.in_file(range) {
        let change = Change {
            range,
            to,
            rule: RULE,
            applicability: Applicability::Safe,
            evidence: Some(evidence),
        };
        unit.change(out, &change);
    }
}
