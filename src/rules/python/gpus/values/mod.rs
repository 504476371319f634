//! Which facts about a GPU expressions give: followed through variables, attributes, unpacked tuples, loops, arithmetic
//! and the module's own functions.

mod arithmetic;
mod calls;
mod kinds;
mod names;

use std::cell::{OnceCell, RefCell};
use std::hash::Hash;

use rustc_hash::FxHashMap;

use crate::python::ModuleView;
use crate::python::inference::limits::{EXPRESSION_DEPTH, MEANINGS_OF_NAME};
use crate::python::inference::{Fact, SolvedFacts, Term};
use torchada_mapping::python::gpus::{GpuValueKind, Gpus};
use torchada_syntax::python::{BoundValue, Field, Kind, NodeId, ScopeId};

/// How many of a name's bindings, and of a function's statements, are looked at.
const REACH: usize = 4096;

/// The kind of value that a name suggests, and whether the name suggests several such values.
type SuggestedKind = Option<(GpuValueKind, bool)>;

/// Facts that are known already.
type KnownFacts<K> = RefCell<FxHashMap<K, Option<GpuFact>>>;

/// The fact about a value, in terms of the slots of a module.
type ValueTerm<'a> = Term<Option<GpuFact>, GpuSlot<'a>>;

/// A place of a module that holds values.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum GpuSlot<'a> {
    /// What is assigned to a variable.
    Variable(ScopeId, &'a [u8]),
    /// What is assigned to attributes of a name.
    Attribute(&'a [u8]),
    /// What a function returns.
    Return(NodeId),
    /// An item of the tuple that a function returns.
    ReturnItem(NodeId, usize),
}

/// A fact about a GPU, or several of one kind, that an expression gives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct GpuFact {
    /// The kind of fact.
    pub(super) gives: GpuValueKind,
    /// Whether the value is a collection of such facts.
    pub(super) many: bool,
    /// The expression that asks `PyTorch` for the fact; `None` if only a name suggests the fact.
    pub(super) origin: Option<NodeId>,
}

/// The values of a module.
pub(super) struct Values<'a> {
    pub(super) unit: ModuleView<'a>,
    pub(super) gpus: &'static Gpus,
    facts: SolvedFacts<Option<GpuFact>, GpuSlot<'a>>,
    known: KnownFacts<NodeId>,
    /// What names stand for that no import binds, by the scope in which they are evaluated.
    names: KnownFacts<(ScopeId, &'a [u8])>,
    /// The kinds of value that names of the project suggest.
    suggested: RefCell<FxHashMap<&'a [u8], SuggestedKind>>,
    /// The kinds of value that `PyTorch` gives the module.
    from_pytorch: OnceCell<Vec<GpuValueKind>>,
    /// Whether the module's text has the word for capabilities in it.
    is_about_capabilities: OnceCell<bool>,
    /// Whether the module asks `torch_musa` for such values. If so, a value that only a name suggests is MUSA's.
    asks_target: OnceCell<bool>,
}

impl Fact for Option<GpuFact> {
    fn join(self, other: Self) -> Self {
        match (self, other) {
            // A question to PyTorch is a stronger sign than a name; of two questions, the first in the file counts.
            (Some(one), Some(two)) => match (one.origin, two.origin) {
                (Some(first), Some(second)) if second < first => other,
                (None, Some(_)) => other,
                _ => self,
            },
            (None, _) => other,
            (Some(_), None) => self,
        }
    }
}

impl GpuFact {
    /// A single fact.
    fn new(gives: GpuValueKind, origin: Option<NodeId>) -> Self {
        Self {
            gives,
            many: false,
            origin,
        }
    }

    /// Whether it is the version of CUDA.
    pub(super) fn is_version(self) -> bool {
        self.gives == GpuValueKind::Version && !self.many
    }

    /// A single fact that is made of this value.
    fn one(self, gives: GpuValueKind) -> Self {
        Self::new(gives, self.origin)
    }

    /// A collection of such facts.
    fn several(self) -> Self {
        Self { many: true, ..self }
    }

    /// The value at a place, counted from 0.
    fn part(self, at: usize) -> Option<Self> {
        self.item(Some(i64::try_from(at).ok()?))
    }

    /// The value of an index: a part of a pair, one of several.
    fn item(self, at: Option<i64>) -> Option<Self> {
        match (self.many, self.gives, at) {
            (true, ..) => Some(self.one(self.gives)),
            (false, GpuValueKind::Pair | GpuValueKind::Capability, Some(0)) => {
                Some(self.one(GpuValueKind::Major))
            }
            (false, GpuValueKind::Pair | GpuValueKind::Capability, Some(1)) => {
                Some(self.one(GpuValueKind::Minor))
            }
            // A value that only its name calls a number may be a pair.
            (false, GpuValueKind::Number, Some(0)) if self.origin.is_none() => {
                Some(self.one(GpuValueKind::Major))
            }
            (false, GpuValueKind::Architectures, _) => Some(self.one(GpuValueKind::Text)),
            (false, GpuValueKind::Library, Some(_)) => Some(self),
            _ => None,
        }
    }
}

impl<'a> Values<'a> {
    pub(super) fn new(unit: ModuleView<'a>, gpus: &'static Gpus) -> Self {
        Self {
            unit,
            gpus,
            facts: SolvedFacts::default(),
            known: RefCell::default(),
            names: RefCell::default(),
            suggested: RefCell::default(),
            from_pytorch: OnceCell::new(),
            is_about_capabilities: OnceCell::new(),
            asks_target: OnceCell::new(),
        }
    }

    /// Which fact about a GPU an expression gives.
    pub(super) fn of(&self, node: NodeId) -> Option<GpuFact> {
        let module = self.unit.module;
        let tree = &module.tree;
        if tree.kind(node) != Kind::Identifier {
            return self.once(&self.known, node, node);
        }
        let word = tree.word(node);
        let mut bindings = module.bindings(node, word).1.iter();
        // What an import gives has its origin where the name stands.
        if bindings.any(|one| matches!(one.what, BoundValue::Import(_))) {
            return self.once(&self.known, node, node);
        }
        self.once(&self.names, (module.scope_of(node), word), node)
    }

    /// Which fact an expression gives, which is known once for a key.
    fn once<K: Eq + Hash>(&self, known: &KnownFacts<K>, key: K, node: NodeId) -> Option<GpuFact> {
        if let Some(known) = known.borrow().get(&key) {
            return *known;
        }
        let term = self.term(node, EXPRESSION_DEPTH);
        let found = self.facts.solve(&term, &|slot| self.equation(*slot));
        known.borrow_mut().insert(key, found);
        found
    }

    /// What is assigned to attributes of a name.
    fn assigned_to(&self, attribute: &[u8]) -> impl Iterator<Item = NodeId> {
        let unit = &self.unit;
        let tree = &unit.module.tree;
        let places = unit.module.places_of(attribute).iter();
        places.filter_map(move |&name| tree.assigned_value(tree.attribute_of(name)?))
    }

    /// Whether the module's text has the word for capabilities in it.
    fn is_about_capabilities(&self) -> bool {
        let ask = || self.unit.contains(&self.gpus.parts.word);
        *self.is_about_capabilities.get_or_init(ask)
    }

    /// Whether the module asks `torch_musa` for such values.
    fn asks_target(&self) -> bool {
        let ask = || asks_target(&self.unit, self.gpus);
        *self.asks_target.get_or_init(ask)
    }

    /// Which fact an expression gives, if it gives a single one.
    pub(super) fn single(&self, node: NodeId) -> Option<GpuFact> {
        self.of(node).filter(|value| !value.many)
    }

    /// The values that a slot holds, in terms of other slots.
    fn equation(&self, slot: GpuSlot<'a>) -> ValueTerm<'a> {
        let tree = &self.unit.module.tree;
        let values = match slot {
            GpuSlot::Variable(scope, name) => return self.assigned(scope, name),
            GpuSlot::Attribute(name) => {
                let assigned = self.assigned_to(name).take(MEANINGS_OF_NAME);
                assigned
                    .map(|value| self.term(value, EXPRESSION_DEPTH))
                    .collect()
            }
            GpuSlot::Return(function) => {
                let returns = self.returns(function);
                returns
                    .map(|value| self.term(value, EXPRESSION_DEPTH))
                    .collect()
            }
            GpuSlot::ReturnItem(function, at) => {
                let is_written = |&value: &NodeId| {
                    matches!(tree.kind(value), Kind::Tuple | Kind::ExpressionList)
                };
                let returns = self.returns(function).filter(is_written);
                returns
                    .map(|value| self.element(value, at, EXPRESSION_DEPTH))
                    .collect()
            }
        };
        ValueTerm::Join(values)
    }

    /// Which fact an expression gives, in terms of slots; nothing if the expression is nested too deep.
    fn term(&self, node: NodeId, depth: usize) -> ValueTerm<'a> {
        let depth = depth.checked_sub(1);
        let term = depth.and_then(|depth| self.term_of_kind(node, depth));
        term.unwrap_or_else(ValueTerm::nothing)
    }

    /// Which fact an expression gives, by the kind of its node.
    fn term_of_kind(&self, node: NodeId, depth: usize) -> Option<ValueTerm<'a>> {
        let tree = &self.unit.module.tree;
        let child = |field| tree.child(node, field);
        let first_of = |parts: [usize; 2]| {
            let parts = parts.into_iter().filter_map(|at| tree.nth(node, at));
            ValueTerm::First(parts.map(|part| self.term(part, depth)).collect())
        };
        Some(match tree.kind(node) {
            Kind::Identifier => self.name(node),
            Kind::Attribute => return self.attribute(node, depth),
            Kind::Call => return self.call(node, depth),
            Kind::Parenthesized | Kind::Await => self.term(tree.nth(node, 0)?, depth),
            Kind::Named => self.term(child(Field::Value)?, depth),
            Kind::Subscript => {
                let index = child(Field::Subscript)?;
                let value = self.term(child(Field::Value)?, depth);
                if tree.kind(index) == Kind::Slice {
                    return Some(value);
                }
                let at = self.integer(index);
                value.map(move |value| value?.item(at))
            }
            Kind::Conditional => first_of([0, 2]),
            Kind::Boolean => first_of([0, 1]),
            Kind::Binary => return self.binary(node, depth),
            Kind::Str | Kind::ConcatenatedString => self.formatted(node, depth),
            Kind::Tuple | Kind::List | Kind::Set | Kind::ExpressionList => {
                let is_set = tree.kind(node) == Kind::Set;
                let first = self.term(tree.nth(node, 0)?, depth);
                first.map(move |first| {
                    first.map(|first| match (first.gives, first.many) {
                        (GpuValueKind::Major, false) if !is_set => first.one(GpuValueKind::Pair),
                        _ => first.several(),
                    })
                })
            }
            Kind::ListComprehension | Kind::SetComprehension | Kind::Generator => self
                .term(child(Field::Body)?, depth)
                .map(|value| value.map(GpuFact::several)),
            _ => return None,
        })
    }

    /// The value of an integer literal.
    pub(super) fn integer(&self, node: NodeId) -> Option<i64> {
        let tree = &self.unit.module.tree;
        let word = std::str::from_utf8(tree.word(node)).ok()?;
        (tree.kind(node) == Kind::Integer)
            .then(|| word.replace('_', "").parse().ok())
            .flatten()
    }

    /// Which fact a dotted name of `PyTorch`'s gives; `last` is its last part, and `call` says whether it is called.
    fn dotted(&self, node: NodeId, last: &[u8], call: bool) -> Option<GpuFact> {
        let mut named = self
            .gpus
            .values_named(last)
            .filter(|one| one.call == call)
            .peekable();
        named.peek()?;
        let tree = &self.unit.module.tree;
        let name = if let Some(name) = self.unit.resolve(node) {
            name.name
        } else {
            // `torch` that nothing binds is PyTorch all the same.
            let shown = tree.shown(node);
            let torch = &self.unit.python_values().torch_names;
            Some(shown).filter(|shown| torch.has(shown))?
        };
        let found = named.find(|one| one.name == name)?;
        Some(GpuFact::new(found.gives, Some(node)))
    }
}

/// Whether a module asks `torch_musa` for one of the values.
fn asks_target(unit: &ModuleView<'_>, gpus: &Gpus) -> bool {
    let module = &unit.python_values().module;
    unit.contains(&module.musa)
        && gpus.inside(&module.cuda).any(|inside| {
            let name = format!("{}{inside}", module.musa);
            unit.contains(&name)
        })
}
