//! Where names of environment variables stand, and what is done with the variables there.

mod environments;
mod keys;

use std::cell::OnceCell;

use rustc_hash::FxHashSet;

use crate::mapping::{EnvironmentPlaces, VariableAccess};
use crate::rules::python::ModuleView;
use crate::rules::python::inference::options::has;
use crate::rules::python::inference::{StringRole, string_role};
use crate::syntax::python::{Consumer, Field, Kind, Literal, NodeId, Use, Wrapper};

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

impl Place {
    /// The place of a name that is kept or asked for, where that is known, else of one that may be.
    fn named_if(known: bool) -> Self {
        if known {
            Self::Variable(Doing::Reads)
        } else {
            Self::Perhaps
        }
    }
}

/// What is done with a variable, and by what.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Doing {
    /// Its value is asked for, or its name is kept for that.
    Reads,
    /// `environ[…] = …`, or `del environ[…]`: the item.
    Item(VariableAccess, NodeId),
    /// `environ.setdefault(…)`, `monkeypatch.delenv(…)`: the call.
    Call(VariableAccess, NodeId),
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
            Self::Item(deed, _) | Self::Call(deed, _) => deed == VariableAccess::Set,
            Self::Entry(_) | Self::Keyword(_) => true,
        }
    }
}

/// The places of a module.
pub struct Places<'u, 'a> {
    unit: &'u ModuleView<'a>,
    known: &'a EnvironmentPlaces,
    /// Names by which environments are asked for a variable: `environ[name]`.
    keys: OnceCell<FxHashSet<&'a [u8]>>,
}

impl<'u, 'a> Places<'u, 'a> {
    /// The places of a module, none of them looked at yet.
    pub fn new(unit: &'u ModuleView<'a>) -> Self {
        Self {
            unit,
            known: &unit.context.knowledge.python_strings.environment,
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
        let found = match of.consumer {
            Consumer::Item { of: object } if self.is_environment(object) => {
                let item = tree
                    .ancestors(literal.node)
                    .find(|&one| tree.kind(one) == Kind::Subscript);
                Place::Variable(item.map_or(Doing::Reads, |item| self.item(item)))
            }
            // `info["CUDA_HOME"]`: a label of what is told.
            Consumer::Item { of: object }
                if self.known.is_report(&self.unit.module.last_name(object)) =>
            {
                Place::Elsewhere
            }
            Consumer::Argument { call, position } => self.argument(of, call, position),
            Consumer::Comparison {
                operator, other, ..
            } => {
                let contains = matches!(tree.word(operator), b"in" | b"not in");
                Place::named_if((contains && self.is_environment(other)) || self.is_key(other))
            }
            Consumer::DictKey { pair } => match tree.parent(pair) {
                Some(dictionary) if self.is_entries(dictionary) => {
                    Place::Variable(Doing::Entry(pair))
                }
                _ => Place::Perhaps,
            },
            Consumer::DictValue { pair } => Place::named_if(
                self.has_named_key(pair)
                    || tree
                        .parent(pair)
                        .is_some_and(|dictionary| self.is_kept_in_named(dictionary)),
            ),
            Consumer::Keyword { name, .. } | Consumer::Default { name, .. } => {
                Place::named_if(self.is_named(name) || self.is_key(name))
            }
            Consumer::Target { target } | Consumer::Loop { target } => {
                Place::named_if(self.is_named(target) || self.is_key(target))
            }
            Consumer::Return { function } => Place::named_if(self.is_about(function)),
            Consumer::Receiver { .. } | Consumer::Annotation => Place::Elsewhere,
            _ => Place::Perhaps,
        };
        if found == Place::Perhaps && string_role(self.unit, of) == StringRole::Text {
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
            Doing::Item(VariableAccess::Remove, item)
        } else if set {
            Doing::Item(VariableAccess::Set, item)
        } else {
            Doing::Reads
        }
    }

    fn argument(&self, of: &Use, call: NodeId, position: Option<usize>) -> Place {
        let word = self.unit.module.callee_word(call);
        if has(&self.known.attribute_functions, word) {
            return Place::Elsewhere;
        }
        let alone = !of
            .steps
            .iter()
            .any(|step| matches!(step, Wrapper::Among(_)));
        if position == Some(0)
            && alone
            && let Some(deed) = self.function(call)
        {
            return Place::Variable(match deed {
                VariableAccess::Read => Doing::Reads,
                _ => Doing::Call(deed, call),
            });
        }
        Place::named_if(self.known.is_about(word))
    }

    /// What a call does with the variable that it is given.
    fn function(&self, call: NodeId) -> Option<VariableAccess> {
        let tree = &self.unit.module.tree;
        let callee = tree.child(call, Field::Function)?;
        let word = self.unit.module.callee_word(call);
        let functions = self.known.functions.iter();
        let mut called_so = functions.filter(|one| one.last().as_bytes() == word);
        let object = tree.child(callee, Field::Object);
        called_so
            .find(|one| {
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
}
