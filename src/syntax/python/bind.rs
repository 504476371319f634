//! Finds scopes and bindings, in one pass over the tree.

use rustc_hash::FxHashMap;

use super::kind::{Field, Kind};
use super::scope::{Binding, Elsewhere, Scope, ScopeId, ScopeKind, Scopes, What};
use super::tree::{NodeId, Tree};

/// The scopes of a module.
pub(super) fn scopes<'t>(tree: &Tree<'t>) -> Scopes<'t> {
    let mut binder = Binder {
        tree,
        scopes: Scopes {
            scopes: vec![Scope::new(ScopeKind::Module, None)],
            of_node: Vec::new(),
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
            Kind::Global | Kind::Nonlocal => {
                let what = if tree.kind(node) == Kind::Global {
                    Elsewhere::Global
                } else {
                    Elsewhere::Nonlocal
                };
                for name in tree.children(node) {
                    if let Some(scope) = self.scopes.scopes.get_mut(scope.0 as usize) {
                        scope.elsewhere.insert(tree.word(name), what);
                    }
                }
                return;
            }
            _ => return,
        };
        let id = ScopeId(self.scopes.scopes.len() as u32);
        self.scopes.scopes.push(Scope::new(opens, Some(scope)));
        self.inner.insert(node, id);
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

    fn add(&mut self, scope: ScopeId, at: NodeId, what: What) {
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
                    self.unknown(scope, left, &What::Unknown);
                }
            }
            Kind::Named => {
                if let (Some(name), Some(value)) = (child(Field::Name), child(Field::Value)) {
                    let outside = self.outside_comprehensions(scope);
                    self.assign(outside, name, value);
                }
            }
            Kind::Function | Kind::Class => {
                if let Some(name) = child(Field::Name) {
                    let what = if tree.kind(node) == Kind::Function {
                        What::Function(node)
                    } else {
                        What::Class(node)
                    };
                    self.add(scope, name, what);
                }
            }
            Kind::Parameters | Kind::LambdaParameters => {
                for parameter in tree.children(node) {
                    self.parameter(scope, parameter);
                }
            }
            Kind::AsPatternTarget => {
                for target in tree.children(node) {
                    self.unknown(scope, target, &What::Unknown);
                }
            }
            Kind::Except => {
                if let Some(alias) = child(Field::Alias) {
                    self.unknown(scope, alias, &What::Unknown);
                }
            }
            Kind::Delete => {
                for target in tree.children(node) {
                    self.unknown(scope, target, &What::Deleted);
                }
            }
            Kind::CasePattern | Kind::SplatPattern => self.capture(scope, node),
            _ => {}
        }
    }

    fn import(&mut self, scope: ScopeId, node: NodeId) {
        let tree = self.tree;
        for name in tree.children(node) {
            match tree.kind(name) {
                Kind::DottedName => {
                    if let Some(first) = tree.nth(name, 0) {
                        self.add(scope, first, What::Import(lossy(tree.word(first))));
                    }
                }
                Kind::AliasedImport => {
                    let (path, alias) = (
                        tree.child(name, Field::Name),
                        tree.child(name, Field::Alias),
                    );
                    if let (Some(path), Some(alias)) = (path, alias) {
                        self.add(scope, alias, What::Import(dotted(tree, path)));
                    }
                }
                _ => {}
            }
        }
    }

    fn import_from(&mut self, scope: ScopeId, node: NodeId) {
        let tree = self.tree;
        let Some(module) = tree.child(node, Field::ModuleName) else {
            return;
        };
        let module = dotted(tree, module);
        let inside = |name: &str| {
            let dot = if module.ends_with('.') { "" } else { "." };
            format!("{module}{dot}{name}")
        };
        for name in tree.children(node) {
            match (tree.kind(name), tree.field(name)) {
                (Kind::WildcardImport, _) => {
                    if let Some(scope) = self.scopes.scopes.get_mut(scope.0 as usize) {
                        scope.stars.push(module.clone());
                    }
                }
                (Kind::DottedName, Field::Name) => {
                    if let Some(first) = tree.nth(name, 0) {
                        let path = inside(&dotted(tree, name));
                        self.add(scope, first, What::Import(path));
                    }
                }
                (Kind::AliasedImport, _) => {
                    let (path, alias) = (
                        tree.child(name, Field::Name),
                        tree.child(name, Field::Alias),
                    );
                    if let (Some(path), Some(alias)) = (path, alias) {
                        let path = inside(&dotted(tree, path));
                        self.add(scope, alias, What::Import(path));
                    }
                }
                _ => {}
            }
        }
    }

    /// `left = right`, pair by pair where both are lists of the same length.
    fn assign(&mut self, scope: ScopeId, left: NodeId, right: NodeId) {
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
                    Kind::None | Kind::False => What::Nothing,
                    _ => What::Value(value),
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
                        None => self.unknown(scope, target, &What::Unknown),
                    }
                }
            }
            _ => self.unknown(scope, left, &What::Unknown),
        }
    }

    /// Every name in a target that is bound by it, not those it is reached through.
    fn unknown(&mut self, scope: ScopeId, target: NodeId, what: &What) {
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

    fn parameter(&mut self, scope: ScopeId, parameter: NodeId) {
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
                    self.add(scope, name, What::Parameter);
                }
            }
            _ => self.unknown(scope, name, &What::Parameter),
        }
    }

    /// The names that a pattern of `match` captures: a lone name does, a dotted one is a value.
    fn capture(&mut self, scope: ScopeId, pattern: NodeId) {
        let tree = self.tree;
        for child in tree.children(pattern) {
            match tree.kind(child) {
                Kind::DottedName if tree.children(child).count() == 1 => {
                    if let Some(name) = tree.nth(child, 0) {
                        self.add(scope, name, What::Unknown);
                    }
                }
                Kind::Identifier => self.add(scope, child, What::Unknown),
                Kind::AsPattern => {
                    let names = tree.children(child);
                    let names: Vec<NodeId> = names
                        .filter(|&one| tree.kind(one) == Kind::Identifier)
                        .collect();
                    for name in names {
                        self.add(scope, name, What::Unknown);
                    }
                }
                Kind::UnionPattern => self.capture(scope, child),
                _ => {}
            }
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

/// A dotted name without the white space that may stand in it.
pub(super) fn dotted(tree: &Tree<'_>, node: NodeId) -> String {
    let word = tree.word(node);
    let kept = word.iter().copied().filter(|byte| {
        byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_') || !byte.is_ascii()
    });
    lossy(&kept.collect::<Vec<u8>>())
}

pub(super) fn lossy(word: &[u8]) -> String {
    String::from_utf8_lossy(word).into_owned()
}
