//! How options in Python's lists and strings are read and written.

use super::grouped_edits::GroupedEdits;
use super::lines::without_statement;
use crate::python::{ModuleView, PythonUnit};
use torchada_mapping::Evidence;
use torchada_syntax::python::{Field, Kind, Literal, NodeId};
use torchada_text::TextRange;

/// The edit that removes a list all of whose items go: a side of a sum, or the statement that adds the list to a name,
/// goes as a whole.
pub(super) fn emptying(unit: &ModuleView<'_>, list: NodeId) -> Option<(TextRange, &'static str)> {
    let tree = &unit.module.tree;
    let up = tree.parent(list)?;
    let range = tree.range(list);
    // Comments inside stay.
    if range.of(unit.text).contains(&b'#') {
        return None;
    }
    // `flags = base + […]` makes a list of its own, which may be added to.
    let is_value = tree.field(up) == Field::Right && tree.parent_if(up, Kind::Assignment).is_some();
    match (tree.kind(up), tree.field(list)) {
        (Kind::Binary, _) if is_value => Some((range, "[]")),
        (Kind::Binary, Field::Right) => {
            let left = tree.child(up, Field::Left)?;
            Some((TextRange::new(tree.range(left).end, range.end), ""))
        }
        (Kind::Binary, Field::Left) => {
            let right = tree.child(up, Field::Right)?;
            Some((TextRange::new(range.start, tree.range(right).start), ""))
        }
        (Kind::Augmented, Field::Right) => {
            let statement = tree.parent(up)?;
            let block = tree.parent(statement)?;
            let all = tree
                .children(block)
                .filter(|&one| tree.kind(one) != Kind::Comment);
            let whole = without_statement(unit.text, tree.range(statement));
            match whole.filter(|_| all.count() > 1) {
                Some(whole) => Some((whole, "")),
                None => Some((tree.range(statement), "pass")),
            }
        }
        _ => None,
    }
}

/// The text of a literal; what a program puts in shows as it is written.
pub(super) fn text(unit: &ModuleView<'_>, node: NodeId) -> Option<String> {
    let tree = &unit.module.tree;
    let literal = Literal::read(tree, node)?;
    if literal.is_plain() {
        return String::from_utf8(literal.value().to_vec()).ok();
    }
    let mut shown = String::new();
    for part in tree.children(node) {
        if matches!(tree.kind(part), Kind::StringContent | Kind::Interpolation) {
            shown.push_str(&tree.shown(part));
        }
    }
    Some(shown)
}

pub(super) fn is_option(unit: &ModuleView<'_>, item: NodeId) -> bool {
    text(unit, item).is_some_and(|text| text.starts_with('-'))
}

/// Replace an item, and the next one if there is one, by other items.
pub(super) fn replace(
    mut edits: GroupedEdits<'_>,
    item: NodeId,
    next: Option<NodeId>,
    to: &[String],
    evidence: Option<Evidence>,
) {
    match (next, to) {
        (Some(next), [first, second]) => {
            for (node, to) in [(item, first), (next, second)] {
                edits.unit.claim(edits.out, node);
                content(&mut edits, node, to, evidence);
            }
        }
        (_, [to]) => content(&mut edits, item, to, evidence),
        _ => edits.put_at(item, &literals(edits.unit, item, to), evidence),
    }
}

/// Replace an item that a method adds by several: `flags.append("a")` becomes `flags.extend(["b", "c"])`.
pub(super) fn replace_added(
    mut edits: GroupedEdits<'_>,
    item: NodeId,
    to: &[String],
    evidence: Option<Evidence>,
) {
    let tree = &edits.unit.module.tree;
    let callee = tree.call_with(item).and_then(|call| tree.callee(call));
    let Some(method) = callee.and_then(|callee| tree.child(callee, Field::Attribute)) else {
        return;
    };
    let list = format!("[{}]", literals(edits.unit, item, to));
    edits.put_at(method, "extend", evidence);
    edits.put_at(item, &list, evidence);
}

/// Items as literals, quoted as another one is.
fn literals(unit: &PythonUnit<'_>, like: NodeId, items: &[String]) -> String {
    let quote = quote(unit, like);
    let all = items.iter().map(|one| format!("{quote}{one}{quote}"));
    all.collect::<Vec<_>>().join(", ")
}

/// Replace the text between the quotes of a literal. A formatted literal becomes a plain one.
pub(super) fn content(
    edits: &mut GroupedEdits<'_>,
    item: NodeId,
    to: &str,
    evidence: Option<Evidence>,
) {
    let inside = Literal::plain(&edits.unit.module.tree, item)
        .and_then(|literal| literal.in_file(TextRange::new(0, literal.value().len())));
    if let Some(range) = inside {
        edits.put(range, to, evidence);
    } else {
        let quote = quote(edits.unit, item);
        edits.put_at(item, &format!("{quote}{to}{quote}"), evidence);
    }
}

pub(super) fn quote(unit: &ModuleView<'_>, item: NodeId) -> &'static str {
    if unit.module.tree.word(item).ends_with(b"'") {
        "'"
    } else {
        "\""
    }
}
