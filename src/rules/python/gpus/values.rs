//! What expressions say about a GPU: followed through variables, attributes, unpacked tuples, loops,
//! arithmetic and the module's own functions.

use std::cell::RefCell;

use rustc_hash::FxHashMap;

use crate::mapping::gpus::{Gives, Gpus};
use crate::rules::python::PythonUnit;
use crate::rules::python::callee::{functions, node_of};
use crate::rules::python::unit::contains;
use crate::syntax::python::{Binding, Field, Kind, NodeId, What};

/// How many steps a value is followed.
const STEPS: usize = 16;
/// How many of a name's bindings, and of a function's statements, are looked at.
const REACH: usize = 4096;

/// What an expression says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Value {
    /// What it is.
    pub(super) gives: Gives,
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
    speaks: bool,
    /// Whether the module asks `torch_musa` for such values: what only a name tells is MUSA's there.
    of_target: bool,
}

impl Value {
    fn one(self, gives: Gives) -> Self {
        Self {
            gives,
            many: false,
            ..self
        }
    }

    /// The value of an index: a part of a pair, one of several.
    fn item(self, at: Option<i64>) -> Option<Self> {
        match (self.many, self.gives, at) {
            (true, ..) => Some(Self {
                many: false,
                ..self
            }),
            (false, Gives::Pair | Gives::Capability, Some(0)) => Some(self.one(Gives::Major)),
            (false, Gives::Pair | Gives::Capability, Some(1)) => Some(self.one(Gives::Minor)),
            // What a name alone calls a number may be a pair.
            (false, Gives::Number, Some(0)) if self.origin.is_none() => {
                Some(self.one(Gives::Major))
            }
            (false, Gives::Architectures, _) => Some(self.one(Gives::Text)),
            (false, Gives::Library, Some(_)) => Some(self),
            _ => None,
        }
    }
}

impl<'u, 'a> Values<'u, 'a> {
    pub(super) fn new(unit: &'u PythonUnit<'a>, gpus: &'static Gpus) -> Self {
        let tree = &unit.module.tree;
        let mut attributes: FxHashMap<&[u8], Vec<NodeId>> = FxHashMap::default();
        for node in tree.nodes() {
            if tree.kind(node) == Kind::Assignment
                && let (Some(left), Some(right)) = (
                    tree.child(node, Field::Left),
                    tree.child(node, Field::Right),
                )
                && tree.kind(left) == Kind::Attribute
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
            speaks: contains(unit.text, gpus.parts.spoken.as_bytes()),
            of_target: asks_target(unit, gpus),
        }
    }

    /// What an expression says about a GPU.
    pub(super) fn of(&self, node: NodeId) -> Option<Value> {
        self.follow(node, STEPS)
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
        let found = self.look(node, steps);
        if steps + 4 > STEPS || found.is_some() {
            self.known.borrow_mut().insert(node, found);
        } else {
            self.known.borrow_mut().remove(&node);
        }
        found
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
            Kind::Conditional => [0, 2]
                .into_iter()
                .find_map(|at| self.follow(tree.nth(node, at)?, steps)),
            Kind::Boolean => [0, 1]
                .into_iter()
                .find_map(|at| self.follow(tree.nth(node, at)?, steps)),
            Kind::Binary => self.binary(node, steps),
            Kind::Str | Kind::ConcatenatedString => self.formatted(node, steps),
            Kind::Tuple | Kind::List | Kind::Set | Kind::ExpressionList => {
                let first = self.follow(tree.nth(node, 0)?, steps)?;
                match (first.gives, tree.kind(node), first.many) {
                    (Gives::Major, Kind::Tuple | Kind::ExpressionList | Kind::List, false) => {
                        Some(first.one(Gives::Pair))
                    }
                    _ => Some(Value {
                        many: true,
                        ..first
                    }),
                }
            }
            Kind::ListComprehension | Kind::SetComprehension | Kind::Generator => {
                let body = self.follow(child(Field::Body)?, steps)?;
                Some(Value { many: true, ..body })
            }
            _ => None,
        }
    }

    /// A number that is written.
    pub(super) fn integer(&self, node: NodeId) -> Option<i64> {
        let tree = &self.unit.module.tree;
        let word = std::str::from_utf8(tree.word(node)).ok()?;
        (tree.kind(node) == Kind::Integer)
            .then(|| word.replace('_', "").parse().ok())
            .flatten()
    }

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
        Some(Value {
            gives: found.gives,
            many: false,
            origin: Some(node),
        })
    }

    fn by_name(&self, name: &[u8]) -> Option<Value> {
        if self.of_target {
            return None;
        }
        let (gives, many) = self.gpus.held_by(name)?;
        Some(Value {
            gives,
            many,
            origin: None,
        })
    }

    fn name(&self, node: NodeId, steps: usize) -> Option<Value> {
        let tree = &self.unit.module.tree;
        let word = tree.word(node);
        let (_, bindings) = self.unit.module.bindings(node, word);
        if bindings.is_empty() {
            return self.by_name(word);
        }
        let mut open = false;
        for binding in bindings.iter().take(REACH) {
            let found = match &binding.what {
                What::Value(value) => {
                    // What is written out, and what is made of a text, is no GPU's.
                    open |= matches!(tree.kind(*value), Kind::Call | Kind::Attribute);
                    self.follow(*value, steps)
                }
                What::Parameter => {
                    open = true;
                    self.part(node, word)
                }
                What::Unknown => self.unpacked(binding, steps),
                What::Import(_) => {
                    open = true;
                    self.dotted(node, path_end(binding), false)
                }
                _ => None,
            };
            if found.is_some() {
                return found;
            }
        }
        self.by_name(word).filter(|_| open)
    }

    /// `def f(major, minor)`, where the file speaks of capabilities.
    fn part(&self, node: NodeId, word: &[u8]) -> Option<Value> {
        let parts = &self.gpus.parts;
        let (gives, other) = if word == parts.major.as_bytes() {
            (Gives::Major, &parts.minor)
        } else if word == parts.minor.as_bytes() {
            (Gives::Minor, &parts.major)
        } else {
            return None;
        };
        let (_, beside) = self.unit.module.bindings(node, other.as_bytes());
        let beside = beside.iter().any(|one| one.what == What::Parameter);
        (self.speaks && !self.of_target && beside).then_some(Value {
            gives,
            many: false,
            origin: None,
        })
    }

    /// `major, minor = value`, `for one in values`, `with value as name`.
    fn unpacked(&self, binding: &Binding, steps: usize) -> Option<Value> {
        let tree = &self.unit.module.tree;
        let mut target = binding.at;
        let mut place = None;
        for _ in 0..4 {
            let parent = tree.parent(target)?;
            match tree.kind(parent) {
                Kind::PatternList | Kind::TuplePattern | Kind::ListPattern => {
                    place = Some(i64::try_from(tree.ordinal(target)).ok()?);
                    target = parent;
                }
                Kind::Assignment => {
                    let mut right = tree.child(parent, Field::Right)?;
                    while tree.kind(right) == Kind::Assignment {
                        right = tree.child(right, Field::Right)?;
                    }
                    let one = place.and_then(|at| self.element(right, at, steps));
                    if one.is_some() {
                        return one;
                    }
                    let value = self.follow(right, steps)?;
                    return match place {
                        Some(at) => value.item(Some(at)),
                        None => Some(value),
                    };
                }
                Kind::For | Kind::ForIn => {
                    let right = tree.child(parent, Field::Right)?;
                    let value = self.follow(right, steps)?;
                    let one = value.item(None)?;
                    return match place {
                        Some(at) => one.item(Some(at)),
                        None => Some(one),
                    };
                }
                _ => return None,
            }
        }
        None
    }

    fn attribute(&self, node: NodeId, steps: usize) -> Option<Value> {
        let tree = &self.unit.module.tree;
        let name = tree.word(tree.child(node, Field::Attribute)?);
        let object = tree.child(node, Field::Object)?;
        if let Some(found) = self.dotted(node, name, false) {
            return Some(found);
        }
        let gives = match name {
            b"major" => Some(Gives::Major),
            b"minor" => Some(Gives::Minor),
            b"name" => Some(Gives::Name),
            _ => None,
        };
        if let Some(gives) = gives {
            return self
                .follow(object, steps)
                .filter(|of| match of.gives {
                    Gives::Properties => true,
                    // `DeviceCapability(major=8, minor=0)` has them as members.
                    Gives::Pair | Gives::Capability | Gives::Library => gives != Gives::Name,
                    _ => false,
                })
                .filter(|of| !of.many)
                .map(|of| match of.gives {
                    Gives::Library => of,
                    _ => of.one(gives),
                });
        }
        let assigned = self.attributes.get(name).into_iter().flatten().take(8);
        let mut assigned = assigned.filter_map(|&value| self.follow(value, steps));
        assigned.next().or_else(|| self.by_name(name))
    }

    fn call(&self, call: NodeId, steps: usize) -> Option<Value> {
        let module = self.unit.module;
        let tree = &module.tree;
        let callee = tree.child(call, Field::Function)?;
        let word = module.callee_word(call);
        if let Some(found) = self.dotted(callee, word, true) {
            return Some(Value {
                origin: Some(call),
                ..found
            });
        }
        let argument = |at| tree.nth(tree.child(call, Field::Arguments)?, at);
        if tree.kind(callee) == Kind::Identifier {
            let builtin = |name: &str| module.is_builtin(callee, name);
            match word {
                b"int" | b"float" | b"str" if module.bindings(callee, word).1.is_empty() => {
                    let value = self.follow(argument(0)?, steps)?;
                    let text = value.gives == Gives::Text;
                    return match word {
                        b"str" if value.gives == Gives::Number => Some(value.one(Gives::Text)),
                        b"str" => Some(value),
                        _ if text => Some(value.one(Gives::Number)),
                        _ => Some(value),
                    };
                }
                b"tuple" | b"list" | b"sorted" | b"set" | b"reversed" if !self.is_bound(callee) => {
                    return self.follow(argument(0)?, steps);
                }
                b"max" | b"min" if builtin("max") || builtin("min") => {
                    let value = self.follow(argument(0)?, steps)?;
                    return Some(Value {
                        many: false,
                        ..value
                    });
                }
                _ => {}
            }
            for binding in module.bindings(callee, word).1.iter().take(8) {
                if let What::Function(function) = binding.what
                    && let Some(found) = self.returned(function, steps)
                {
                    return Some(found);
                }
            }
        }
        if let Some(found) = self.method(callee, steps) {
            return Some(found);
        }
        if let (b"split" | b"strip" | b"replace" | b"lower" | b"upper", Some(object)) =
            (word, tree.child(callee, Field::Object))
        {
            return self
                .follow(object, steps)
                .filter(|value| matches!(value.gives, Gives::Text | Gives::Name));
        }
        self.by_name(word)
            // A function with a number's name may give a table or a class.
            .filter(|value| value.gives != Gives::Properties)
            .map(|value| Value {
                origin: Some(call),
                ..value
            })
    }

    /// What a method of the same class gives, where the module has it.
    fn method(&self, callee: NodeId, steps: usize) -> Option<Value> {
        let unit = self.unit;
        let tree = &unit.module.tree;
        let object = tree.child(callee, Field::Object)?;
        if !matches!(tree.word(object), b"self" | b"cls") {
            return None;
        }
        let mut known = functions(unit, callee).into_iter();
        let own = known.find(|one| one.file == unit.index && !one.fields)?;
        let head = unit.modules.function(own)?;
        self.returned(node_of(unit, head.name, head.at)?, steps)
    }

    fn is_bound(&self, node: NodeId) -> bool {
        let module = self.unit.module;
        !module.bindings(node, module.tree.word(node)).1.is_empty()
    }

    /// What a function of the module gives.
    fn returned(&self, function: NodeId, steps: usize) -> Option<Value> {
        let mut returns = self.returns(function);
        returns.find_map(|value| self.follow(value, steps))
    }

    /// What a function of the module returns, wherever it does so.
    fn returns(&self, function: NodeId) -> impl Iterator<Item = NodeId> {
        let tree = &self.unit.module.tree;
        let body = tree.child(function, Field::Body);
        let below = body.into_iter().flat_map(|body| tree.below(body));
        below.take(REACH).filter_map(move |one| {
            if tree.kind(one) != Kind::Return {
                return None;
            }
            let mut around = tree.ancestors(one);
            let home = around.find(|&up| matches!(tree.kind(up), Kind::Function | Kind::Lambda));
            (home == Some(function)).then(|| tree.nth(one, 0))?
        })
    }

    /// A part of what is written as several, here or in a `return` of a function of the module:
    /// `count, major = f()` where `f` gives `properties.count, properties.major`.
    fn element(&self, node: NodeId, at: i64, steps: usize) -> Option<Value> {
        let module = self.unit.module;
        let tree = &module.tree;
        match tree.kind(node) {
            Kind::Tuple | Kind::ExpressionList => {
                let part = tree.nth(node, usize::try_from(at).ok()?)?;
                self.follow(part, steps).filter(|one| !one.many)
            }
            Kind::Call => {
                let callee = tree.child(node, Field::Function)?;
                let word = module.callee_word(node);
                let bindings = module.bindings(callee, word).1.iter().take(8);
                let mut functions = bindings.filter_map(|one| match one.what {
                    What::Function(function) => Some(function),
                    _ => None,
                });
                let steps = steps.checked_sub(1)?;
                functions.find_map(|function| {
                    let mut values = self.returns(function);
                    values.find_map(|value| {
                        let written =
                            matches!(tree.kind(value), Kind::Tuple | Kind::ExpressionList);
                        written.then(|| self.element(value, at, steps))?
                    })
                })
            }
            _ => None,
        }
    }

    fn binary(&self, node: NodeId, steps: usize) -> Option<Value> {
        let tree = &self.unit.module.tree;
        let operator = tree.word(tree.child(node, Field::Operator)?);
        let side = |field| tree.child(node, field);
        let (left, right) = (side(Field::Left)?, side(Field::Right)?);
        let (one, other) = (self.follow(left, steps), self.follow(right, steps));
        let scalar = one.or(other).filter(|value| !value.many)?;
        match (operator, scalar.gives) {
            (b"*", Gives::Major) => Some(scalar.one(Gives::Number)),
            (b"*" | b"/", Gives::Minor | Gives::Number) => Some(scalar),
            (b"//" | b"%", Gives::Library) if one.is_some() => Some(scalar),
            (b"//", Gives::Number | Gives::Capability) => Some(scalar.one(Gives::Major)),
            (b"%", Gives::Number | Gives::Capability) if one.is_some() => {
                Some(scalar.one(Gives::Minor))
            }
            // `major * 10 + minor`, `major + minor / 10`, `str(major) + str(minor)`
            (b"+", Gives::Number | Gives::Major) if other.is_some() => {
                Some(scalar.one(Gives::Number))
            }
            (b"%", _) if matches!(tree.kind(left), Kind::Str | Kind::ConcatenatedString) => {
                Some(scalar.one(Gives::Text))
            }
            (b"+", Gives::Major | Gives::Number | Gives::Text)
                if [left, right]
                    .iter()
                    .any(|&side| tree.kind(side) == Kind::Str) =>
            {
                Some(scalar.one(Gives::Text))
            }
            _ => None,
        }
    }

    /// `f"{major}.{minor}"`, `f"sm_{cc}"`.
    fn formatted(&self, node: NodeId, steps: usize) -> Option<Value> {
        let tree = &self.unit.module.tree;
        let mut parts = tree
            .below(node)
            .take(REACH)
            .filter(|&one| tree.kind(one) == Kind::Interpolation);
        let value = parts.find_map(|part| {
            let inner = tree.child(part, Field::Expression)?;
            self.follow(inner, steps)
        })?;
        matches!(
            value.gives,
            Gives::Major | Gives::Number | Gives::Pair | Gives::Capability | Gives::Text
        )
        .then(|| value.one(Gives::Text))
    }
}

/// The last name of what is imported.
fn path_end(binding: &Binding) -> &[u8] {
    match &binding.what {
        What::Import(path) => path.rsplit('.').next().unwrap_or_default().as_bytes(),
        _ => b"",
    }
}

/// Whether a module has one of the names for a value as they are in the target's module.
fn asks_target(unit: &PythonUnit<'_>, gpus: &Gpus) -> bool {
    let module = &unit.positions().module;
    contains(unit.text, module.musa.as_bytes())
        && gpus.inside(&module.cuda).any(|inside| {
            let name = format!("{}{inside}", module.musa);
            contains(unit.text, name.as_bytes())
        })
}
