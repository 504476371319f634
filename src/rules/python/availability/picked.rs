//! Texts that an answer picks: the name of the device, else that of the host.

use super::{NODES, is_question};
use crate::rules::python::ModuleView;
use crate::rules::python::inference::options::has;
use crate::syntax::python::{Field, Kind, Literal, NodeId, Use};

/// How many ancestors of a text are searched for the question.
const UP: usize = 16;

/// Whether an answer picks a text, and picks the host otherwise: `"cuda" if torch.cuda.is_available() else "cpu"`.
pub fn picked(unit: &ModuleView<'_>, of: &Use, text: NodeId) -> bool {
    let tree = &unit.module.tree;
    let host = |node: NodeId| {
        let hosts = &unit.python_values().vendors.host;
        Literal::read(tree, node).is_some_and(|one| has(hosts, one.value()))
    };
    let asks = |condition: NodeId| {
        let inside = std::iter::once(condition).chain(tree.below(condition).take(NODES));
        let mut calls = inside.filter(|&one| tree.kind(one) == Kind::Call);
        calls.any(|call| {
            let callee = tree.child(call, Field::Function);
            let name = callee.and_then(|callee| unit.resolve(callee));
            name.is_some_and(|name| is_question(unit, &name.name))
        })
    };
    let mut at = text;
    for up in tree.ancestors(text).take(UP) {
        match tree.kind(up) {
            Kind::Conditional if tree.ordinal(at) != 1 => {
                let condition = tree.nth(up, 1);
                return condition.is_some_and(asks) && tree.children(up).any(host);
            }
            Kind::If | Kind::Elif if tree.field(at) == Field::Consequence => {
                let condition = tree.child(up, Field::Condition);
                return condition.is_some_and(asks)
                    && unit
                        .module
                        .sibling_literals(of)
                        .iter()
                        .any(|one| host(one.node));
            }
            Kind::Function | Kind::Class | Kind::Lambda => return false,
            _ => at = up,
        }
    }
    false
}
