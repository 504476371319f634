//! What a call says: of `PyTorch`'s functions, of Python's and of the module's own.

use super::{CANDIDATES, REACH, Value, Values};
use crate::mapping::gpus::{GpuValueKind, Makes};
use crate::rules::python::inference::callee::{functions, node_of};
use crate::syntax::python::{Field, Kind, NodeId, What};

impl Values<'_, '_> {
    /// What a call says.
    pub(super) fn call(&self, call: NodeId, steps: usize) -> Option<Value> {
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
        if tree.kind(callee) == Kind::Identifier {
            if let Some(makes) = self.gpus.python.makes(word)
                && !self.is_bound(callee)
            {
                let first = tree.nth(tree.child(call, Field::Arguments)?, 0)?;
                return self.follow(first, steps).map(|value| made(value, makes));
            }
            let mut called = self.functions_named(callee, word);
            if let Some(found) = called.find_map(|function| self.returned(function, steps)) {
                return Some(found);
            }
        }
        if let Some(found) = self.method(callee, steps) {
            return Some(found);
        }
        if let Some(object) = tree.child(callee, Field::Object)
            && self.gpus.python.keeps_text(word)
        {
            return self
                .follow(object, steps)
                .filter(|value| matches!(value.gives, GpuValueKind::Text | GpuValueKind::Name));
        }
        self.by_name(word)
            // A function with a number's name may give a table or a class.
            .filter(|value| value.gives != GpuValueKind::Properties)
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

    /// The functions of the module that a name may stand for.
    fn functions_named(&self, node: NodeId, word: &[u8]) -> impl Iterator<Item = NodeId> {
        let bindings = self.unit.module.bindings(node, word).1.iter();
        bindings
            .take(CANDIDATES)
            .filter_map(|binding| match binding.what {
                What::Function(function) => Some(function),
                _ => None,
            })
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
    pub(super) fn element(&self, node: NodeId, at: i64, steps: usize) -> Option<Value> {
        let module = self.unit.module;
        let tree = &module.tree;
        match tree.kind(node) {
            Kind::Tuple | Kind::ExpressionList => {
                let part = tree.nth(node, usize::try_from(at).ok()?)?;
                self.follow(part, steps).filter(|one| !one.many)
            }
            Kind::Call => {
                let callee = tree.child(node, Field::Function)?;
                let mut called = self.functions_named(callee, module.callee_word(node));
                let steps = steps.checked_sub(1)?;
                called.find_map(|function| {
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
}

/// What a function of Python's makes of a value.
fn made(value: Value, makes: Makes) -> Value {
    match (makes, value.gives) {
        (Makes::Number, GpuValueKind::Text) => value.one(GpuValueKind::Number),
        (Makes::Text, GpuValueKind::Number) => value.one(GpuValueKind::Text),
        (Makes::Single, gives) => value.one(gives),
        _ => value,
    }
}
