//! Which expressions are environments: `os.environ`, its copies, and objects whose names say so.

use super::NameClassifier;
use crate::python::inference::limits::ENVIRONMENT_STEPS;
use crate::python::inference::only_value;
use torchada_mapping::has;
use torchada_syntax::python::{Consumer, Field, Kind, Literal, NodeId};

impl NameClassifier<'_, '_> {
    /// Whether an expression is an environment: `os.environ`, a copy of it, or an object whose name says so.
    pub fn is_environment(&self, node: NodeId) -> bool {
        self.leads_to_environment(node, ENVIRONMENT_STEPS)
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
                    || only_value(self.unit, node).is_some_and(is_one)
            }
            Kind::Subscript => self.is_named(node),
            Kind::Parenthesized => tree.nth(node, 0).is_some_and(is_one),
            Kind::Boolean | Kind::Binary | Kind::Conditional => {
                tree.children(node).take(ENVIRONMENT_STEPS).any(is_one)
            }
            Kind::Dictionary => self.is_copy(node, steps),
            Kind::Call => self.is_copying_call(node, steps),
            _ => false,
        }
    }

    /// Whether a dictionary copies an environment: `{**os.environ, …}`.
    pub(super) fn is_copy(&self, dictionary: NodeId, steps: usize) -> bool {
        let tree = &self.unit.module.tree;
        tree.children(dictionary)
            .filter(|&one| tree.kind(one) == Kind::DictionarySplat)
            .filter_map(|splat| tree.nth(splat, 0))
            .any(|of| self.leads_to_environment(of, steps))
    }

    /// Whether a call copies an environment: `os.environ.copy()`, `os.environ.keys()`, `dict(os.environ, …)`,
    /// `dict(**os.environ, …)`.
    fn is_copying_call(&self, call: NodeId, steps: usize) -> bool {
        let tree = &self.unit.module.tree;
        let Some(callee) = tree.callee(call) else {
            return false;
        };
        if has(&self.known.copy_methods, self.unit.module.callee_word(call))
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
        let mut arguments = tree.arguments(call).filter_map(|one| match tree.kind(one) {
            Kind::DictionarySplat => tree.nth(one, 0),
            Kind::KeywordArgument => None,
            _ => Some(one),
        });
        copies && arguments.any(|one| self.leads_to_environment(one, steps))
    }

    /// Whether the name of an object says that the object is an environment.
    pub(super) fn is_named(&self, node: NodeId) -> bool {
        self.known.holds(&self.unit.module.last_name(node))
    }

    /// Whether the key of an entry says that the entry's value is an environment, or the name of a variable.
    pub(super) fn has_named_key(&self, pair: NodeId) -> bool {
        let key = self.unit.module.tree.child(pair, Field::Key);
        key.is_some_and(|key| self.is_named(key))
    }

    /// Whether the name of a function says that the function deals with environment variables.
    pub(super) fn is_about(&self, function: Option<NodeId>) -> bool {
        let tree = &self.unit.module.tree;
        let name = function.and_then(|one| tree.child(one, Field::Name));
        name.is_some_and(|name| self.known.is_about(tree.word(name)))
    }

    /// Whether the variable that a dictionary is assigned to has a name of an environment:
    /// `EXCLUDED_ENVS = {"a": ["CUDA_HOME"]}`.
    pub(super) fn is_assigned_to_named(&self, dictionary: NodeId) -> bool {
        match self.unit.module.use_of(dictionary).consumer {
            Consumer::Target { target } => self.is_named(target),
            _ => false,
        }
    }

    /// Whether the keys of a dictionary are environment variables.
    pub(super) fn has_variables_as_keys(&self, dictionary: NodeId) -> bool {
        if self.is_copy(dictionary, ENVIRONMENT_STEPS) {
            return true;
        }
        match self.unit.module.use_of(dictionary).consumer {
            Consumer::Keyword { name, .. } | Consumer::Default { name, .. } => self.is_named(name),
            Consumer::Target { target } => self.is_environment(target),
            Consumer::DictValue { pair } => self.has_named_key(pair),
            Consumer::Return { function } => self.is_about(function),
            Consumer::Argument { call, .. } => self.takes_entries(call),
            _ => false,
        }
    }

    /// Whether a call takes variables with their values: `os.environ.update(…)`, `patch.dict(os.environ, …)`,
    /// `run_with_env(…)`.
    pub fn takes_entries(&self, call: NodeId) -> bool {
        let tree = &self.unit.module.tree;
        let Some(callee) = tree.callee(call) else {
            return false;
        };
        let object = tree.child(callee, Field::Object);
        let first = tree.argument(call, 0);
        let named = |node: NodeId| {
            Literal::read(tree, node).is_some_and(|text| has(&self.known.objects, text.value()))
        };
        object.is_some_and(|object| self.is_environment(object))
            || first.is_some_and(|first| {
                tree.kind(first) != Kind::Dictionary && (self.is_environment(first) || named(first))
            })
            || self.known.is_about(self.unit.module.callee_word(call))
    }
}
