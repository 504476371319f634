//! What expressions say about a GPU: followed through variables, attributes, unpacked tuples, loops,
//! arithmetic and the module's own functions.

mod arithmetic;
mod calls;
mod names;

use std::cell::RefCell;

use rustc_hash::FxHashMap;

use crate::mapping::gpus::{GpuValueKind, Gpus};
use crate::rules::python::{ModuleView, PythonUnit};
use crate::syntax::python::{Field, Kind, NodeId, ScopeId};

/// How many steps a value is followed.
const STEPS: usize = 16;
/// How many of a name's bindings, and of a function's statements, are looked at.
const REACH: usize = 4096;
/// How many things that may be meant by one name are asked.
const CANDIDATES: usize = 8;

/// What a name of the project's own holds, and whether it holds several.
type Called = Option<(GpuValueKind, bool)>;

/// A name that was taken to say nothing, and the steps that it was followed before.
type Assumed<'a> = ((ScopeId, &'a [u8]), Option<usize>);

/// What an expression says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Value {
    /// What it is.
    pub(super) gives: GpuValueKind,
    /// Whether it is several of them.
    pub(super) many: bool,
    /// The expression that asks for it; `None` where only a name tells.
    pub(super) origin: Option<NodeId>,
}

/// The values of a module.
pub(super) struct Values<'u, 'a> {
    pub(super) unit: &'u PythonUnit<'a>,
    pub(super) gpus: &'static Gpus,
    /// What is assigned to attributes, by their last name.
    attributes: FxHashMap<&'a [u8], Vec<NodeId>>,
    known: RefCell<FxHashMap<NodeId, Option<Value>>>,
    /// Names that say nothing, with the scopes that bind them, and how many steps they were followed.
    silent: RefCell<FxHashMap<(ScopeId, &'a [u8]), usize>>,
    /// Those that were found to be so on the way to the value that is followed now, with what was known before. What
    /// leads back to that value says nothing only if the value itself says nothing.
    assumed: RefCell<Vec<Assumed<'a>>>,
    /// What names that are the project's own say.
    named: RefCell<FxHashMap<&'a [u8], Called>>,
    speaks: bool,
    /// Whether the module asks `torch_musa` for such values: what only a name tells is MUSA's there.
    of_target: bool,
}

impl Value {
    /// A single thing.
    fn new(gives: GpuValueKind, origin: Option<NodeId>) -> Self {
        Self {
            gives,
            many: false,
            origin,
        }
    }

    /// A single thing that is made of this.
    fn one(self, gives: GpuValueKind) -> Self {
        Self::new(gives, self.origin)
    }

    /// Several such.
    fn several(self) -> Self {
        Self { many: true, ..self }
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
            // What a name alone calls a number may be a pair.
            (false, GpuValueKind::Number, Some(0)) if self.origin.is_none() => {
                Some(self.one(GpuValueKind::Major))
            }
            (false, GpuValueKind::Architectures, _) => Some(self.one(GpuValueKind::Text)),
            (false, GpuValueKind::Library, Some(_)) => Some(self),
            _ => None,
        }
    }
}

impl<'u, 'a> Values<'u, 'a> {
    pub(super) fn new(unit: &'u PythonUnit<'a>, gpus: &'static Gpus) -> Self {
        let tree = &unit.module.tree;
        let mut attributes: FxHashMap<&[u8], Vec<NodeId>> = FxHashMap::default();
        for node in tree.of(Kind::Assignment) {
            if let (Some(left), Some(right)) = (
                tree.child(node, Field::Left),
                tree.child(node, Field::Right),
            ) && tree.kind(left) == Kind::Attribute
                && let Some(name) = tree.child(left, Field::Attribute)
            {
                attributes.entry(tree.word(name)).or_default().push(right);
            }
        }
        Self {
            unit,
            gpus,
            attributes,
            known: RefCell::default(),
            silent: RefCell::default(),
            assumed: RefCell::default(),
            named: RefCell::default(),
            speaks: unit.says(&gpus.parts.spoken),
            of_target: asks_target(unit, gpus),
        }
    }

    /// What an expression says about a GPU.
    pub(super) fn of(&self, node: NodeId) -> Option<Value> {
        let found = self.follow(node, STEPS);
        self.assumed.borrow_mut().clear();
        found
    }

    /// What an expression says, where it is a single thing.
    pub(super) fn single(&self, node: NodeId) -> Option<Value> {
        self.of(node).filter(|value| !value.many)
    }

    fn follow(&self, node: NodeId, steps: usize) -> Option<Value> {
        let steps = steps.checked_sub(1)?;
        if let Some(known) = self.known.borrow().get(&node) {
            return *known;
        }
        // What leads back to itself says nothing.
        self.known.borrow_mut().insert(node, None);
        let assumed = self.assumed.borrow().len();
        let found = self.look(node, steps);
        if found.is_some() {
            self.take_back(assumed);
        }
        if steps + 4 > STEPS || found.is_some() {
            self.known.borrow_mut().insert(node, found);
        } else {
            self.known.borrow_mut().remove(&node);
        }
        found
    }

    /// Note that a name says nothing, as far as is known while a value is followed.
    fn assume_silent(&self, name: (ScopeId, &'a [u8]), steps: usize) {
        let before = self.silent.borrow_mut().insert(name, steps);
        self.assumed.borrow_mut().push((name, before));
    }

    /// Forget all such notes but the first ones.
    fn take_back(&self, first: usize) {
        let mut silent = self.silent.borrow_mut();
        for (name, before) in self.assumed.borrow_mut().drain(first..).rev() {
            match before {
                Some(steps) => silent.insert(name, steps),
                None => silent.remove(&name),
            };
        }
    }

    fn look(&self, node: NodeId, steps: usize) -> Option<Value> {
        let tree = &self.unit.module.tree;
        let child = |field| tree.child(node, field);
        match tree.kind(node) {
            Kind::Identifier => self.name(node, steps),
            Kind::Attribute => self.attribute(node, steps),
            Kind::Call => self.call(node, steps),
            Kind::Parenthesized | Kind::Await => self.follow(tree.nth(node, 0)?, steps),
            Kind::Named => self.follow(child(Field::Value)?, steps),
            Kind::Subscript => {
                let index = child(Field::Subscript)?;
                let value = self.follow(child(Field::Value)?, steps)?;
                if tree.kind(index) == Kind::Slice {
                    return Some(value);
                }
                value.item(self.integer(index))
            }
            Kind::Conditional => self.any_of(node, [0, 2], steps),
            Kind::Boolean => self.any_of(node, [0, 1], steps),
            Kind::Binary => self.binary(node, steps),
            Kind::Str | Kind::ConcatenatedString => self.formatted(node, steps),
            Kind::Tuple | Kind::List | Kind::Set | Kind::ExpressionList => {
                let first = self.follow(tree.nth(node, 0)?, steps)?;
                match (first.gives, tree.kind(node), first.many) {
                    (
                        GpuValueKind::Major,
                        Kind::Tuple | Kind::ExpressionList | Kind::List,
                        false,
                    ) => Some(first.one(GpuValueKind::Pair)),
                    _ => Some(first.several()),
                }
            }
            Kind::ListComprehension | Kind::SetComprehension | Kind::Generator => {
                self.follow(child(Field::Body)?, steps).map(Value::several)
            }
            _ => None,
        }
    }

    /// What the first of two parts says that says anything.
    fn any_of(&self, node: NodeId, parts: [usize; 2], steps: usize) -> Option<Value> {
        let tree = &self.unit.module.tree;
        let mut parts = parts.into_iter().filter_map(|at| tree.nth(node, at));
        parts.find_map(|part| self.follow(part, steps))
    }

    /// A number that is written.
    pub(super) fn integer(&self, node: NodeId) -> Option<i64> {
        let tree = &self.unit.module.tree;
        let word = std::str::from_utf8(tree.word(node)).ok()?;
        (tree.kind(node) == Kind::Integer)
            .then(|| word.replace('_', "").parse().ok())
            .flatten()
    }

    /// What a dotted name says whose last part is given, called or not.
    fn dotted(&self, node: NodeId, last: &[u8], call: bool) -> Option<Value> {
        let mut named = self
            .gpus
            .values_named(last)
            .filter(|one| one.call == call)
            .peekable();
        named.peek()?;
        let tree = &self.unit.module.tree;
        let name = match self.unit.resolve(node) {
            Some(name) => name.name,
            // `torch` that nothing binds is PyTorch all the same.
            None if tree.word(node).starts_with(b"torch.") => self.unit.shown(tree.range(node)),
            None => return None,
        };
        let found = named.find(|one| one.name == name)?;
        Some(Value::new(found.gives, Some(node)))
    }
}

/// Whether a module has one of the names for a value as they are in the target's module.
fn asks_target(unit: &ModuleView<'_>, gpus: &Gpus) -> bool {
    let module = &unit.python_values().module;
    unit.says(&module.musa)
        && gpus.inside(&module.cuda).any(|inside| {
            let name = format!("{}{inside}", module.musa);
            unit.says(&name)
        })
}
