//! What is put together: numbers by arithmetic, texts by formatting.

use super::{REACH, Value, Values};
use crate::mapping::gpus::Gives;
use crate::syntax::python::{Field, Kind, NodeId};

impl Values<'_, '_> {
    /// What an operator makes of two values.
    pub(super) fn binary(&self, node: NodeId, steps: usize) -> Option<Value> {
        let tree = &self.unit.module.tree;
        let operator = tree.word(tree.child(node, Field::Operator)?);
        let side = |field| tree.child(node, field);
        let (left, right) = (side(Field::Left)?, side(Field::Right)?);
        let (one, other) = (self.follow(left, steps), self.follow(right, steps));
        let scalar = one.or(other).filter(|value| !value.many)?;
        match (operator, scalar.gives) {
            (b"*", Gives::Major) => Some(scalar.one(Gives::Number)),
            (b"*" | b"/", Gives::Minor | Gives::Number) => Some(scalar),
            (b"//" | b"%", Gives::Library) if one.is_some() => Some(scalar),
            (b"//", Gives::Number | Gives::Capability) => Some(scalar.one(Gives::Major)),
            (b"%", Gives::Number | Gives::Capability) if one.is_some() => {
                Some(scalar.one(Gives::Minor))
            }
            // `major * 10 + minor`, `major + minor / 10`, `str(major) + str(minor)`
            (b"+", Gives::Number | Gives::Major) if other.is_some() => {
                Some(scalar.one(Gives::Number))
            }
            (b"%", _) if matches!(tree.kind(left), Kind::Str | Kind::ConcatenatedString) => {
                Some(scalar.one(Gives::Text))
            }
            (b"+", Gives::Major | Gives::Number | Gives::Text)
                if [left, right]
                    .iter()
                    .any(|&side| tree.kind(side) == Kind::Str) =>
            {
                Some(scalar.one(Gives::Text))
            }
            _ => None,
        }
    }

    /// `f"{major}.{minor}"`, `f"sm_{cc}"`.
    pub(super) fn formatted(&self, node: NodeId, steps: usize) -> Option<Value> {
        let tree = &self.unit.module.tree;
        let mut parts = tree
            .below(node)
            .take(REACH)
            .filter(|&one| tree.kind(one) == Kind::Interpolation);
        let value = parts.find_map(|part| {
            let inner = tree.child(part, Field::Expression)?;
            self.follow(inner, steps)
        })?;
        matches!(
            value.gives,
            Gives::Major | Gives::Number | Gives::Pair | Gives::Capability | Gives::Text
        )
        .then(|| value.one(Gives::Text))
    }
}
