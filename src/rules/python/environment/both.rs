//! `--dialect portable`: where a variable is set or taken away, its counterpart is, too.

use super::super::ModuleView;
use super::places::Doing;
use crate::mapping::{EnvironmentPlaces, VariableAccess};
use crate::syntax::python::{Field, Kind, NodeId};
use crate::text::TextRange;

/// What to put where, so that both variables get the same value; `None` where that is not safely
/// done.
pub fn both(
    unit: &ModuleView<'_>,
    doing: Doing,
    name: TextRange,
    to: &str,
) -> Option<(TextRange, String)> {
    let tree = &unit.module.tree;
    let known = &unit.context.knowledge.python_strings.environment;
    // The text of a node in which the name stands, with the counterpart in its place.
    let renamed = |node: NodeId| {
        let range = tree.range(node);
        let front = TextRange::new(range.start, name.start);
        let back = TextRange::new(name.end, range.end);
        format!("{}{to}{}", unit.shown(front), unit.shown(back))
    };
    let at = |place: usize| TextRange::new(place, place);
    match doing {
        Doing::Reads => None,
        Doing::Item(VariableAccess::Set, item) => {
            let assignment = tree.parent(item)?;
            let object = tree.child(item, Field::Value)?;
            let plain = tree.kind(assignment) == Kind::Assignment
                && tree.child(assignment, Field::Type).is_none()
                && is_repeatable(unit, known, object);
            let place = tree.range(item).start;
            plain.then(|| (at(place), format!("{} = ", renamed(item))))
        }
        Doing::Item(_, item) => {
            let object = tree.child(item, Field::Value)?;
            let key = tree.child(item, Field::Subscript)?;
            let statement = tree.parent(item)?;
            let plain = tree.kind(statement) == Kind::Delete && is_repeatable(unit, known, object);
            let object = unit.shown(tree.range(object));
            let text = format!("{object}.pop({}, None)", renamed(key));
            before(unit, statement, &text).filter(|_| plain)
        }
        Doing::Call(deed, call) => {
            if !is_repeatable_but_called(unit, known, call) {
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
            let text = match deed {
                VariableAccess::Remove => removal(unit, known, call, renamed(call)),
                // What is given back is the other variable's.
                _ if !alone => return None,
                _ => renamed(call),
            };
            before(unit, statement, &text)
        }
        Doing::Entry(pair) => {
            let value = tree.child(pair, Field::Value)?;
            is_repeatable(unit, known, value).then(|| beside(unit, pair, &renamed(pair)))
        }
        Doing::Keyword(argument) => {
            let value = tree.child(argument, Field::Value)?;
            is_repeatable(unit, known, value).then(|| beside(unit, argument, &renamed(argument)))
        }
    }
}

/// The call that takes the counterpart away, which may not be there: `environ.pop(…)` needs a default
/// then, and pytest's `delenv` a keyword.
fn removal(
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

/// A statement before another.
fn before(unit: &ModuleView<'_>, statement: NodeId, text: &str) -> Option<(TextRange, String)> {
    let start = unit.module.tree.range(statement).start;
    let above = unit.text.get(..start)?;
    let line = above
        .iter()
        .rposition(|&byte| byte == b'\n')
        .map_or(0, |at| at + 1);
    let indent = above.get(line..)?;
    let between = if indent.iter().all(|byte| matches!(byte, b' ' | b'\t')) {
        let end = if above.ends_with(b"\r\n") || above[..line].ends_with(b"\r\n") {
            "\r\n"
        } else {
            "\n"
        };
        format!("{end}{}", String::from_utf8_lossy(indent))
    } else {
        "; ".to_owned()
    };
    Some((TextRange::new(start, start), format!("{text}{between}")))
}

/// An entry behind another one, on a line of its own where that is.
fn beside(unit: &ModuleView<'_>, entry: NodeId, text: &str) -> (TextRange, String) {
    let range = unit.module.tree.range(entry);
    let above = unit.text.get(..range.start).unwrap_or_default();
    let line = above
        .iter()
        .rposition(|&byte| byte == b'\n')
        .map_or(0, |at| at + 1);
    let indent = above.get(line..).unwrap_or_default();
    let place = TextRange::new(range.end, range.end);
    if line > 0 && indent.iter().all(|byte| matches!(byte, b' ' | b'\t')) {
        let end = if above[..line].ends_with(b"\r\n") {
            "\r\n"
        } else {
            "\n"
        };
        let indent = String::from_utf8_lossy(indent);
        (place, format!(",{end}{indent}{text}"))
    } else {
        (place, format!(", {text}"))
    }
}

/// How much of an expression is looked through.
const REACH: usize = 64;

/// Whether an expression may be evaluated twice, for the same value and nothing else.
fn is_repeatable(unit: &ModuleView<'_>, known: &EnvironmentPlaces, node: NodeId) -> bool {
    let mut nodes = std::iter::once(node).chain(unit.module.tree.below(node));
    nodes
        .by_ref()
        .take(REACH)
        .all(|one| is_harmless(unit, known, one))
        && nodes.next().is_none()
}

/// The same for the arguments of a call, the call itself apart.
fn is_repeatable_but_called(
    unit: &ModuleView<'_>,
    known: &EnvironmentPlaces,
    call: NodeId,
) -> bool {
    let mut nodes = unit.module.tree.below(call);
    nodes
        .by_ref()
        .take(REACH)
        .all(|one| is_harmless(unit, known, one))
        && nodes.next().is_none()
}

fn is_harmless(unit: &ModuleView<'_>, known: &EnvironmentPlaces, node: NodeId) -> bool {
    let tree = &unit.module.tree;
    match tree.kind(node) {
        Kind::Await | Kind::Yield | Kind::Named | Kind::Lambda => false,
        Kind::Call => tree.child(node, Field::Function).is_some_and(|callee| {
            let mut functions = known.repeatable.iter();
            functions.any(|one| unit.module.is_builtin(callee, one))
        }),
        _ => true,
    }
}
