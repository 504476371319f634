//! In the portable dialect, code that sets or removes a variable gets code that does the same with its counterpart.

use super::classifier::VariableUse;
use crate::python::ModuleView;
use torchada_mapping::{EnvironmentPlaces, VariableAccess};
use torchada_syntax::python::{Field, Kind, NodeId};
use torchada_text::{TextRange, line_start};

/// The text that treats the counterpart in the same way, and the place that it is put at; `None` where evaluating
/// an expression twice may do harm.
pub fn counterpart_edit(
    unit: &ModuleView<'_>,
    variable_use: VariableUse,
    name: TextRange,
    counterpart: &str,
) -> Option<(TextRange, String)> {
    let tree = &unit.module.tree;
    let known = &unit.context.knowledge.python_strings.environment;
    // The text of a node that has the name in it, with the counterpart instead of the name.
    let renamed = |node: NodeId| {
        let range = tree.range(node);
        let front = TextRange::new(range.start, name.start);
        let back = TextRange::new(name.end, range.end);
        format!("{}{counterpart}{}", unit.shown(front), unit.shown(back))
    };
    let at = |place: usize| TextRange::new(place, place);
    match variable_use {
        VariableUse::Read => None,
        VariableUse::Item(VariableAccess::Set, item) => {
            let assignment = tree.parent(item)?;
            let object = tree.child(item, Field::Value)?;
            let plain = tree.kind(assignment) == Kind::Assignment
                && tree.child(assignment, Field::Type).is_none()
                && is_repeatable(unit, object);
            let place = tree.range(item).start;
            plain.then(|| (at(place), format!("{} = ", renamed(item))))
        }
        VariableUse::Item(_, item) => {
            let object = tree.child(item, Field::Value)?;
            let key = tree.child(item, Field::Subscript)?;
            let statement = tree.parent(item)?;
            let plain = tree.kind(statement) == Kind::Delete && is_repeatable(unit, object);
            let object = tree.shown(object);
            let text = format!("{object}.pop({}, None)", renamed(key));
            plain.then(|| statement_before(unit, statement, &text))
        }
        VariableUse::Call(access, call) => {
            if !are_repeatable(unit, tree.below(call)) {
                return None;
            }
            let statement = tree.ancestors(call).find(|&one| {
                matches!(
                    tree.kind(one),
                    Kind::ExpressionStatement | Kind::Block | Kind::Lambda | Kind::Conditional
                )
            })?;
            if tree.kind(statement) != Kind::ExpressionStatement {
                return None;
            }
            let alone = tree.parent(call) == Some(statement);
            let text = match access {
                VariableAccess::Remove => removing_call(unit, known, call, renamed(call)),
                // The code around the call uses the value that the call returns, and that is CUDA's.
                _ if !alone => return None,
                _ => renamed(call),
            };
            Some(statement_before(unit, statement, &text))
        }
        VariableUse::Entry(entry) | VariableUse::Keyword(entry) => {
            let value = tree.child(entry, Field::Value)?;
            is_repeatable(unit, value).then(|| entry_after(unit, entry, &renamed(entry)))
        }
    }
}

/// The call that removes the counterpart. The counterpart may be unset, so `environ.pop(…)` needs a default, and
/// pytest's `delenv` a keyword.
fn removing_call(
    unit: &ModuleView<'_>,
    known: &EnvironmentPlaces,
    call: NodeId,
    renamed: String,
) -> String {
    let tree = &unit.module.tree;
    let arguments = tree.child(call, Field::Arguments);
    let several = arguments.is_some_and(|list| tree.nth(list, 1).is_some());
    let word = unit.module.callee_word(call);
    let mut functions = known.functions.iter();
    let function = functions.find(|one| one.last().as_bytes() == word);
    let absent = function.and_then(|one| one.absent.as_deref());
    match (absent, renamed.strip_suffix(')')) {
        (Some(absent), Some(front)) if !several => format!("{front}, {absent})"),
        _ => renamed,
    }
}

/// The edit that puts a new statement before another one.
fn statement_before(unit: &ModuleView<'_>, statement: NodeId, text: &str) -> (TextRange, String) {
    let start = unit.module.tree.range(statement).start;
    let between = new_line(unit, start).map_or("; ".into(), |(_, line)| line);
    (TextRange::new(start, start), format!("{text}{between}"))
}

/// The edit that puts a new entry after another one: on a line of its own if that entry has one.
fn entry_after(unit: &ModuleView<'_>, entry: NodeId, text: &str) -> (TextRange, String) {
    let range = unit.module.tree.range(entry);
    let line = new_line(unit, range.start).filter(|&(start, _)| start > 0);
    let between = line.map_or(" ".into(), |(_, line)| line);
    (
        TextRange::new(range.end, range.end),
        format!(",{between}{text}"),
    )
}

/// The start of the line on which nothing stands before a place, and the break and the indent of another one like it.
fn new_line(unit: &ModuleView<'_>, at: usize) -> Option<(usize, String)> {
    let start = line_start(unit.text, at);
    let indent = TextRange::new(start, at);
    let is_free = indent
        .of(unit.text)
        .iter()
        .all(|byte| matches!(byte, b' ' | b'\t'));
    let above = unit.text.get(..start).unwrap_or_default();
    let end = if above.ends_with(b"\r\n") {
        "\r\n"
    } else {
        "\n"
    };
    is_free.then(|| (start, format!("{end}{}", unit.shown(indent))))
}

/// How many nodes of an expression are looked at.
const REACH: usize = 64;

/// Whether an expression may be evaluated twice: it gives the same value again, and has no side effect.
fn is_repeatable(unit: &ModuleView<'_>, node: NodeId) -> bool {
    are_repeatable(unit, unit.module.tree.with_below(node))
}

/// Whether nodes may be evaluated twice.
fn are_repeatable(unit: &ModuleView<'_>, mut nodes: impl Iterator<Item = NodeId>) -> bool {
    let mut first = nodes.by_ref().take(REACH);
    first.all(|one| is_harmless(unit, one)) && nodes.next().is_none()
}

/// Whether a node by itself has no side effect.
fn is_harmless(unit: &ModuleView<'_>, node: NodeId) -> bool {
    let tree = &unit.module.tree;
    let known = &unit.context.knowledge.python_strings.environment;
    match tree.kind(node) {
        Kind::Await | Kind::Yield | Kind::Named | Kind::Lambda => false,
        Kind::Call => tree.callee(node).is_some_and(|callee| {
            let mut functions = known.repeatable.iter();
            functions.any(|one| unit.module.is_builtin(callee, one))
        }),
        _ => true,
    }
}
