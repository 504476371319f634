//! Follows the flags that a builder takes back to where they are written: through names, functions and their arguments.

use std::collections::BTreeMap;

use super::flag_lists::{FlagListKind, FlagLists};
use crate::python::{ModuleView, inference};
use torchada_syntax::python::{BoundValue, Field, Kind, NodeId};

impl FlagLists {
    /// Note that an expression is to be followed to the lists and texts that it is made of.
    pub(super) fn follow(&mut self, node: Option<NodeId>, what: FlagListKind) {
        self.pending.extend(node.map(|node| (node, what)));
    }

    /// Follow all that is pending, and what that leads to: each expression once for each kind of list.
    pub(super) fn follow_pending(&mut self, unit: &ModuleView<'_>) {
        while let Some((node, what)) = self.pending.pop() {
            self.step(unit, node, what);
        }
    }

    /// One expression, without what it leads to.
    fn step(&mut self, unit: &ModuleView<'_>, node: NodeId, what: FlagListKind) {
        let tree = &unit.module.tree;
        if tree.is_broken(node) || !self.seen.insert((what, node)) {
            return;
        }
        let children: Vec<NodeId> = tree.operands(node).collect();
        match tree.kind(node) {
            Kind::List | Kind::Tuple | Kind::Set => {
                note(&mut self.lists, node, what);
                for one in children {
                    if !matches!(tree.kind(one), Kind::Str | Kind::ConcatenatedString) {
                        self.follow(Some(one), what);
                    }
                }
            }
            Kind::Str | Kind::ConcatenatedString => {
                note(&mut self.texts, node, what);
            }
            Kind::Binary | Kind::Parenthesized | Kind::ListSplat | Kind::Boolean => {
                for one in children {
                    self.follow(Some(one), what);
                }
            }
            Kind::Conditional => {
                for at in [0, 2] {
                    self.follow(tree.nth(node, at), what);
                }
            }
            Kind::ListComprehension | Kind::Generator => {
                self.comprehensions.insert(node);
                self.follow(tree.child(node, Field::Body), what);
            }
            Kind::Identifier => self.name(unit, node, what),
            Kind::Call => self.call(unit, node, what),
            _ => {}
        }
    }

    /// Follow the values that a name is set to, and those that are added to it.
    fn name(&mut self, unit: &ModuleView<'_>, name: NodeId, what: FlagListKind) {
        let bindings = unit.module.meanings(name);
        for binding in bindings {
            match binding.what {
                BoundValue::Value(value) => self.follow(Some(value), what),
                BoundValue::Parameter => self.parameter(unit, binding.at, what),
                BoundValue::Unknown => self.part(unit, binding.at, what),
                _ => {}
            }
            self.follow_mutations(unit, binding.at, what);
        }
        let Some(bound) = bindings.first() else {
            return;
        };
        let mut places = Vec::new();
        inference::each_use_here(unit, bound.at, &mut |node| places.push(node));
        for place in places {
            self.follow_mutations(unit, place, what);
        }
    }

    /// Follow the part of several values that a name gets: `folders, libraries = parts_of(root)`.
    fn part(&mut self, unit: &ModuleView<'_>, name: NodeId, what: FlagListKind) {
        let tree = &unit.module.tree;
        let is_several = |&one: &NodeId| {
            matches!(
                tree.kind(one),
                Kind::PatternList | Kind::TuplePattern | Kind::ExpressionList | Kind::Tuple
            )
        };
        let Some(names) = tree.parent(name).filter(is_several) else {
            return;
        };
        let place = tree.ordinal(name);
        let mut before = tree.children(names).take(place);
        if before.any(|one| matches!(tree.kind(one), Kind::ListSplatPattern | Kind::ListSplat)) {
            return;
        }
        let value = tree.assigned_value(names);
        let Some(value) = value else { return };
        let functions = unit.module.functions_called(value);
        let returned = functions.flat_map(|function| tree.returned(function, usize::MAX));
        let all: Vec<NodeId> = returned.chain([value]).filter(is_several).collect();
        for several in all {
            self.follow(tree.nth(several, place), what);
        }
    }

    /// Follow the arguments that the module's calls pass to a parameter of one of its functions.
    fn parameter(&mut self, unit: &ModuleView<'_>, at: NodeId, what: FlagListKind) {
        let tree = &unit.module.tree;
        let Some(function) = tree.function_around(at) else {
            return;
        };
        let (Some(name), Some(parameters)) = (
            tree.child(function, Field::Name),
            tree.child(function, Field::Parameters),
        ) else {
            return;
        };
        let place = tree
            .operands(parameters)
            .position(|one| one == at || tree.below(one).any(|inner| inner == at));
        let word = tree.word(at);
        let mut calls = Vec::new();
        inference::each_use_here(unit, name, &mut |node| calls.push(node));
        for callee in calls {
            let Some(call) = tree.call_of(callee) else {
                continue;
            };
            let value = tree
                .keyword(call, word)
                .or_else(|| tree.argument(call, place?));
            self.follow(value, what);
        }
    }

    /// Follow the result of a call: the values that a function of the module returns, or what a method makes of its
    /// arguments.
    fn call(&mut self, unit: &ModuleView<'_>, call: NodeId, what: FlagListKind) {
        let tree = &unit.module.tree;
        let Some(callee) = tree.callee(call) else {
            return;
        };
        if tree.kind(callee) == Kind::Identifier {
            for function in unit.module.functions_called(call) {
                self.results(unit, function, what);
            }
            if !unit.module.meanings(callee).is_empty() {
                return;
            }
        } else if let Some(object) = tree.child(callee, Field::Object)
            && matches!(
                tree.word(callee).rsplit(|&byte| byte == b'.').next(),
                Some(b"copy" | b"split")
            )
        {
            self.follow(Some(object), what);
            return;
        }
        // `list(flags)`, `self.without_empty(flags)`
        let arguments: Vec<NodeId> = tree.arguments(call).collect();
        for one in arguments {
            if !matches!(tree.kind(one), Kind::Str | Kind::ConcatenatedString) {
                self.follow(Some(one), what);
            }
        }
    }

    /// Follow the values that a function returns.
    pub(super) fn results(&mut self, unit: &ModuleView<'_>, function: NodeId, what: FlagListKind) {
        for value in unit.module.tree.returned(function, usize::MAX) {
            self.follow(Some(value), what);
        }
    }
}

/// Note what a list or a text is: of several kinds the first one in their order, whichever was found first.
fn note(known: &mut BTreeMap<NodeId, FlagListKind>, node: NodeId, what: FlagListKind) {
    let kind = known.entry(node).or_insert(what);
    *kind = what.min(*kind);
}
