//! Where names of environment variables stand, and what is done with the variables there.

use std::cell::OnceCell;

use rustc_hash::FxHashSet;

use super::super::PythonUnit;
use super::super::reading::{Reading, reading};
use crate::mapping::{Deed, EnvironmentPlaces};
use crate::syntax::python::{Consumer, Field, Kind, Literal, NodeId, Step, Use, What};

/// Whether a string names an environment variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// It surely does.
    Variable(Doing),
    /// It may.
    Perhaps,
    /// It does not.
    Elsewhere,
}

/// What is done with a variable, and by what.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Doing {
    /// Its value is asked for, or its name is kept for that.
    Reads,
    /// `environ[…] = …`, or `del environ[…]`: the item.
    Item(Deed, NodeId),
    /// `environ.setdefault(…)`, `monkeypatch.delenv(…)`: the call.
    Call(Deed, NodeId),
    /// An entry of a dictionary.
    Entry(NodeId),
    /// A keyword of a call that makes a dictionary.
    Keyword(NodeId),
}

impl Doing {
    /// Whether the variable gets a value.
    pub fn sets(self) -> bool {
        match self {
            Self::Reads => false,
            Self::Item(deed, _) | Self::Call(deed, _) => deed == Deed::Set,
            Self::Entry(_) | Self::Keyword(_) => true,
        }
    }
}

/// How many names are followed to an environment.
const STEPS: usize = 6;

/// The places of a module.
pub struct Places<'u, 'a> {
    unit: &'u PythonUnit<'a>,
    known: &'a EnvironmentPlaces,
    /// Names by which environments are asked for a variable: `environ[name]`.
    keys: OnceCell<FxHashSet<&'a [u8]>>,
}

impl<'u, 'a> Places<'u, 'a> {
    /// The places of a module, none of them looked at yet.
    pub fn new(unit: &'u PythonUnit<'a>) -> Self {
        Self {
            unit,
            known: &unit.lore.knowledge.surroundings.environment,
            keys: OnceCell::new(),
        }
    }

    /// What a string is, by what takes it.
    pub fn of(&self, literal: &Literal, of: &Use) -> Place {
        let tree = &self.unit.module.tree;
        // A part of a longer text is none.
        if of.is_part() {
            return Place::Elsewhere;
        }
        let sure = |yes: bool| {
            if yes {
                Place::Variable(Doing::Reads)
            } else {
                Place::Perhaps
            }
        };
        let found = match of.consumer {
            Consumer::Item { of: object } if self.is_environment(object) => {
                let item = tree
                    .ancestors(literal.node)
                    .find(|&one| tree.kind(one) == Kind::Subscript);
                Place::Variable(item.map_or(Doing::Reads, |item| self.item(item)))
            }
            Consumer::Argument { call, position } => self.argument(of, call, position),
            Consumer::Comparison {
                operator, other, ..
            } => {
                let contains = matches!(tree.word(operator), b"in" | b"not in");
                sure((contains && self.is_environment(other)) || self.is_key(other))
            }
            Consumer::DictKey { pair } => match tree.parent(pair) {
                Some(dictionary) if self.is_entries(dictionary) => {
                    Place::Variable(Doing::Entry(pair))
                }
                _ => Place::Perhaps,
            },
            Consumer::DictValue { pair } => sure(
                tree.child(pair, Field::Key)
                    .is_some_and(|key| self.is_named(key))
                    || tree
                        .parent(pair)
                        .is_some_and(|dictionary| self.is_kept_in_named(dictionary)),
            ),
            Consumer::Keyword { name, .. } | Consumer::Default { name, .. } => {
                sure(self.is_named(name) || self.is_key(name))
            }
            Consumer::Target { target } | Consumer::Loop { target } => {
                sure(self.is_named(target) || self.is_key(target))
            }
            Consumer::Return { function } => sure(
                function
                    .and_then(|one| tree.child(one, Field::Name))
                    .is_some_and(|name| self.known.is_about(tree.word(name))),
            ),
            Consumer::Receiver { .. } | Consumer::Annotation => Place::Elsewhere,
            _ => Place::Perhaps,
        };
        if found == Place::Perhaps && reading(self.unit, of) == Reading::Prose {
            return Place::Elsewhere;
        }
        found
    }

    /// What is done with `environ[…]`.
    fn item(&self, item: NodeId) -> Doing {
        let tree = &self.unit.module.tree;
        let Some(up) = tree.parent(item) else {
            return Doing::Reads;
        };
        let deleted = tree.kind(up) == Kind::Delete
            || (tree.kind(up) == Kind::ExpressionList
                && tree
                    .parent(up)
                    .is_some_and(|one| tree.kind(one) == Kind::Delete));
        let set = tree.field(item) == Field::Left
            && matches!(tree.kind(up), Kind::Assignment | Kind::Augmented);
        if deleted {
            Doing::Item(Deed::Remove, item)
        } else if set {
            Doing::Item(Deed::Set, item)
        } else {
            Doing::Reads
        }
    }

    fn argument(&self, of: &Use, call: NodeId, position: Option<usize>) -> Place {
        let tree = &self.unit.module.tree;
        let Some(callee) = tree.child(call, Field::Function) else {
            return Place::Perhaps;
        };
        let word = self.unit.module.callee_word(call);
        if self
            .known
            .attribute_functions
            .iter()
            .any(|one| one.as_bytes() == word)
        {
            return Place::Elsewhere;
        }
        let alone = !of.steps.iter().any(|step| matches!(step, Step::Among(_)));
        if position == Some(0)
            && alone
            && let Some(deed) = self.function(callee, word)
        {
            return Place::Variable(match deed {
                Deed::Read => Doing::Reads,
                _ => Doing::Call(deed, call),
            });
        }
        if self.known.is_about(word) {
            return Place::Variable(Doing::Reads);
        }
        Place::Perhaps
    }

    /// What a function does with the variable that it is called with.
    fn function(&self, callee: NodeId, word: &[u8]) -> Option<Deed> {
        let tree = &self.unit.module.tree;
        let functions = &self.known.functions;
        let mut last = functions.iter().filter(|one| one.last().as_bytes() == word);
        last.clone().next()?;
        let object = tree.child(callee, Field::Object);
        last.find(|one| {
            if one.callee.starts_with("*.") {
                object.is_some()
            } else if one.callee.starts_with('.') {
                object.is_some_and(|object| self.is_environment(object))
            } else {
                let name = self.unit.module.resolve(callee);
                name.is_some_and(|name| name.name == one.callee)
            }
        })
        .map(|one| one.does)
    }

    /// Whether an expression is an environment: Python's own, a copy, or something called so.
    pub fn is_environment(&self, node: NodeId) -> bool {
        self.leads_to_environment(node, STEPS)
    }

    fn leads_to_environment(&self, node: NodeId, steps: usize) -> bool {
        let tree = &self.unit.module.tree;
        let Some(steps) = steps.checked_sub(1) else {
            return false;
        };
        let is_one = |node| self.leads_to_environment(node, steps);
        match tree.kind(node) {
            Kind::Identifier | Kind::Attribute => {
                let name = self.unit.module.resolve(node);
                name.is_some_and(|name| self.known.objects.contains(&name.name))
                    || self.is_named(node)
                    || match self.unit.module.bindings(node, tree.word(node)).1 {
                        [one] => match one.what {
                            What::Value(value) => is_one(value),
                            _ => false,
                        },
                        _ => false,
                    }
            }
            Kind::Subscript => self.is_named(node),
            Kind::Parenthesized => tree.nth(node, 0).is_some_and(is_one),
            Kind::Boolean | Kind::Binary | Kind::Conditional => {
                tree.children(node).take(STEPS).any(is_one)
            }
            Kind::Dictionary => self.is_copy(node, steps),
            Kind::Call => self.is_copying_call(node, steps),
            _ => false,
        }
    }

    /// `{**os.environ, …}`
    fn is_copy(&self, dictionary: NodeId, steps: usize) -> bool {
        let tree = &self.unit.module.tree;
        tree.children(dictionary)
            .filter(|&one| tree.kind(one) == Kind::DictionarySplat)
            .filter_map(|splat| tree.nth(splat, 0))
            .any(|of| self.leads_to_environment(of, steps))
    }

    /// `os.environ.copy()`, `dict(os.environ, …)`
    fn is_copying_call(&self, call: NodeId, steps: usize) -> bool {
        let tree = &self.unit.module.tree;
        let Some(callee) = tree.child(call, Field::Function) else {
            return false;
        };
        if self.unit.module.callee_word(call) == b"copy"
            && let Some(object) = tree.child(callee, Field::Object)
            && self.leads_to_environment(object, steps)
        {
            return true;
        }
        let name = self.unit.module.resolve(callee);
        let mut copies = self.known.copies.iter();
        let copies = copies.any(|one| {
            self.unit.module.is_builtin(callee, one)
                || name.as_ref().is_some_and(|name| name.name == *one)
        });
        let arguments = tree.child(call, Field::Arguments);
        copies
            && arguments
                .and_then(|arguments| tree.nth(arguments, 0))
                .is_some_and(|first| self.leads_to_environment(first, steps))
    }

    /// Whether something's name says that it holds an environment.
    fn is_named(&self, node: NodeId) -> bool {
        self.known.holds(&self.unit.module.last_name(node))
    }

    /// `EXCLUDED_ENVS = {"a": ["CUDA_HOME"]}`
    fn is_kept_in_named(&self, dictionary: NodeId) -> bool {
        match self.unit.module.use_of(dictionary).consumer {
            Consumer::Target { target } => self.is_named(target),
            _ => false,
        }
    }

    /// Whether the entries of a dictionary are variables.
    fn is_entries(&self, dictionary: NodeId) -> bool {
        let tree = &self.unit.module.tree;
        if self.is_copy(dictionary, STEPS) {
            return true;
        }
        match self.unit.module.use_of(dictionary).consumer {
            Consumer::Keyword { name, .. } | Consumer::Default { name, .. } => self.is_named(name),
            Consumer::Target { target } => self.is_environment(target),
            Consumer::DictValue { pair } => tree
                .child(pair, Field::Key)
                .is_some_and(|key| self.is_named(key)),
            Consumer::Return { function } => function
                .and_then(|one| tree.child(one, Field::Name))
                .is_some_and(|name| self.known.is_about(tree.word(name))),
            Consumer::Argument { call, .. } => self.takes_entries(call),
            _ => false,
        }
    }

    /// `os.environ.update(…)`, `patch.dict(os.environ, …)`, `run_with_env(…)`.
    pub fn takes_entries(&self, call: NodeId) -> bool {
        let tree = &self.unit.module.tree;
        let Some(callee) = tree.child(call, Field::Function) else {
            return false;
        };
        let object = tree.child(callee, Field::Object);
        let first = tree
            .child(call, Field::Arguments)
            .and_then(|arguments| tree.nth(arguments, 0));
        let named = |node: NodeId| {
            Literal::read(tree, node).is_some_and(|text| {
                let mut objects = self.known.objects.iter();
                objects.any(|object| object.as_bytes() == text.value())
            })
        };
        object.is_some_and(|object| self.is_environment(object))
            || first.is_some_and(|first| {
                tree.kind(first) != Kind::Dictionary && (self.is_environment(first) || named(first))
            })
            || self.known.is_about(self.unit.module.callee_word(call))
    }

    /// Whether a name is used to ask an environment for a variable.
    fn is_key(&self, node: NodeId) -> bool {
        let tree = &self.unit.module.tree;
        tree.kind(node) == Kind::Identifier && self.keys().contains(tree.word(node))
    }

    fn keys(&self) -> &FxHashSet<&'a [u8]> {
        self.keys.get_or_init(|| {
            let tree = &self.unit.module.tree;
            let names = tree
                .nodes()
                .filter(|&node| tree.kind(node) == Kind::Identifier);
            let mut keys: FxHashSet<&[u8]> = names
                .filter(|&node| self.is_asked_by(node))
                .map(|node| tree.word(node))
                .collect();
            // `for name in NAMES`: what is gone through holds names, too.
            for node in tree.nodes() {
                if matches!(tree.kind(node), Kind::For | Kind::ForIn)
                    && let Some(left) = tree.child(node, Field::Left)
                    && let Some(right) = tree.child(node, Field::Right)
                    && tree.kind(right) == Kind::Identifier
                    && keys.contains(tree.word(left))
                {
                    keys.insert(tree.word(right));
                }
            }
            keys
        })
    }

    fn is_asked_by(&self, name: NodeId) -> bool {
        let tree = &self.unit.module.tree;
        let Some(up) = tree.parent(name) else {
            return false;
        };
        match tree.kind(up) {
            Kind::Subscript if tree.field(name) == Field::Subscript => tree
                .child(up, Field::Value)
                .is_some_and(|of| self.is_environment(of)),
            Kind::ArgumentList if tree.ordinal(name) == 0 => {
                let call = tree
                    .parent(up)
                    .filter(|&call| tree.kind(call) == Kind::Call);
                let callee = call.and_then(|call| tree.child(call, Field::Function));
                call.zip(callee).is_some_and(|(call, callee)| {
                    let word = self.unit.module.callee_word(call);
                    self.function(callee, word).is_some()
                })
            }
            Kind::Comparison => tree
                .children(up)
                .any(|part| part != name && self.is_environment(part)),
            _ => false,
        }
    }
}
