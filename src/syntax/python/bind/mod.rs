//! Finds scopes and bindings: one pass over the tree gives each node its scope, a second one binds the
//! names.

mod imports;
mod targets;

use rustc_hash::FxHashMap;

use super::kind::{Field, Kind};
use super::records::NodeId;
use super::scope::{Binding, BoundValue, Scope, ScopeDeclaration, ScopeId, ScopeKind, Scopes};
use super::tree::Tree;

/// The scopes of a module.
pub(super) fn scopes<'t>(tree: &Tree<'t>) -> Scopes<'t> {
    let mut binder = Binder {
        tree,
        scopes: Scopes {
            scopes: vec![Scope::new(ScopeKind::Module, None)],
            of_node: Vec::with_capacity(tree.nodes().len()),
        },
        inner: FxHashMap::default(),
    };
    for node in tree.nodes() {
        binder.enter(node);
    }
    // A name may be declared global behind its first use: bindings go home when all is known.
    for node in tree.nodes() {
        binder.bind(node);
    }
    binder.scopes
}

struct Binder<'s, 't> {
    tree: &'s Tree<'t>,
    scopes: Scopes<'t>,
    /// The scope that a node opens.
    inner: FxHashMap<NodeId, ScopeId>,
}

impl Binder<'_, '_> {
    /// Give a node its scope.
    fn enter(&mut self, node: NodeId) {
        let tree = self.tree;
        let scope = match tree.parent(node) {
            None => ScopeId(0),
            Some(parent) => self.scope_below(parent, node),
        };
        self.scopes.of_node.push(scope);
        let opens = match tree.kind(node) {
            Kind::Function | Kind::Lambda => ScopeKind::Function,
            Kind::Class => ScopeKind::Class,
            Kind::ListComprehension
            | Kind::SetComprehension
            | Kind::DictionaryComprehension
            | Kind::Generator => ScopeKind::Comprehension,
            Kind::Global => return self.elsewhere(scope, node, ScopeDeclaration::Global),
            Kind::Nonlocal => return self.elsewhere(scope, node, ScopeDeclaration::Nonlocal),
            _ => return,
        };
        let id = ScopeId(self.scopes.scopes.len() as u32);
        self.scopes.scopes.push(Scope::new(opens, Some(scope)));
        self.inner.insert(node, id);
    }

    /// `global a, b`
    fn elsewhere(&mut self, scope: ScopeId, node: NodeId, what: ScopeDeclaration) {
        let tree = self.tree;
        if let Some(scope) = self.scopes.scopes.get_mut(scope.0 as usize) {
            let names = tree.children(node).map(|name| (tree.word(name), what));
            scope.elsewhere.extend(names);
        }
    }

    /// The scope of a child. What a definition evaluates before it is there (decorators, bases,
    /// defaults, annotations, the first iterable) belongs to the scope around it.
    fn scope_below(&self, parent: NodeId, child: NodeId) -> ScopeId {
        let tree = self.tree;
        let outer = self.scopes.of(parent);
        let field = tree.field(child);
        let inner = || self.inner.get(&parent).copied().unwrap_or(outer);
        let around = || {
            self.scopes
                .scope(outer)
                .and_then(|scope| scope.parent)
                .unwrap_or(outer)
        };
        match tree.kind(parent) {
            Kind::Function | Kind::Lambda if matches!(field, Field::Body | Field::Parameters) => {
                inner()
            }
            Kind::Class if field == Field::Body => inner(),
            Kind::ListComprehension
            | Kind::SetComprehension
            | Kind::DictionaryComprehension
            | Kind::Generator => inner(),
            Kind::DefaultParameter | Kind::TypedDefaultParameter | Kind::TypedParameter
                if matches!(field, Field::Value | Field::Type) =>
            {
                around()
            }
            Kind::ForIn if field == Field::Right => {
                // Only the first clause's iterable; its clause is the second child.
                if tree.ordinal(parent) == 1 {
                    around()
                } else {
                    outer
                }
            }
            _ => outer,
        }
    }

    fn add(&mut self, scope: ScopeId, at: NodeId, what: BoundValue) {
        let name = self.tree.word(at);
        let home = self.scopes.home(scope, name);
        if let Some(scope) = self.scopes.scopes.get_mut(home.0 as usize) {
            let known = scope.names.entry(name).or_default();
            known.push(Binding { at, what });
        }
    }

    fn bind(&mut self, node: NodeId) {
        let tree = self.tree;
        let scope = self.scopes.of(node);
        let child = |field| tree.child(node, field);
        match tree.kind(node) {
            Kind::Import => self.import(scope, node),
            Kind::ImportFrom => self.import_from(scope, node),
            Kind::Assignment => {
                if let (Some(left), Some(right)) = (child(Field::Left), child(Field::Right)) {
                    self.assign(scope, left, right);
                }
            }
            Kind::Augmented | Kind::For | Kind::ForIn => {
                if let Some(left) = child(Field::Left) {
                    self.unknown(scope, left, &BoundValue::Unknown);
                }
            }
            Kind::Named => {
                if let (Some(name), Some(value)) = (child(Field::Name), child(Field::Value)) {
                    let outside = self.outside_comprehensions(scope);
                    self.assign(outside, name, value);
                }
            }
            Kind::Function => {
                if let Some(name) = child(Field::Name) {
                    self.add(scope, name, BoundValue::Function(node));
                }
            }
            Kind::Class => {
                if let Some(name) = child(Field::Name) {
                    self.add(scope, name, BoundValue::Class(node));
                }
            }
            Kind::Parameters | Kind::LambdaParameters => {
                for parameter in tree.children(node) {
                    self.parameter(scope, parameter);
                }
            }
            Kind::AsPatternTarget => {
                for target in tree.children(node) {
                    self.unknown(scope, target, &BoundValue::Unknown);
                }
            }
            Kind::Except => {
                if let Some(alias) = child(Field::Alias) {
                    self.unknown(scope, alias, &BoundValue::Unknown);
                }
            }
            Kind::Delete => {
                for target in tree.children(node) {
                    self.unknown(scope, target, &BoundValue::Deleted);
                }
            }
            Kind::CasePattern | Kind::SplatPattern => self.capture(scope, node),
            _ => {}
        }
    }

    fn outside_comprehensions(&self, scope: ScopeId) -> ScopeId {
        let comprehension = |id: &ScopeId| {
            self.scopes
                .scope(*id)
                .is_some_and(|scope| scope.kind == ScopeKind::Comprehension)
        };
        self.scopes
            .outward(scope)
            .find(|id| !comprehension(id))
            .unwrap_or(scope)
    }
}
