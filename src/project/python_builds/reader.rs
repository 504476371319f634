//! Reads what expressions of a tree's Python hold.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::result::Origin;
use super::tree::{Parsed, PythonTree};
use super::value::Value;
use torchada_mapping::ArchitectureWords;
use torchada_mapping::builds::{Reach, SourceLists};
use torchada_mapping::knowledge::Knowledge;
use torchada_syntax::python::{Field, Kind, Module, NodeId, ScopeId, Tree};

/// A node of a module.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Place {
    /// The index of the module.
    pub(super) file: usize,
    /// The node.
    pub(super) node: NodeId,
}

impl Place {
    /// Another node of the same module.
    pub(super) fn with(self, node: NodeId) -> Self {
        Self { node, ..self }
    }
}

/// A name of a scope.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Variable {
    pub(super) file: usize,
    pub(super) scope: ScopeId,
    pub(super) name: Box<[u8]>,
}

/// A call of a function of the tree's that is followed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    /// The function.
    pub(super) function: Place,
    /// The call.
    pub(super) call: Place,
}

/// Conditions, each with whether it holds.
pub(super) type Conditions = Rc<[(NodeId, bool)]>;

/// Reads the modules of a tree.
pub(super) struct Reader<'p, 't> {
    pub(super) tree: &'t PythonTree<'t>,
    pub(super) parsed: &'p Parsed<'t>,
    pub(super) table: &'t SourceLists,
    pub(super) reach: &'t Reach,
    pub(super) architectures: &'t ArchitectureWords,
    /// The lowest of CUDA's architectures whose code no build for MUSA has.
    pub(super) newest: u32,
    pub(super) frames: Vec<Frame>,
    /// The identifiers that were read.
    pub(super) read: FxHashSet<Place>,
    /// The literals that were read, and those in conditions that choose among texts.
    pub(super) literals: BTreeSet<Origin>,
    /// For each literal, the names that it came through.
    pub(super) trails: BTreeMap<Origin, BTreeSet<Variable>>,
    /// What names at the top of modules hold.
    tops: FxHashMap<Variable, Value>,
    /// What expressions hold that no call is followed to.
    known: FxHashMap<Place, Value>,
    /// The conditions that nodes stand under, each up to a node around it.
    pub(super) conditions_around: FxHashMap<(Place, Option<NodeId>), Conditions>,
    active: Vec<Place>,
    /// The names whose flags are on their way, each with its file and scope.
    pub(super) active_names: Vec<(usize, ScopeId, Box<[u8]>)>,
    /// How often something was not followed because it was on its way.
    cuts: usize,
    steps: usize,
}

impl<'p, 't> Reader<'p, 't> {
    pub(super) fn new(
        tree: &'t PythonTree<'t>,
        parsed: &'p Parsed<'t>,
        knowledge: &'t Knowledge,
    ) -> Self {
        let table = &knowledge.builds.extensions.sources;
        Self {
            tree,
            parsed,
            table,
            reach: &knowledge.builds.reach,
            architectures: &knowledge.shapes.architecture,
            newest: knowledge.shapes.guards.newest_architecture(),
            frames: Vec::new(),
            read: FxHashSet::default(),
            literals: BTreeSet::new(),
            trails: BTreeMap::new(),
            tops: FxHashMap::default(),
            known: FxHashMap::default(),
            conditions_around: FxHashMap::default(),
            active: Vec::new(),
            active_names: Vec::new(),
            cuts: 0,
            steps: table.limits.steps,
        }
    }

    /// The module of a file.
    pub(super) fn module(&self, file: usize) -> Option<&'p Module<'t>> {
        self.parsed.get(self.tree, file)
    }

    /// The module that a place is in.
    pub(super) fn module_of(&self, at: Place) -> &'p Module<'t> {
        self.module(at.file).unwrap_or(&self.parsed.empty)
    }

    /// The tree that a node is of.
    pub(super) fn tree_of(&self, at: Place) -> &'p Tree<'t> {
        &self.module_of(at).tree
    }

    /// Whether as many expressions were looked at as may be.
    pub(super) fn is_spent(&self) -> bool {
        self.steps == 0
    }

    /// Where a node stands.
    pub(super) fn origin(&self, at: Place) -> Origin {
        (at.file, self.module_of(at).tree.range(at.node))
    }

    /// Something of which nothing is known.
    pub(super) fn unknown(&self, at: Place) -> Value {
        Value::unknown(self.origin(at))
    }

    /// Run a step of the way once, no deeper than may be; `None` where it is on its way already.
    pub(super) fn once<T>(&mut self, at: Place, step: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if self.active.contains(&at)
            || self.active.len() >= self.table.limits.depth
            || self.steps == 0
        {
            self.cuts += 1;
            return None;
        }
        self.steps -= 1;
        self.active.push(at);
        let found = step(self);
        self.active.pop();
        Some(found)
    }

    /// Ask something of the call that is followed into a function, where one is: as it stands in its own function.
    pub(super) fn at_followed_call<T>(
        &mut self,
        function: Place,
        ask: impl FnOnce(&mut Self, Place) -> T,
    ) -> Option<T> {
        let mut frames = self.frames.iter();
        let place = frames.rposition(|frame| frame.function == function)?;
        let call = self.frames.get(place)?.call;
        let inner = self.frames.split_off(place);
        let answer = ask(self, call);
        self.frames.extend(inner);
        Some(answer)
    }

    /// What an expression holds.
    pub(super) fn value(&mut self, at: Place) -> Value {
        if let Some(known) = self.known.get(&at).filter(|_| self.frames.is_empty()) {
            return known.clone();
        }
        let is_on_its_way = self.active.contains(&at);
        let cuts = self.cuts;
        match self.once(at, |reader| reader.step(at)) {
            Some(value) => {
                if self.frames.is_empty() && self.cuts == cuts {
                    self.known.insert(at, value.clone());
                }
                value
            }
            None if is_on_its_way => Value::default(),
            None => self.unknown(at),
        }
    }

    /// What a name at the top of a module holds, whatever calls are followed.
    pub(super) fn top(
        &mut self,
        variable: Variable,
        find: impl FnOnce(&mut Self) -> Value,
    ) -> Value {
        if let Some(known) = self.tops.get(&variable) {
            return known.clone();
        }
        let frames = std::mem::take(&mut self.frames);
        let cuts = self.cuts;
        let found = find(self);
        self.frames = frames;
        if self.cuts == cuts {
            self.tops.insert(variable, found.clone());
        }
        found
    }

    /// What a part of an expression holds.
    pub(super) fn part(&mut self, at: Place, node: Option<NodeId>) -> Value {
        match node {
            Some(node) => self.value(at.with(node)),
            None => self.unknown(at),
        }
    }

    fn step(&mut self, at: Place) -> Value {
        let tree = self.tree_of(at);
        let node = at.node;
        if tree.is_broken(node) {
            return self.unknown(at);
        }
        match tree.kind(node) {
            Kind::Str | Kind::ConcatenatedString => self.literal(at),
            Kind::Integer => Value::text(&String::from_utf8_lossy(tree.word(node)), None),
            Kind::None | Kind::True | Kind::False => Value::default(),
            Kind::List | Kind::Tuple | Kind::Set | Kind::ExpressionList => {
                let mut value = Value::default().listed();
                for one in tree.children(node) {
                    value.add(self.part(at, Some(one)));
                }
                value.listed()
            }
            Kind::Parenthesized | Kind::ListSplat | Kind::Await | Kind::Type => {
                self.part(at, tree.nth(node, 0))
            }
            Kind::Conditional => {
                let mut value = Value::default();
                for side in [0, 2] {
                    let side = tree.nth(node, side);
                    let only = side.and_then(|node| self.condition(at.with(node)));
                    value.add(self.part(at, side).only(only));
                }
                value
            }
            Kind::Boolean => {
                let mut value = Value::default();
                for one in tree.operands(node) {
                    value.add(self.part(at, Some(one)));
                }
                value
            }
            Kind::Dictionary => {
                let mut value = Value::default();
                for pair in tree.children(node) {
                    value.add(self.part(at, tree.child(pair, Field::Value)));
                }
                value
            }
            Kind::Binary => self.binary(at),
            Kind::ListComprehension | Kind::SetComprehension | Kind::Generator => {
                self.part(at, tree.child(node, Field::Body)).listed()
            }
            Kind::Identifier => self.name(at),
            Kind::Attribute => self.attribute(at),
            Kind::Subscript => self.subscript(at),
            Kind::Call => self.call(at),
            _ => self.unknown(at),
        }
    }
}
