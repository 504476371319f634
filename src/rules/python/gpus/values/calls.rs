//! Which fact about a GPU a call gives: a call of `PyTorch`'s functions, of Python's or of the module's own.

use super::{GpuFact, GpuSlot, MEANINGS_OF_NAME, REACH, ValueTerm, Values};
use crate::python::inference::callee::{functions, node_of};
use torchada_mapping::has;
use torchada_mapping::python::gpus::{GpuValueKind, Makes};
use torchada_syntax::python::{Binding, Field, Kind, NodeId};

impl<'a> Values<'a> {
    /// Which fact a call gives.
    pub(super) fn call(&self, call: NodeId, depth: usize) -> Option<ValueTerm<'a>> {
        let module = self.unit.module;
        let tree = &module.tree;
        let callee = tree.callee(call)?;
        let word = module.callee_word(call);
        let at_call = |value: GpuFact| GpuFact {
            origin: Some(call),
            ..value
        };
        if let Some(found) = self.dotted(callee, word, true) {
            return Some(ValueTerm::Fact(Some(at_call(found))));
        }
        let mut returned: Vec<ValueTerm<'a>> = Vec::new();
        returned.extend(self.text_of_version(call).map(|text| {
            let is_text = |one: &GpuFact| one.gives == GpuValueKind::Text && !one.many;
            self.term(text, depth).map(move |value| {
                let value = value.filter(is_text);
                value.map(|value| converted(value, Makes::Number))
            })
        }));
        if tree.kind(callee) == Kind::Identifier {
            if let Some(makes) = self.gpus.python.makes(word)
                && !self.is_bound(callee)
            {
                let first = tree.nth(tree.child(call, Field::Arguments)?, 0)?;
                let value = self.term(first, depth);
                return Some(value.map(move |value| value.map(|value| converted(value, makes))));
            }
            let called = self.functions_named(callee, word);
            returned.extend(called.map(|function| ValueTerm::Of(GpuSlot::Return(function))));
        }
        returned.extend(self.default(call).map(|default| {
            let value = self.term(default, depth);
            value.map(|value| value.filter(|one| one.is_version()))
        }));
        let method = self.method(callee);
        returned.extend(method.map(|function| ValueTerm::Of(GpuSlot::Return(function))));
        returned.push(match tree.child(callee, Field::Object) {
            Some(object) if self.gpus.python.keeps_text(word) => {
                self.term(object, depth).map(|value| {
                    value.filter(|one| matches!(one.gives, GpuValueKind::Text | GpuValueKind::Name))
                })
            }
            _ => {
                let named = self
                    .suggested(word)
                    // A function whose name suggests properties may give a table or a class.
                    .filter(|value| value.gives != GpuValueKind::Properties);
                ValueTerm::Fact(named.map(at_call))
            }
        });
        Some(ValueTerm::First(returned))
    }

    /// The text that a call makes a version of: `version.parse("8.0")`.
    pub fn text_of_version(&self, call: NodeId) -> Option<NodeId> {
        let text = self.unit.module.tree.argument(call, 0)?;
        let name = self.unit.callee_name(call)?;
        self.gpus.python.makes_version(&name.name).then_some(text)
    }

    /// What a call gives where there is nothing else: `os.environ.get("CUDA_VERSION", torch.version.cuda)`.
    pub fn default(&self, call: NodeId) -> Option<NodeId> {
        let module = self.unit.module;
        let word = module.callee_word(call);
        let is_one = has(&self.gpus.none.defaults, word);
        module.tree.argument(call, 1).filter(|_| is_one)
    }

    /// The method of the same class that a call calls, where the module has it.
    fn method(&self, callee: NodeId) -> Option<NodeId> {
        let unit = &self.unit;
        let tree = &unit.module.tree;
        let object = tree.child(callee, Field::Object)?;
        if !tree.is_self(object) {
            return None;
        }
        let mut known = functions(unit, callee).into_iter();
        let own = known.find(|one| one.file == unit.index && !one.fields)?;
        let head = unit.modules.function(own)?;
        node_of(unit, head.name, head.at)
    }

    /// The functions of the module that a name may stand for.
    fn functions_named(&self, node: NodeId, word: &[u8]) -> impl Iterator<Item = NodeId> {
        let bindings = self.unit.module.bindings(node, word).1.iter();
        bindings
            .take(MEANINGS_OF_NAME)
            .filter_map(Binding::function)
    }

    /// Whether the module binds a name.
    fn is_bound(&self, node: NodeId) -> bool {
        let module = self.unit.module;
        !module.meanings(node).is_empty()
    }

    /// The expressions that a function of the module returns.
    pub fn returns(&self, function: NodeId) -> impl Iterator<Item = NodeId> {
        self.unit.module.tree.returned(function, REACH)
    }

    /// Which fact an item of a tuple gives. The tuple is the expression itself, or what a function of the module returns:
    /// `count, major = f()` where `f` returns `properties.count, properties.major`.
    pub(super) fn element(&self, node: NodeId, at: usize, depth: usize) -> ValueTerm<'a> {
        let module = self.unit.module;
        let tree = &module.tree;
        match tree.kind(node) {
            Kind::Tuple | Kind::ExpressionList => match tree.nth(node, at) {
                Some(part) => self
                    .term(part, depth)
                    .map(|value| value.filter(|one| !one.many)),
                None => ValueTerm::nothing(),
            },
            Kind::Call => {
                let Some(callee) = tree.callee(node) else {
                    return ValueTerm::nothing();
                };
                let called = self.functions_named(callee, module.callee_word(node));
                let items = called.map(|function| ValueTerm::Of(GpuSlot::ReturnItem(function, at)));
                ValueTerm::First(items.collect())
            }
            _ => ValueTerm::nothing(),
        }
    }
}

/// The value that a function of Python's makes of another.
fn converted(value: GpuFact, makes: Makes) -> GpuFact {
    match (makes, value.gives) {
        (Makes::Number, GpuValueKind::Text) => value.one(GpuValueKind::Number),
        (Makes::Text, GpuValueKind::Number) => value.one(GpuValueKind::Text),
        (Makes::Single, gives) => value.one(gives),
        _ => value,
    }
}
