//! Texts of errors that a program looks for: `"CUDA out of memory" in str(error)`.

use crate::Outcome;
use crate::python::inference::{any_use, any_use_here};
use crate::python::{AboutNode, ModuleView, PythonUnit};
use torchada_diagnostic::codes::python::ERROR_TEXT;
use torchada_mapping::{contains_one, has};
use torchada_syntax::python::{Consumer, Field, Kind, Literal, NodeId, Use};

/// Texts of errors.
pub fn check(unit: &PythonUnit<'_>, out: &mut Outcome) {
    let known = &unit.context.knowledge.python_strings.messages;
    let words: Vec<&str> = known
        .texts
        .iter()
        .chain(&known.words)
        .map(String::as_str)
        .filter(|text| unit.contains(text))
        .collect();
    if words.is_empty() {
        return;
    }
    for literal in unit.literals(&words) {
        if unit.is_claimed(out, literal.node) {
            continue;
        }
        let text = literal.text().into_owned();
        let kind = if !contains_one(&text, &known.texts) {
            if !known.words.contains(&text) {
                continue;
            }
            TextKind::Word
        } else if text.contains(' ') {
            TextKind::Message
        } else {
            TextKind::Name
        };
        let of = unit.module.use_of(literal.node);
        if is_compared_with_error(unit, &of, kind) {
            report(unit, out, &literal);
        }
    }
}

/// What a text is that errors have.
#[derive(Clone, Copy, Eq, PartialEq)]
enum TextKind {
    /// A single word, `CUDA`, that counts only if the other side is certainly an error.
    Word,
    /// How a name begins that source code has, too: `cudaError`.
    Name,
    /// Words of a message: `CUDA out of memory`.
    Message,
}

fn report(unit: &PythonUnit<'_>, out: &mut Outcome, literal: &Literal) {
    let range = unit.claim(out, literal.node);
    let shown = unit.shown(range);
    let message = format!("{shown} stays: errors on MUSA have other texts");
    let advice = &unit.context.knowledge.python_strings.messages.advice;
    unit.report(out, ERROR_TEXT, range, message, advice.clone());
}

/// Whether the program compares a text with an error.
fn is_compared_with_error(unit: &ModuleView<'_>, of: &Use, kind: TextKind) -> bool {
    let known = &unit.context.knowledge.python_strings.messages;
    let tree = &unit.module.tree;
    let is_text = kind != TextKind::Word;
    let is_message = kind == TextKind::Message;
    let is_listed = of.items().next().is_some();
    match of.consumer {
        Consumer::Keyword { name, .. } => is_text && has(&known.keywords, tree.word(name)),
        // `"CUDA error" in output`: what has these words shows an error.
        Consumer::Comparison {
            operator,
            on_left: true,
            ..
        } if is_message && tree.word(operator).ends_with(b"in") => true,
        Consumer::Comparison { other, .. } => is_error(unit, other),
        Consumer::Argument { call, .. } => {
            let word = unit.module.callee_word(call);
            let object = tree.receiver(call);
            // `e.to("cuda")` asks nothing of an error.
            let asks = is_text || has(&known.asks, word);
            (is_text && has(&known.functions, word))
                || asks && object.is_some_and(|object| is_error(unit, object))
        }
        // `{"CUDA out of memory": "close other programs"}`
        Consumer::DictKey { .. } => is_text,
        // `any(text in output for text in ["CUDA error"])`
        Consumer::Loop { target } => is_message && is_looked_for(unit, target),
        Consumer::Target { target }
            if (is_text && of.steps.is_empty() || is_message && is_listed)
                && is_looked_for(unit, target) =>
        {
            true
        }
        // `texts = ["…"]`, in a function that looks for them in an error.
        Consumer::Target { target } if is_text && is_listed => {
            let function = tree.function_around(target);
            function.is_some_and(|function| asks_error(unit, function))
        }
        _ => false,
    }
}

/// Whether a function compares something with an error.
fn asks_error(unit: &ModuleView<'_>, function: NodeId) -> bool {
    let tree = &unit.module.tree;
    let ask = || {
        let inside = tree.below(function).take(NODES);
        inside
            .filter(|&one| tree.kind(one) == Kind::Comparison)
            .any(|one| tree.children(one).any(|side| is_error(unit, side)))
    };
    let place = unit.place(function);
    unit.memo.about_node(AboutNode::AsksError, place, ask)
}

/// Whether the text that a name stands for, or one of its texts, is looked for in another one, or is a key of a table of
/// such texts.
fn is_looked_for(unit: &ModuleView<'_>, name: NodeId) -> bool {
    let is_one = |other: &ModuleView<'_>, node: NodeId| match other.module.use_of(node).consumer {
        Consumer::DictKey { .. } => true,
        // `any(text in output for text in TEXTS)`
        Consumer::Loop { target } => other.about_uses(AboutNode::IsSought, target, || {
            any_use_here(other, target, &mut |item| is_sought(other, item))
        }),
        _ => is_sought(other, node),
    };
    let ask = || any_use(unit, name, &mut |other, node| is_one(other, node));
    unit.module.tree.kind(name) == Kind::Identifier
        && unit.about_uses(AboutNode::IsLookedFor, name, ask)
}

/// Whether a value is looked for in another one.
fn is_sought(unit: &ModuleView<'_>, value: NodeId) -> bool {
    let consumer = unit.module.use_of(value).consumer;
    matches!(consumer, Consumer::Comparison { on_left: true, .. })
}

/// How many nodes of a function are looked at.
const NODES: usize = 2000;

/// Whether an expression is an error, or its text: `str(e)`, `e.args[0]`, `message.lower()`.
fn is_error(unit: &ModuleView<'_>, node: NodeId) -> bool {
    let known = &unit.context.knowledge.python_strings.messages;
    let tree = &unit.module.tree;
    let gives = |name: Option<NodeId>| name.is_some_and(|name| has(&known.gives, tree.word(name)));
    let mut at = node;
    for _ in 0..8 {
        let next = match tree.kind(at) {
            Kind::Identifier => {
                return has(&known.exact, tree.word(at)) || is_caught(unit, at);
            }
            Kind::Attribute if gives(tree.child(at, Field::Attribute)) => {
                tree.child(at, Field::Object)
            }
            Kind::Subscript => tree.child(at, Field::Value),
            Kind::Parenthesized => tree.nth(at, 0),
            Kind::Call => {
                let callee = tree.callee(at);
                match callee.filter(|&callee| tree.kind(callee) == Kind::Attribute) {
                    // The attribute decides about the result of a method.
                    Some(method) => Some(method),
                    None if gives(callee) => tree.argument(at, 0),
                    None => None,
                }
            }
            _ => None,
        };
        let Some(next) = next else { return false };
        at = next;
    }
    false
}

/// Whether a name is that of the error in the `except … as name` around it.
fn is_caught(unit: &ModuleView<'_>, name: NodeId) -> bool {
    let tree = &unit.module.tree;
    let clauses = tree
        .ancestors(name)
        .filter(|&one| tree.kind(one) == Kind::Except);
    let mut targets = clauses.flat_map(|clause| {
        let heads = tree
            .children(clause)
            .filter(|&one| tree.kind(one) != Kind::Block);
        heads
            .flat_map(|head| tree.below(head))
            .filter(|&one| tree.kind(one) == Kind::AsPatternTarget)
    });
    targets.any(|target| tree.word(target) == tree.word(name))
}
