//! Which strings of a module name environment variables, and what the code does with those variables.

mod environments;
mod keys;

use std::cell::OnceCell;

use rustc_hash::FxHashSet;

use crate::python::ModuleView;
use crate::python::inference::{StringRole, string_role};
use torchada_mapping::{EnvironmentPlaces, VariableAccess, has};
use torchada_syntax::python::{Consumer, Field, Kind, Literal, NodeId, Use, Wrapper};

/// The meanings of a string that looks like the name of a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NameMeaning {
    /// The string names a variable, which the code uses in this way.
    Variable(VariableUse),
    /// The string may name a variable, or be a label.
    MaybeVariable,
    /// The string names no variable.
    Other,
}

impl NameMeaning {
    /// A variable that is read, if `certain`; else a string that may name one.
    fn read_if(certain: bool) -> Self {
        if certain {
            Self::Variable(VariableUse::Read)
        } else {
            Self::MaybeVariable
        }
    }
}

/// The uses of a variable, each with the node that uses it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum VariableUse {
    /// The code reads the variable, or stores its name in order to read it later.
    Read,
    /// `environ[…] = …`, or `del environ[…]`: the node is `environ[…]`.
    Item(VariableAccess, NodeId),
    /// `environ.setdefault(…)`, `monkeypatch.delenv(…)`: the node is the call.
    Call(VariableAccess, NodeId),
    /// The variable is a key of a dictionary: the node is the entry.
    Entry(NodeId),
    /// The variable is a keyword of a call that makes a dictionary: the node is the argument.
    Keyword(NodeId),
}

impl VariableUse {
    /// Whether the variable gets a value.
    pub fn sets(self) -> bool {
        match self {
            Self::Read => false,
            Self::Item(access, _) | Self::Call(access, _) => access == VariableAccess::Set,
            Self::Entry(_) | Self::Keyword(_) => true,
        }
    }
}

/// Finds out which strings of a module name variables.
pub struct NameClassifier<'u, 'a> {
    unit: &'u ModuleView<'a>,
    known: &'a EnvironmentPlaces,
    /// The names that hold a key of an environment, such as `name` in `environ[name]`.
    keys: OnceCell<FxHashSet<&'a [u8]>>,
}

impl<'u, 'a> NameClassifier<'u, 'a> {
    /// A classifier for the strings of a module.
    pub fn new(unit: &'u ModuleView<'a>) -> Self {
        Self {
            unit,
            known: &unit.context.knowledge.python_strings.environment,
            keys: OnceCell::new(),
        }
    }

    /// The meaning of a string, by the code that uses it.
    pub fn classify(&self, literal: &Literal, of: &Use) -> NameMeaning {
        let tree = &self.unit.module.tree;
        // A part of a longer text names no variable.
        if of.is_part() {
            return NameMeaning::Other;
        }
        let found = match of.consumer {
            Consumer::Item { of: object } if self.is_environment(object) => {
                let item = tree
                    .ancestors(literal.node)
                    .find(|&one| tree.kind(one) == Kind::Subscript);
                NameMeaning::Variable(item.map_or(VariableUse::Read, |item| self.item(item)))
            }
            // `info["CUDA_HOME"]`: a label in a report.
            Consumer::Item { of: object }
                if self.known.is_report(&self.unit.module.last_name(object)) =>
            {
                NameMeaning::Other
            }
            Consumer::Argument { call, position } => self.argument(of, call, position),
            Consumer::Comparison {
                operator, other, ..
            } => {
                let contains = matches!(tree.word(operator), b"in" | b"not in");
                NameMeaning::read_if((contains && self.is_environment(other)) || self.is_key(other))
            }
            Consumer::DictKey { pair } => match tree.parent(pair) {
                Some(dictionary) if self.has_variables_as_keys(dictionary) => {
                    NameMeaning::Variable(VariableUse::Entry(pair))
                }
                _ => NameMeaning::MaybeVariable,
            },
            Consumer::DictValue { pair } => NameMeaning::read_if(
                self.has_named_key(pair)
                    || tree
                        .parent(pair)
                        .is_some_and(|dictionary| self.is_assigned_to_named(dictionary)),
            ),
            Consumer::Keyword { call, name } if self.names_variable(call, name) => {
                NameMeaning::Variable(VariableUse::Read)
            }
            Consumer::Keyword { name, .. } | Consumer::Default { name, .. } => {
                NameMeaning::read_if(self.is_named(name) || self.is_key(name))
            }
            Consumer::Target { target } | Consumer::Loop { target } => {
                NameMeaning::read_if(self.is_named(target) || self.is_key(target))
            }
            Consumer::Return { function } => NameMeaning::read_if(self.is_about(function)),
            Consumer::Receiver { .. } | Consumer::Annotation => NameMeaning::Other,
            _ => NameMeaning::MaybeVariable,
        };
        if found == NameMeaning::MaybeVariable && string_role(self.unit, of) == StringRole::Text {
            return NameMeaning::Other;
        }
        found
    }

    /// Whether a keyword is what a variable is called that a call makes: `V1EnvVar(name=…)`.
    fn names_variable(&self, call: NodeId, keyword: NodeId) -> bool {
        let word = self.unit.module.callee_word(call);
        self.unit.module.tree.word(keyword) == b"name" && has(&self.known.variable_classes, word)
    }

    /// How the code uses `environ[…]`.
    fn item(&self, item: NodeId) -> VariableUse {
        let tree = &self.unit.module.tree;
        let Some(up) = tree.parent(item) else {
            return VariableUse::Read;
        };
        let deleted = tree.kind(up) == Kind::Delete
            || (tree.kind(up) == Kind::ExpressionList
                && tree.parent_if(up, Kind::Delete).is_some());
        let set = tree.field(item) == Field::Left
            && matches!(tree.kind(up), Kind::Assignment | Kind::Augmented);
        if deleted {
            VariableUse::Item(VariableAccess::Remove, item)
        } else if set {
            VariableUse::Item(VariableAccess::Set, item)
        } else {
            VariableUse::Read
        }
    }

    /// The meaning of a string that is an argument of a call.
    fn argument(&self, of: &Use, call: NodeId, position: Option<usize>) -> NameMeaning {
        let word = self.unit.module.callee_word(call);
        if has(&self.known.attribute_functions, word) {
            return NameMeaning::Other;
        }
        let alone = !of
            .steps
            .iter()
            .any(|step| matches!(step, Wrapper::Among(_)));
        if position == Some(0)
            && alone
            && let Some(access) = self.access_of_call(call)
        {
            return NameMeaning::Variable(match access {
                VariableAccess::Read => VariableUse::Read,
                _ => VariableUse::Call(access, call),
            });
        }
        NameMeaning::read_if(self.known.is_about(word))
    }

    /// How a call uses the variable whose name is its first argument.
    fn access_of_call(&self, call: NodeId) -> Option<VariableAccess> {
        let tree = &self.unit.module.tree;
        let callee = tree.callee(call)?;
        let word = self.unit.module.callee_word(call);
        let functions = self.known.functions.iter();
        let mut same_name = functions.filter(|one| one.last().as_bytes() == word);
        let object = tree.child(callee, Field::Object);
        same_name
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
