//! Which fact about a GPU arithmetic and formatted texts give.

use super::{GpuFact, REACH, ValueTerm, Values};
use torchada_mapping::python::gpus::GpuValueKind;
use torchada_syntax::python::{Field, Kind, NodeId, Tree};

impl<'a> Values<'a> {
    /// The value that an operator makes of two others.
    pub(super) fn binary(&self, node: NodeId, depth: usize) -> Option<ValueTerm<'a>> {
        let tree = &self.unit.module.tree;
        let operator = ArithmeticOperator::new(tree, node)?;
        let side = |field| tree.child(node, field);
        let sides = [side(Field::Left)?, side(Field::Right)?].map(|side| self.term(side, depth));
        let make = move |one, other| operator.result(one, other);
        Some(ValueTerm::Both(Box::new(sides), Box::new(make)))
    }

    /// The value that a formatted text has: `f"{major}.{minor}"`, `f"sm_{cc}"`.
    pub(super) fn formatted(&self, node: NodeId, depth: usize) -> ValueTerm<'a> {
        let tree = &self.unit.module.tree;
        let parts = tree
            .below(node)
            .take(REACH)
            .filter(|&one| tree.kind(one) == Kind::Interpolation)
            .filter_map(|part| tree.child(part, Field::Expression));
        let parts = parts.map(|inner| self.term(inner, depth)).collect();
        ValueTerm::First(parts).map(|value| {
            let value = value.filter(|value| {
                matches!(
                    value.gives,
                    GpuValueKind::Major
                        | GpuValueKind::Number
                        | GpuValueKind::Pair
                        | GpuValueKind::Capability
                        | GpuValueKind::Text
                )
            });
            value.map(|value| value.one(GpuValueKind::Text))
        })
    }
}

/// An operator; the syntax of its sides distinguishes the operators that Python writes alike.
#[derive(Clone, Copy)]
enum ArithmeticOperator {
    Times,
    Divide,
    WholeDivide,
    /// `%` behind a number.
    Remainder,
    /// `%` behind a text.
    Format,
    /// `+`, and whether one of the sides is a text.
    Plus(bool),
}

impl ArithmeticOperator {
    fn new(tree: &Tree<'_>, node: NodeId) -> Option<Self> {
        let kind = |field| tree.child(node, field).map(|side| tree.kind(side));
        let sides = [kind(Field::Left), kind(Field::Right)];
        match tree.operator(node) {
            b"*" => Some(Self::Times),
            b"/" => Some(Self::Divide),
            b"//" => Some(Self::WholeDivide),
            b"%" if matches!(sides[0], Some(Kind::Str | Kind::ConcatenatedString)) => {
                Some(Self::Format)
            }
            b"%" => Some(Self::Remainder),
            b"+" => Some(Self::Plus(sides.contains(&Some(Kind::Str)))),
            _ => None,
        }
    }

    /// The value that the operator makes of its left and its right side.
    fn result(self, one: Option<GpuFact>, other: Option<GpuFact>) -> Option<GpuFact> {
        let scalar = one.or(other).filter(|value| !value.many)?;
        match (self, scalar.gives) {
            (Self::Times, GpuValueKind::Major) => Some(scalar.one(GpuValueKind::Number)),
            (Self::Times | Self::Divide, GpuValueKind::Minor | GpuValueKind::Number) => {
                Some(scalar)
            }
            (Self::WholeDivide | Self::Remainder, GpuValueKind::Library) if one.is_some() => {
                Some(scalar)
            }
            (Self::WholeDivide, GpuValueKind::Number | GpuValueKind::Capability) => {
                Some(scalar.one(GpuValueKind::Major))
            }
            (Self::Remainder, GpuValueKind::Number | GpuValueKind::Capability) if one.is_some() => {
                Some(scalar.one(GpuValueKind::Minor))
            }
            // `major * 10 + minor`, `major + minor / 10`, `str(major) + str(minor)`
            (Self::Plus(_), GpuValueKind::Number | GpuValueKind::Major) if other.is_some() => {
                Some(scalar.one(GpuValueKind::Number))
            }
            (Self::Format, _)
            | (Self::Plus(true), GpuValueKind::Major | GpuValueKind::Number | GpuValueKind::Text) => {
                Some(scalar.one(GpuValueKind::Text))
            }
            _ => None,
        }
    }
}
