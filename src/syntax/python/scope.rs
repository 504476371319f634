//! Scopes and the bindings in them.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::records::NodeId;

/// A scope: its place in the list of a module's scopes. The module itself is the first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ScopeId(pub(super) u32);

impl ScopeId {
    /// The scope of the module itself.
    pub const MODULE: Self = Self(0);
}

/// The kind of construct that opens a scope.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ScopeKind {
    /// The module.
    Module,
    /// A class, whose names are not seen from the functions in it.
    Class,
    /// A function or a lambda.
    Function,
    /// A comprehension or a generator.
    Comprehension,
}

/// The value that a name is bound to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BoundValue {
    /// A module or a member of one, by its dotted name; relative ones start with a dot.
    Import(String),
    /// The value of an expression.
    Value(NodeId),
    /// `None` or `False`, as a stand-in for a value that could not be had.
    Nothing,
    /// A parameter.
    Parameter,
    /// A function, by its definition.
    Function(NodeId),
    /// A class, by its definition.
    Class(NodeId),
    /// Something that the text does not tell: the target of a loop, of `with`, of `except`.
    Unknown,
    /// Nothing any more, because of `del`.
    Deleted,
}

/// One place where a name is bound.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Binding {
    /// The identifier that is bound.
    pub at: NodeId,
    /// The value.
    pub what: BoundValue,
}

impl Binding {
    /// The value of an expression that the name is bound to.
    pub fn value(&self) -> Option<NodeId> {
        match self.what {
            BoundValue::Value(value) => Some(value),
            _ => None,
        }
    }

    /// The function that the name is bound to.
    pub fn function(&self) -> Option<NodeId> {
        match self.what {
            BoundValue::Function(function) => Some(function),
            _ => None,
        }
    }
}

#[derive(Debug)]
pub(super) struct Scope<'t> {
    pub(super) kind: ScopeKind,
    pub(super) parent: Option<ScopeId>,
    /// The places where each name is bound. Most names are bound once.
    pub(super) names: FxHashMap<&'t [u8], SmallVec<[Binding; 1]>>,
    /// Names that are declared to belong to another scope.
    pub(super) elsewhere: FxHashMap<&'t [u8], ScopeDeclaration>,
    /// Modules whose names all come in: `from m import *`.
    pub(super) stars: Vec<String>,
}

/// A declaration that a name belongs to another scope.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ScopeDeclaration {
    Global,
    Nonlocal,
}

#[derive(Debug)]
pub(super) struct Scopes<'t> {
    pub(super) scopes: Vec<Scope<'t>>,
    /// For each node, the scope in which it is evaluated.
    pub(super) of_node: Vec<ScopeId>,
}

impl Scope<'_> {
    pub(super) fn new(kind: ScopeKind, parent: Option<ScopeId>) -> Self {
        Self {
            kind,
            parent,
            names: FxHashMap::default(),
            elsewhere: FxHashMap::default(),
            stars: Vec::new(),
        }
    }
}

impl<'t> Scopes<'t> {
    pub(super) fn scope(&self, id: ScopeId) -> Option<&Scope<'t>> {
        self.scopes.get(id.0 as usize)
    }

    pub(super) fn of(&self, node: NodeId) -> ScopeId {
        self.of_node
            .get(node.0 as usize)
            .copied()
            .unwrap_or(ScopeId(0))
    }

    /// How often a scope binds a name at most.
    pub(super) fn most_bindings(&self) -> usize {
        let names = self.scopes.iter().flat_map(|scope| scope.names.values());
        names.map(SmallVec::len).max().unwrap_or(0)
    }

    /// The scopes around a scope, itself first.
    pub(super) fn outward(&self, id: ScopeId) -> impl Iterator<Item = ScopeId> {
        std::iter::successors(Some(id), |&id| self.scope(id)?.parent)
    }

    /// Whether the names of `id` are seen from the scope `from`, which is in it or is it.
    pub(super) fn is_seen(&self, id: ScopeId, from: ScopeId) -> bool {
        id == from
            || self
                .scope(id)
                .is_some_and(|scope| scope.kind != ScopeKind::Class)
    }

    /// The scope in which a name that is bound in `id` really is.
    pub(super) fn home(&self, id: ScopeId, name: &[u8]) -> ScopeId {
        let scope = self.scope(id);
        match scope.and_then(|scope| scope.elsewhere.get(name)) {
            None => id,
            Some(ScopeDeclaration::Global) => ScopeId(0),
            Some(ScopeDeclaration::Nonlocal) => self
                .outward(id)
                .skip(1)
                .find(|&outer| {
                    self.scope(outer).is_some_and(|scope| {
                        scope.kind == ScopeKind::Function && scope.names.contains_key(name)
                    })
                })
                .unwrap_or(id),
        }
    }
}
