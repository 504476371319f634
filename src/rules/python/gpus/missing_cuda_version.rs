//! Code that uses the version of CUDA as a text, though the version is None on MUSA.

use super::review::Review;
use super::values::GpuFact;
use crate::diagnostic::{Applicability, Code, Severity};
use crate::mapping::gpus::GpuValueKind;
use crate::rules::Outcome;
use crate::rules::python::unit::Change;
use crate::syntax::python::{Consumer, Field, Kind, NodeId, Tree, What, Wrapper};

/// The code uses a version as a text that is None on MUSA.
pub const RAISES: Code = Code {
    id: "PY022",
    severity: Severity::Error,
    title: "raises on MUSA, where the version of CUDA is None",
};

/// How far the search for a test of None goes.
const REACH: usize = 64;

/// Report an expression that is the version, if its use raises where the version is None, and put a text in place of None.
pub(super) fn check(values: &Review<'_, '_>, out: &mut Outcome, node: NodeId) {
    let unit = values.unit;
    let tree = &unit.module.tree;
    if !raises(values, node, 2) {
        return;
    }
    let word = tree.word(node);
    if is_tested(values, node, word) || is_caught(values, node) {
        return;
    }
    let range = tree.range(node);
    let shown = unit.shown(range);
    let fallback = &values.gpus.none.fallback;
    let alone = tree
        .parent(node)
        .is_some_and(|up| tree.kind(up) == Kind::ArgumentList);
    let text = format!("{shown} or {fallback}");
    let change = Change {
        range,
        to: &if alone { text } else { format!("({text})") },
        rule: super::RULE,
        applicability: Applicability::Unsafe,
        evidence: None,
    };
    unit.change(out, &change);
    let message = match values.of(node).and_then(|value| value.origin) {
        Some(origin) if origin != node => format!(
            "`{shown}` is `{}`, which is None on MUSA, and this raises",
            unit.shown(tree.range(origin))
        ),
        _ => format!("`{shown}` is None on MUSA, and this raises"),
    };
    let advice = unit.python_values().platforms.first();
    let advice = advice.map_or(String::new(), |one| one.advice.clone());
    let finding = unit.finding(RAISES, range, message);
    out.findings.push(finding.help(advice));
    unit.claim(out, node);
}

/// Whether an expression is the version of CUDA.
pub(super) fn is_version(value: Option<GpuFact>) -> bool {
    value.is_some_and(|value| value.gives == GpuValueKind::Version && !value.many)
}

/// Whether a value is used in a way that raises where it is None.
fn raises(values: &Review<'_, '_>, node: NodeId, depth: usize) -> bool {
    let module = values.unit.module;
    let tree = &module.tree;
    let Some(parent) = tree.parent(node) else {
        return false;
    };
    match tree.kind(parent) {
        Kind::Attribute => tree.field(node) == Field::Object,
        // `version[0]`
        Kind::Subscript => tree.field(node) == Field::Value,
        Kind::Comparison => {
            let parts: Vec<NodeId> = tree.children(parent).take(REACH).collect();
            let place = parts.iter().position(|&part| part == node);
            let operator = |at: Option<usize>| {
                at.and_then(|at| parts.get(at))
                    .map_or(&b""[..], |&one| tree.word(one))
            };
            let orders = |word: &[u8]| word.first().is_some_and(|one| b"<>".contains(one));
            let before = operator(place.and_then(|at| at.checked_sub(1)));
            let behind = operator(place.map(|at| at + 1));
            let is_wanted = parts.len() == 3
                && matches!(behind, b"is not" | b"!=")
                && parts
                    .last()
                    .is_some_and(|&one| tree.kind(one) == Kind::None)
                && is_asserted(values, parent);
            orders(before) || orders(behind) || before.ends_with(b"in") || is_wanted
        }
        // `"cu" + version`
        Kind::Binary => {
            let operator = tree.child(parent, Field::Operator);
            operator.is_some_and(|one| tree.word(one) == b"+")
        }
        Kind::Parenthesized => raises(values, parent, depth),
        _ => {
            let of = module.use_of(node);
            match of.consumer {
                Consumer::Argument { call, position } => {
                    let joined = of
                        .steps
                        .iter()
                        .any(|step| matches!(step, Wrapper::Among(_)));
                    let direct = of.steps.is_empty();
                    let word = module.callee_word(call);
                    let mut takers = values.gpus.none.takers.iter();
                    if (direct || joined && word == b"join")
                        && takers.any(|taker| taker.as_bytes() == word)
                    {
                        return true;
                    }
                    direct && position.is_some_and(|at| parameter_raises(values, call, at, depth))
                }
                // `"_".join([version])`
                _ => of.steps.windows(2).any(|pair| {
                    matches!(pair, [Wrapper::Among(_), Wrapper::Joined(call)]
                        if module.callee_word(*call) == b"join")
                }),
            }
        }
    }
}

/// Whether a program stops where a test does not hold: `assert torch.version.cuda is not None`.
fn is_asserted(values: &Review<'_, '_>, test: NodeId) -> bool {
    let tree = &values.unit.module.tree;
    let mut below = test;
    for up in tree.ancestors(test).take(REACH) {
        match tree.kind(up) {
            Kind::Parenthesized => {}
            Kind::Boolean => {
                let operator = tree.child(up, Field::Operator);
                if operator.is_none_or(|one| tree.word(one) != b"and") {
                    return false;
                }
            }
            kind => return kind == Kind::Assert && tree.ordinal(below) == 0,
        }
        below = up;
    }
    false
}

/// Whether a function of the module uses its parameter in a way that raises where the parameter is None.
fn parameter_raises(values: &Review<'_, '_>, call: NodeId, at: usize, depth: usize) -> bool {
    let Some(depth) = depth.checked_sub(1) else {
        return false;
    };
    let module = values.unit.module;
    let tree = &module.tree;
    let Some(callee) = tree.child(call, Field::Function) else {
        return false;
    };
    if tree.kind(callee) != Kind::Identifier {
        return false;
    }
    let [binding] = module.bindings(callee, tree.word(callee)).1 else {
        return false;
    };
    let What::Function(function) = binding.what else {
        return false;
    };
    let name = tree
        .child(function, Field::Parameters)
        .and_then(|parameters| tree.nth(parameters, at))
        .map(|one| match tree.kind(one) {
            Kind::Identifier => one,
            Kind::TypedParameter => tree.nth(one, 0).unwrap_or(one),
            _ => tree.child(one, Field::Name).unwrap_or(one),
        });
    let (Some(name), Some(body)) = (name, tree.child(function, Field::Body)) else {
        return false;
    };
    let word = tree.word(name);
    let mut uses = tree
        .below(body)
        .take(REACH * REACH)
        .filter(|&one| tree.kind(one) == Kind::Identifier && tree.word(one) == word);
    uses.any(|one| {
        raises(values, one, depth) && !is_tested(values, one, word) && !is_caught(values, one)
    })
}

/// Whether a test around the use of a version, or before it, excludes None.
fn is_tested(values: &Review<'_, '_>, node: NodeId, word: &[u8]) -> bool {
    let tree = &values.unit.module.tree;
    let mut below = node;
    for up in tree.ancestors(node).take(REACH) {
        let known = match tree.kind(up) {
            Kind::Function | Kind::Class | Kind::Module => {
                return tree.kind(up) == Kind::Module && is_left_before(values, up, below, word);
            }
            Kind::Boolean => {
                let operator = tree.child(up, Field::Operator);
                let and = operator.is_some_and(|one| tree.word(one) == b"and");
                let left = tree.child(up, Field::Left).filter(|&left| left != below);
                left.is_some_and(|left| excludes_none(values, left, word, and))
            }
            Kind::Conditional => match (tree.ordinal(below), tree.nth(up, 1)) {
                (0, Some(test)) => excludes_none(values, test, word, true),
                (2, Some(test)) => excludes_none(values, test, word, false),
                _ => false,
            },
            Kind::If | Kind::Elif | Kind::While => {
                let test = tree.child(up, Field::Condition);
                test.is_some_and(|test| match tree.field(below) {
                    Field::Condition => false,
                    Field::Consequence | Field::Body => excludes_none(values, test, word, true),
                    _ => excludes_none(values, test, word, false),
                })
            }
            Kind::Block => is_left_before(values, up, below, word),
            _ => false,
        };
        if known {
            return true;
        }
        below = up;
    }
    false
}

/// Whether a statement of the block before `below` leaves the block if the version is None.
fn is_left_before(values: &Review<'_, '_>, block: NodeId, below: NodeId, word: &[u8]) -> bool {
    let tree = &values.unit.module.tree;
    let before = tree.children(block).take_while(|&one| one != below);
    let before: Vec<NodeId> = before.collect();
    before
        .into_iter()
        .rev()
        .take(REACH)
        .any(|statement| match tree.kind(statement) {
            Kind::Assert => tree
                .nth(statement, 0)
                .is_some_and(|test| excludes_none(values, test, word, true)),
            Kind::If => {
                let test = tree.child(statement, Field::Condition);
                let leaves = tree
                    .child(statement, Field::Consequence)
                    .and_then(|body| tree.children(body).last())
                    .is_some_and(|last| leaves(values, last));
                leaves && test.is_some_and(|test| excludes_none(values, test, word, false))
            }
            _ => false,
        })
}

/// Whether the statement behind this one is never reached.
fn leaves(values: &Review<'_, '_>, statement: NodeId) -> bool {
    let tree = &values.unit.module.tree;
    let word = tree.word(statement);
    let front = |front: &[u8]| word.starts_with(front);
    match tree.kind(statement) {
        Kind::Return | Kind::Raise => true,
        Kind::ExpressionStatement => {
            let calls = |exit: &str| {
                let behind = word.strip_prefix(exit.as_bytes());
                behind.is_some_and(|behind| behind.starts_with(b"("))
            };
            values.gpus.none.exits.iter().any(|exit| calls(exit))
        }
        _ => front(b"continue") || front(b"break"),
    }
}

/// Whether the version cannot be None if a test gives `outcome`.
fn excludes_none(values: &Review<'_, '_>, test: NodeId, word: &[u8], outcome: bool) -> bool {
    let tree = &values.unit.module.tree;
    match tree.kind(test) {
        Kind::Parenthesized => tree
            .nth(test, 0)
            .is_some_and(|inner| excludes_none(values, inner, word, outcome)),
        Kind::Not => tree
            .nth(test, 0)
            .is_some_and(|inner| excludes_none(values, inner, word, !outcome)),
        Kind::Boolean => {
            let operator = tree.child(test, Field::Operator);
            let and = operator.is_some_and(|one| tree.word(one) == b"and");
            and == outcome
                && tree
                    .children(test)
                    .any(|side| excludes_none(values, side, word, outcome))
        }
        Kind::Comparison => {
            let parts: Vec<NodeId> = tree.children(test).take(4).collect();
            let [left, operator, right] = *parts.as_slice() else {
                return false;
            };
            let none = [left, right]
                .iter()
                .any(|&one| tree.kind(one) == Kind::None);
            let about = [left, right].iter().any(|&one| tree.word(one) == word);
            let is_not = matches!(tree.word(operator), b"is not" | b"!=");
            none && about && is_not == outcome
        }
        _ => outcome && tree.word(test) == word,
    }
}

/// Whether a handler ends with an exception of its own, so that the program stops all the same.
fn raises_again(tree: &Tree<'_>, handler: NodeId) -> bool {
    let body = tree
        .children(handler)
        .find(|&part| tree.kind(part) == Kind::Block);
    let last = body.and_then(|body| tree.children(body).last());
    last.is_some_and(|last| tree.kind(last) == Kind::Raise)
}

/// Whether a handler around an expression catches the exception that the expression raises.
fn is_caught(values: &Review<'_, '_>, node: NodeId) -> bool {
    let tree = &values.unit.module.tree;
    let mut below = node;
    for up in tree.ancestors(node).take(REACH) {
        match tree.kind(up) {
            Kind::Function | Kind::Class => return false,
            Kind::Try if tree.field(below) == Field::Body => {
                let mut handlers = tree
                    .children(up)
                    .filter(|&part| tree.kind(part) == Kind::Except);
                let caught = handlers.any(|handler| {
                    if raises_again(tree, handler) {
                        return false;
                    }
                    let text = tree.word(handler);
                    let head = text.split(|&byte| byte == b':').next().unwrap_or_default();
                    let head = String::from_utf8_lossy(head);
                    let mut swallows = values.gpus.none.swallows.iter();
                    head.trim() == "except" || swallows.any(|one| head.contains(one.as_str()))
                });
                if caught {
                    return true;
                }
            }
            _ => {}
        }
        below = up;
    }
    false
}
