//! Branches behind which nothing of the block around them is run.

use super::ModuleView;
use torchada_syntax::python::{Kind, NodeId};

/// Whether a branch leaves the block around it, or ends the program or the test.
pub fn leaves(unit: &ModuleView<'_>, branch: NodeId) -> bool {
    let last = unit.module.tree.last_statement(branch);
    last.is_some_and(|last| leaves_block(unit, last))
}

/// Whether a statement leaves its block, or ends the program or the test.
pub fn leaves_block(unit: &ModuleView<'_>, statement: NodeId) -> bool {
    unit.module.tree.leaves_block(statement) || is_exit(unit, statement)
}

/// Whether a statement is a call behind which nothing is run: `sys.exit(1)`.
pub fn is_exit(unit: &ModuleView<'_>, statement: NodeId) -> bool {
    let tree = &unit.module.tree;
    let call = tree.nth(statement, 0).filter(|&call| {
        tree.kind(statement) == Kind::ExpressionStatement && tree.kind(call) == Kind::Call
    });
    let callee = call.and_then(|call| tree.callee(call));
    let exits = &unit.python_values().words_of_calls.exits;
    callee.is_some_and(|callee| {
        let name = unit.module.resolve(callee);
        let name = name.map_or_else(|| tree.shown(callee), |name| name.name);
        exits.contains(&name)
    })
}
