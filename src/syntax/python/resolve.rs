//! Resolves a reference to a dotted name.

use std::sync::PoisonError;

use smallvec::SmallVec;

use super::Module;
use super::dotted::{Certainty, Dotted};
use super::kind::{Field, Kind};
use super::records::NodeId;
use super::scope::{Binding, BoundValue, ScopeId, ScopeKind};
use super::string::Literal;

/// How many names are followed one behind the other: `a = b`, `b = c`, …
const STEPS: usize = 12;

/// How many values of a name are looked at.
const VALUES: usize = 64;

impl<'t> Module<'t> {
    /// The scope in which a node is evaluated.
    pub fn scope_of(&self, node: NodeId) -> ScopeId {
        self.scopes.of(node)
    }

    /// The kind of construct that opened a scope.
    pub fn kind_of_scope(&self, scope: ScopeId) -> ScopeKind {
        self.scopes
            .scope(scope)
            .map_or(ScopeKind::Module, |scope| scope.kind)
    }

    /// The bindings of a name as a node sees it, and the scope that has them. Empty where nothing
    /// in the module binds it.
    pub fn bindings(&self, node: NodeId, name: &[u8]) -> (ScopeId, &[Binding]) {
        let from = self.scopes.of(node);
        let home = self.scopes.home(from, name);
        for scope in self.scopes.outward(home) {
            if (scope == home || self.scopes.is_seen(scope, from))
                && let Some(found) = self.scopes.scope(scope).and_then(|one| one.names.get(name))
            {
                return (scope, found);
            }
        }
        (ScopeId(0), &[])
    }

    /// The bindings of a name as the name itself sees them; those of an expression that is no identifier are none.
    pub fn meanings(&self, name: NodeId) -> &[Binding] {
        self.bindings(name, self.tree.word(name)).1
    }

    /// The functions of the module that a name may stand for.
    pub fn functions_named(&self, name: NodeId) -> impl Iterator<Item = NodeId> {
        self.meanings(name).iter().filter_map(Binding::function)
    }

    /// The functions of the module that a call may call by their name.
    pub fn functions_called(&self, call: NodeId) -> impl Iterator<Item = NodeId> {
        let callee = self.tree.callee(call);
        let named = callee.map(|callee| self.functions_named(callee));
        named.into_iter().flatten()
    }

    /// The function of the module that a call calls by a name with no other meaning.
    pub fn only_function_called(&self, call: NodeId) -> Option<NodeId> {
        match self.meanings(self.tree.callee(call)?) {
            [only] => only.function(),
            _ => None,
        }
    }

    /// The only value that a name gets besides None, if it gets few: a variable that is made later begins with that.
    pub fn only_value_but_none(&self, name: NodeId) -> Option<NodeId> {
        let bindings = self.meanings(name);
        if bindings.len() > VALUES {
            return None;
        }
        let bindings = bindings.iter();
        let mut bindings = bindings.filter(|one| one.what != BoundValue::Nothing);
        let only = bindings.next()?;
        only.value().filter(|_| bindings.next().is_none())
    }

    /// The place at the top of the module that sets a name.
    pub fn top_place_of(&self, name: &[u8]) -> Option<NodeId> {
        let mut places = self.places_of(name).iter().copied();
        places.find(|&one| {
            self.tree.field(one) == Field::Left
                && self.kind_of_scope(self.scope_of(one)) == ScopeKind::Module
        })
    }

    /// The bindings of a name in a scope.
    pub fn bindings_in(&self, scope: ScopeId, name: &[u8]) -> &[Binding] {
        let found = self.scopes.scope(scope);
        let found = found.and_then(|scope| scope.names.get(name));
        found.map_or(&[], SmallVec::as_slice)
    }

    /// The dotted names of all imports that bind a name somewhere in the module, in no certain order.
    pub fn imported(&self) -> impl Iterator<Item = &str> {
        let names = self.scopes.scopes.iter().flat_map(|one| one.names.values());
        names.flatten().filter_map(|binding| match &binding.what {
            BoundValue::Import(path) => Some(path.as_str()),
            _ => None,
        })
    }

    /// Whether a name is Python's own here: nothing in the module binds it.
    pub fn is_builtin(&self, node: NodeId, name: &str) -> bool {
        self.tree.word(node) == name.as_bytes() && self.bindings(node, name.as_bytes()).1.is_empty()
    }

    /// The dotted name that an expression refers to: a module, a member of one, or a member of that. `None` if it
    /// surely refers to nothing of the kind, or to something of the module's own.
    pub fn resolve(&self, expression: NodeId) -> Option<Dotted> {
        self.follow(expression, STEPS)
    }

    fn follow(&self, expression: NodeId, steps: usize) -> Option<Dotted> {
        let steps = steps.checked_sub(1)?;
        let tree = &self.tree;
        if tree.is_broken(expression) {
            return None;
        }
        match tree.kind(expression) {
            Kind::Identifier => self.follow_name(expression, steps),
            Kind::Attribute => {
                let object = self.follow(tree.child(expression, Field::Object)?, steps)?;
                let member = tree.child(expression, Field::Attribute)?;
                Some(object.member(&tree.shown(member)))
            }
            Kind::Parenthesized => self.follow(tree.nth(expression, 0)?, steps),
            Kind::Call => self.follow_call(expression, steps),
            Kind::Conditional => {
                let [one, other] = [0, 2].map(|at| {
                    tree.nth(expression, at)
                        .and_then(|one| self.follow(one, steps))
                });
                either(one, other)
            }
            Kind::DottedName => {
                let mut parts = tree.children(expression);
                let first = self.follow_name(parts.next()?, steps)?;
                Some(parts.fold(first, |path, part| path.member(&tree.shown(part))))
            }
            _ => None,
        }
    }

    fn follow_name(&self, node: NodeId, steps: usize) -> Option<Dotted> {
        let name = self.tree.word(node);
        let (scope, bindings) = self.bindings(node, name);
        match bindings {
            [] => self.star_member(node, name),
            [_] => self.follow_bindings(bindings, steps),
            _ => {
                let at = (scope, steps);
                let known = || {
                    self.followed
                        .0
                        .lock()
                        .unwrap_or_else(PoisonError::into_inner)
                };
                if let Some(found) = known().get(&at).and_then(|names| names.get(name)) {
                    return found.clone();
                }
                let found = self.follow_bindings(bindings, steps);
                known()
                    .entry(at)
                    .or_default()
                    .insert(name.into(), found.clone());
                found
            }
        }
    }

    fn follow_bindings(&self, bindings: &[Binding], steps: usize) -> Option<Dotted> {
        let mut found: Vec<Dotted> = Vec::new();
        let mut others = false;
        for binding in bindings {
            let one = match &binding.what {
                BoundValue::Import(path) => Some(Dotted {
                    name: path.clone(),
                    certainty: Certainty::Sure,
                }),
                // `x = x.y` would go round for ever: the steps end it.
                BoundValue::Value(value) => self.follow(*value, steps),
                // Code never uses members of the value that replaces a missing module.
                BoundValue::Nothing | BoundValue::Deleted => continue,
                _ => None,
            };
            match one {
                Some(one) if found.contains(&one) => {}
                Some(one) => found.push(one),
                None => others = true,
            }
        }
        let alone = found.len() == 1 && !others;
        let first = found.into_iter().next()?;
        Some(if alone { first } else { first.uncertain() })
    }

    /// The name that a dotted name in a text, such as a quoted annotation, refers to where `node` stands.
    pub fn resolve_text(&self, node: NodeId, text: &str) -> Option<Dotted> {
        let mut parts = text.split('.');
        let root = parts.next().filter(|root| !root.is_empty())?;
        let [binding] = self.bindings(node, root.as_bytes()).1 else {
            return None;
        };
        let found = match &binding.what {
            BoundValue::Import(path) => Dotted {
                name: path.clone(),
                certainty: Certainty::Sure,
            },
            BoundValue::Value(value) => self.follow(*value, STEPS)?,
            _ => return None,
        };
        Some(parts.fold(found, Dotted::member))
    }

    /// A name that nothing binds may come from a module whose names all came in. The name of a package is no member of the
    /// package's modules: behind `from torch.nn import *`, `torch` comes from wherever else.
    fn star_member(&self, node: NodeId, name: &[u8]) -> Option<Dotted> {
        let stars = self.scopes.scope(ScopeId(0))?.stars.iter();
        let is_inside = |star: &str| star.split('.').next().map(str::as_bytes) == Some(name);
        let star = stars
            .rev()
            .find(|star| !star.starts_with('.') && !is_inside(star))?;
        Some(Dotted {
            name: format!("{star}.{}", String::from_utf8_lossy(name)),
            certainty: Certainty::Perhaps,
        })
        .filter(|_| self.tree.kind(node) == Kind::Identifier)
    }

    /// `getattr(module, "member")`, `importlib.import_module("module")`.
    fn follow_call(&self, call: NodeId, steps: usize) -> Option<Dotted> {
        let tree = &self.tree;
        let callee = tree.callee(call)?;
        let arguments = tree.child(call, Field::Arguments)?;
        let text = |at| {
            let literal = Literal::read(tree, tree.nth(arguments, at)?)?;
            literal
                .is_plain()
                .then(|| String::from_utf8_lossy(literal.value()).into_owned())
        };
        if self.is_builtin(callee, "getattr") {
            let object = self.follow(tree.nth(arguments, 0)?, steps)?;
            return Some(object.member(&text(1)?));
        }
        let imports = self.is_builtin(callee, "__import__")
            || self
                .follow(callee, steps)
                .is_some_and(|one| self.importers.contains(&one.name));
        let name = text(0).filter(|_| imports)?;
        Some(Dotted {
            name,
            certainty: Certainty::Sure,
        })
    }

    /// The last part of a called function's name.
    pub fn callee_word(&self, call: NodeId) -> &'t [u8] {
        let tree = &self.tree;
        let Some(callee) = tree.callee(call) else {
            return b"";
        };
        match tree.kind(callee) {
            Kind::Attribute => tree
                .child(callee, Field::Attribute)
                .map_or(b"", |name| tree.word(name)),
            Kind::Identifier => tree.word(callee),
            _ => b"",
        }
    }

    /// The dotted name of a called function.
    pub fn callee_name(&self, call: NodeId) -> Option<Dotted> {
        self.resolve(self.tree.callee(call)?)
    }
}

fn either(one: Option<Dotted>, other: Option<Dotted>) -> Option<Dotted> {
    match (one, other) {
        (Some(one), Some(other)) if one.name == other.name => Some(Dotted {
            certainty: one.certainty.min(other.certainty),
            ..one
        }),
        (Some(one), _) | (None, Some(one)) => Some(one.uncertain()),
        (None, None) => None,
    }
}
