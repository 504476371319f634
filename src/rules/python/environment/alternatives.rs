//! Which platforms' variables a module uses next to one of CUDA's.

use crate::python::ModuleView;
use crate::python::reserved::alternatives::Alternatives;
use torchada_mapping::has;
use torchada_syntax::python::{Consumer, Field, Kind, NodeId, Use};
use torchada_text::contains;

/// How many bytes of a statement are searched for a variable's counterpart.
const REACH: usize = 4096;

/// Whether variables of other platforms stand in the same list or dictionary as this one, or whether its counterpart
/// stands in the same statement. Where the variable is `changed`, the statements before and after that one count, too.
pub fn alternatives_of(
    unit: &ModuleView<'_>,
    node: NodeId,
    of: &Use,
    counterpart: Option<&str>,
    changed: bool,
) -> Alternatives {
    let tree = &unit.module.tree;
    let Some(counterpart) = counterpart else {
        return Alternatives::None;
    };
    let has_counterpart = |one: NodeId| {
        let text = tree.word(one);
        contains(
            text.get(..REACH.min(text.len())).unwrap_or(text),
            counterpart,
        )
    };
    let statement = std::iter::once(node)
        .chain(tree.ancestors(node))
        .find(|&one| {
            tree.field(one) == Field::Condition
                || tree
                    .parent(one)
                    .is_none_or(|up| matches!(tree.kind(up), Kind::Block | Kind::Module))
        });
    if let Some(statement) = statement {
        let compound = tree
            .children(statement)
            .any(|part| tree.kind(part) == Kind::Block);
        if !compound && has_counterpart(statement) {
            return Alternatives::Musa;
        }
        if changed
            && tree.field(statement) != Field::Condition
            && let Some(block) = tree.parent(statement)
        {
            let at = tree.ordinal(statement);
            let mut near = tree
                .children(block)
                .skip_while(|&one| tree.ordinal(one) + 1 < at)
                .take_while(|&one| tree.ordinal(one) <= at + 1);
            let simple =
                |one: NodeId| matches!(tree.kind(one), Kind::ExpressionStatement | Kind::Delete);
            if near.any(|one| simple(one) && has_counterpart(one)) {
                return Alternatives::Musa;
            }
        }
    }
    if !matches!(of.consumer, Consumer::DictKey { .. }) && of.items().next().is_none() {
        return Alternatives::None;
    }
    let words = &unit.python_values().vendors;
    let mut found = Alternatives::None;
    for literal in unit.module.sibling_literals(of) {
        if literal.value() == counterpart.as_bytes() {
            return Alternatives::Musa;
        }
        let text = literal.text().to_ascii_lowercase();
        let mut parts = text.split(['_', '-']);
        if parts.any(|part| has(&words.others, part)) {
            found = Alternatives::OtherVendors;
        }
    }
    found
}
