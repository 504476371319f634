//! The names that assignments, parameters and patterns bind.

use super::Binder;
use crate::python::kind::{Field, Kind};
use crate::python::records::NodeId;
use crate::python::scope::{BoundValue, ScopeId};
use crate::python::tree::Tree;

impl Binder<'_, '_> {
    /// `left = right`, pair by pair where both are lists of the same length.
    pub(super) fn assign(&mut self, scope: ScopeId, left: NodeId, right: NodeId) {
        let tree = self.tree;
        match tree.kind(left) {
            Kind::Identifier => {
                // `a = b = value`
                let mut value = right;
                while tree.kind(value) == Kind::Assignment {
                    match tree.child(value, Field::Right) {
                        Some(inner) => value = inner,
                        None => break,
                    }
                }
                let given = typed(tree, value).unwrap_or(value);
                let what = match tree.kind(given) {
                    Kind::None | Kind::False => BoundValue::Nothing,
                    _ => BoundValue::Value(value),
                };
                self.add(scope, left, what);
            }
            Kind::PatternList | Kind::TuplePattern | Kind::ListPattern => {
                let lists = matches!(
                    tree.kind(right),
                    Kind::ExpressionList | Kind::Tuple | Kind::List
                );
                let targets: Vec<NodeId> = tree.children(left).collect();
                let values: Vec<NodeId> = tree.children(right).collect();
                let plain = |node: &NodeId| {
                    !matches!(tree.kind(*node), Kind::ListSplat | Kind::ListSplatPattern)
                };
                let pairs = lists
                    && targets.len() == values.len()
                    && targets.iter().chain(&values).all(plain);
                for (at, target) in targets.into_iter().enumerate() {
                    match values.get(at).filter(|_| pairs) {
                        Some(&value) => self.assign(scope, target, value),
                        None => self.unknown(scope, target, &BoundValue::Unknown),
                    }
                }
            }
            _ => self.unknown(scope, left, &BoundValue::Unknown),
        }
    }

    /// Every name in a target that is bound by it, not those it is reached through.
    pub(super) fn unknown(&mut self, scope: ScopeId, target: NodeId, what: &BoundValue) {
        let tree = self.tree;
        match tree.kind(target) {
            Kind::Identifier => self.add(scope, target, what.clone()),
            Kind::PatternList
            | Kind::TuplePattern
            | Kind::ListPattern
            | Kind::ListSplatPattern
            | Kind::ListSplat
            | Kind::Tuple
            | Kind::List
            | Kind::ExpressionList
            | Kind::Parenthesized => {
                for child in tree.children(target) {
                    self.unknown(scope, child, what);
                }
            }
            _ => {}
        }
    }

    /// The name of a parameter, whatever stands around it.
    pub(super) fn parameter(&mut self, scope: ScopeId, parameter: NodeId) {
        let tree = self.tree;
        let name = match tree.kind(parameter) {
            Kind::Identifier => Some(parameter),
            Kind::DefaultParameter | Kind::TypedDefaultParameter => {
                tree.child(parameter, Field::Name)
            }
            _ => tree.nth(parameter, 0),
        };
        let Some(name) = name else { return };
        match tree.kind(name) {
            Kind::ListSplatPattern | Kind::DictionarySplatPattern => {
                if let Some(name) = tree.nth(name, 0) {
                    self.add(scope, name, BoundValue::Parameter);
                }
            }
            _ => self.unknown(scope, name, &BoundValue::Parameter),
        }
    }

    /// The names that a pattern of `match` captures: a lone name does, a dotted one is a value.
    pub(super) fn capture(&mut self, scope: ScopeId, pattern: NodeId) {
        let tree = self.tree;
        for child in tree.children(pattern) {
            match tree.kind(child) {
                Kind::DottedName if tree.children(child).count() == 1 => {
                    if let Some(name) = tree.nth(child, 0) {
                        self.add(scope, name, BoundValue::Unknown);
                    }
                }
                Kind::Identifier => self.add(scope, child, BoundValue::Unknown),
                Kind::AsPattern => {
                    for name in tree.children(child) {
                        if tree.kind(name) == Kind::Identifier {
                            self.add(scope, name, BoundValue::Unknown);
                        }
                    }
                }
                Kind::UnionPattern => self.capture(scope, child),
                _ => {}
            }
        }
    }
}

/// The value that a call only gives a type: `None` of `cast(Any, None)`.
fn typed(tree: &Tree<'_>, call: NodeId) -> Option<NodeId> {
    let callee = tree.callee(call)?;
    let is_cast = matches!(tree.word(callee), b"cast" | b"t.cast" | b"typing.cast");
    let value = tree.argument(call, 1).filter(|_| is_cast)?;
    tree.argument(call, 2).is_none().then_some(value)
}
