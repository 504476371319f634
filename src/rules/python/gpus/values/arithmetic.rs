//! What is put together: numbers by arithmetic, texts by formatting.

use super::{REACH, Value, Values};
use crate::mapping::gpus::GpuValueKind;
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
            (b"*", GpuValueKind::Major) => Some(scalar.one(GpuValueKind::Number)),
            (b"*" | b"/", GpuValueKind::Minor | GpuValueKind::Number) => Some(scalar),
            (b"//" | b"%", GpuValueKind::Library) if one.is_some() => Some(scalar),
            (b"//", GpuValueKind::Number | GpuValueKind::Capability) => {
                Some(scalar.one(GpuValueKind::Major))
            }
            (b"%", GpuValueKind::Number | GpuValueKind::Capability) if one.is_some() => {
                Some(scalar.one(GpuValueKind::Minor))
            }
            // `major * 10 + minor`, `major + minor / 10`, `str(major) + str(minor)`
            (b"+", GpuValueKind::Number | GpuValueKind::Major) if other.is_some() => {
                Some(scalar.one(GpuValueKind::Number))
            }
            (b"%", _) if matches!(tree.kind(left), Kind::Str | Kind::ConcatenatedString) => {
                Some(scalar.one(GpuValueKind::Text))
            }
            (b"+", GpuValueKind::Major | GpuValueKind::Number | GpuValueKind::Text)
                if [left, right]
                    .iter()
                    .any(|&side| tree.kind(side) == Kind::Str) =>
            {
                Some(scalar.one(GpuValueKind::Text))
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
            GpuValueKind::Major
                | GpuValueKind::Number
                | GpuValueKind::Pair
                | GpuValueKind::Capability
                | GpuValueKind::Text
        )
        .then(|| value.one(GpuValueKind::Text))
    }
}
