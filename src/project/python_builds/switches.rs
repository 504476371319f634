//! Which variables of the environment decide whether a build comes to a place.

use std::collections::BTreeMap;

use super::environment::Environment;
use super::filters::conditions_around;
use super::reader::{Place, Reader};
use super::result::SwitchValue;
use torchada_syntax::python::{Field, Kind};

/// How many calls of functions lead to a place, one inside the other, and how many of one function are looked at.
const DEPTH: usize = 4;
const CALLS: usize = 16;

/// How many expressions are looked at for one place.
const STEPS: usize = 20_000;

/// How many variables of one place are tried.
const VARIABLES: usize = 8;

impl<'p, 't> Reader<'p, 't> {
    /// The variables that decide whether a build comes to a place.
    pub(super) fn switches(&self, at: Place) -> Vec<SwitchValue> {
        let variables_read = self.try_with(at, String::new(), None).1.variables_read;
        let mut found = Vec::new();
        for (variable, place) in variables_read.into_iter().take(VARIABLES) {
            let (is_off, environment) = self.try_with(at, variable.clone(), None);
            if environment.is_free || environment.steps == 0 {
                continue;
            }
            let values = &self.table.switches.values;
            let value = values.iter().find(|value| {
                self.try_with(at, variable.clone(), Some((*value).clone()))
                    .0
                    != is_off
            });
            found.extend(value.map(|value| SwitchValue {
                variable,
                value: value.clone(),
                leaves_out: !is_off,
                at: place,
            }));
        }
        found
    }

    /// Whether a build with a variable of this value surely does not come to a place.
    fn try_with<'r>(
        &'r self,
        at: Place,
        variable: String,
        value: Option<String>,
    ) -> (bool, Environment<'r, 'p, 't>) {
        let mut environment = Environment {
            reader: self,
            table: &self.table.switches,
            variable: (variable, value),
            variables_read: BTreeMap::new(),
            is_free: false,
            steps: STEPS,
        };
        let is_out = self.is_left_out(at, &mut environment, DEPTH);
        (is_out, environment)
    }

    fn is_left_out(
        &self,
        at: Place,
        environment: &mut Environment<'_, '_, '_>,
        depth: usize,
    ) -> bool {
        let parsed = self.module_of(at);
        let tree = &parsed.tree;
        let mut is_out = false;
        for (node, holds) in conditions_around(tree, at.node, None) {
            is_out |= environment.truth(at.with(node)) == Some(!holds);
        }
        let function = tree
            .ancestors(at.node)
            .find(|&up| matches!(tree.kind(up), Kind::Function | Kind::Lambda | Kind::Class))
            .filter(|&up| tree.kind(up) == Kind::Function);
        let (Some(function), Some(depth)) = (function, depth.checked_sub(1)) else {
            return is_out;
        };
        // `if …: return` before it.
        let blocks = tree.ancestors(at.node).take_while(|&up| up != function);
        for block in blocks.filter(|&up| tree.kind(up) == Kind::Block) {
            let start = tree.range(at.node).start;
            let before = tree
                .children(block)
                .take_while(|&one| tree.range(one).end <= start);
            for branch in before.filter(|&one| tree.kind(one) == Kind::If) {
                let last = tree.last_statement(branch);
                let ends = last.is_some_and(|one| tree.leaves_block(one));
                let condition = tree.child(branch, Field::Condition).filter(|_| ends);
                let holds = condition.and_then(|node| environment.truth(at.with(node)));
                is_out |= holds == Some(true);
            }
        }
        let name = tree.child(function, Field::Name);
        let name = name.map_or(&b""[..], |name| tree.word(name));
        let calls = parsed.places_of(name);
        let mut calls = calls
            .iter()
            .filter(|&&one| tree.field(one) == Field::Function)
            .peekable();
        let is_called = calls.peek().is_some();
        let mut are_all_out = is_called;
        for &node in calls.take(CALLS) {
            are_all_out &= self.is_left_out(at.with(node), environment, depth);
        }
        is_out || are_all_out
    }
}
