//! What a condition says, by what its parts say: `and`, `or`, `not`, and names that are set to conditions.

use super::ModuleView;
use super::inference::only_value;
use torchada_syntax::python::{Field, Kind, NodeId};

/// Something that is known of a condition: whether it holds, and perhaps why.
pub trait Truth: Clone {
    /// What tells apart two that hold, or two that don't.
    type Weight: Ord;

    /// Whether the condition holds.
    fn holds(&self) -> bool;

    /// The opposite.
    #[must_use]
    fn negated(self) -> Self;

    /// How much it weighs beside others.
    fn weight(&self) -> Self::Weight;

    /// Whether this answer is the one to report where the sides of an `and` or `or` agree, whatever the others weigh.
    fn prevails(&self) -> bool {
        false
    }
}

impl Truth for bool {
    type Weight = ();

    fn holds(&self) -> bool {
        *self
    }

    fn negated(self) -> Self {
        !self
    }

    fn weight(&self) -> Self::Weight {}
}

/// What a condition says; `leaf` answers the expressions that are not made of others, with the steps that are left to
/// follow names and functions further. `None` where nobody knows.
pub fn truth<T: Truth>(
    view: &ModuleView<'_>,
    node: NodeId,
    steps: usize,
    leaf: &dyn Fn(NodeId, usize) -> Option<T>,
) -> Option<T> {
    let steps = steps.checked_sub(1)?;
    let tree = &view.module.tree;
    let inner = |node: NodeId| truth(view, node, steps, leaf);
    match tree.kind(node) {
        Kind::Parenthesized => inner(tree.nth(node, 0)?),
        Kind::Named => inner(tree.child(node, Field::Value)?),
        Kind::Not => inner(tree.nth(node, 0)?).map(T::negated),
        Kind::Boolean => {
            // `and` is decided by a side that does not hold, `or` by one that does.
            let decides = tree.operator(node) == b"or";
            let sides: Vec<Option<T>> = tree.operands(node).map(inner).collect();
            let known = || sides.iter().flatten();
            let deciding = known()
                .filter(|one| one.holds() == decides)
                .max_by_key(|one| one.weight());
            match deciding {
                Some(one) => Some(one.clone()),
                None if sides.iter().all(Option::is_some) => {
                    let several = || known().min_by_key(|one| one.weight());
                    known().find(|one| one.prevails()).or_else(several).cloned()
                }
                None => None,
            }
        }
        Kind::Identifier => leaf(node, steps).or_else(|| inner(only_value(view, node)?)),
        _ => leaf(node, steps),
    }
}
