//! The names that assignments, parameters and patterns bind.

use super::Binder;
use crate::python::kind::{Field, Kind};
use crate::python::records::NodeId;
use crate::python::scope::{Binding, BoundValue, ScopeId};

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
                let what = match tree.kind(value) {
                    Kind::None | Kind::False => BoundValue::Nothing,
                    Kind::Call if self.is_typed_none(value) => BoundValue::Nothing,
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

    /// Whether a call only gives None a type: `cast(Any, None)`.
    fn is_typed_none(&self, call: NodeId) -> bool {
        let tree = self.tree;
        let is_none = |node| tree.kind(node) == Kind::None;
        let is_second = tree.argument(call, 1).is_some_and(is_none);
        let callee = tree.callee(call).filter(|_| is_second);
        callee.is_some_and(|callee| {
            let word = tree.word(callee);
            let dot = word.iter().position(|&byte| byte == b'.');
            let (first, rest) = word.split_at(dot.unwrap_or(word.len()));
            let module = self.scopes.scope(ScopeId(0));
            let bindings = module.and_then(|scope| scope.names.get(first));
            let bindings = bindings.into_iter().flatten().take(IMPORTS);
            let mut bindings = bindings.peekable();
            let is_imported = |binding: &Binding| match &binding.what {
                BoundValue::Import(path) => is_cast(path, rest),
                _ => false,
            };
            bindings.peek().is_some() && bindings.all(is_imported)
        })
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

/// How many imports of a name are looked at.
const IMPORTS: usize = 4;

/// Whether the member of an imported name is Python's function that gives a value a type.
fn is_cast(imported: &str, member: &[u8]) -> bool {
    let names = ["typing.cast", "typing_extensions.cast"];
    let mut rests = names.iter().filter_map(|name| name.strip_prefix(imported));
    rests.any(|rest| rest.as_bytes() == member)
}
