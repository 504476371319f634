//! Which functions of a module `TorchScript` compiles, as far as the module and those which import it show that.

use std::collections::{BTreeMap, BTreeSet};

use crate::python::ModuleView;
use crate::python::inference::callee;
use crate::python::inference::callee::{class_of, node_of};
use crate::python::inference::only_value;
use torchada_syntax::python::{BoundValue, Field, Kind, NodeId};
use torchada_text::{contains, last_part};

/// How a function shows that `TorchScript` compiles it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum ScriptEvidence {
    /// It asks whether it runs there: Python runs it as well.
    Asks,
    /// The module has it compiled.
    Compiled,
}

/// The functions of a module that `TorchScript` compiles, as far as the module shows that.
pub(super) fn functions(unit: &ModuleView<'_>) -> BTreeMap<NodeId, ScriptEvidence> {
    let known = &unit.python_values().torchscript;
    let tree = &unit.module.tree;
    let elsewhere = compiled_elsewhere(unit).into_iter();
    let mut found: BTreeMap<NodeId, ScriptEvidence> = elsewhere
        .map(|one| (one, ScriptEvidence::Compiled))
        .collect();
    if !unit.contains("jit") {
        return found;
    }
    let mut compiled: Vec<&[u8]> = Vec::new();
    for node in tree.nodes() {
        match tree.kind(node) {
            Kind::Decorated if is_decorated(unit, node, &known.decorators) => {
                let function = tree
                    .children(node)
                    .find(|&one| tree.kind(one) == Kind::Function);
                found.extend(function.map(|one| (one, ScriptEvidence::Compiled)));
            }
            Kind::Call if calls(unit, node, &known.asks) => {
                let around = tree.ancestors(node);
                let function = around.into_iter().find(|&one| is_function(unit, one));
                let stays_python = |function: &NodeId| {
                    tree.parent(*function)
                        .is_some_and(|up| is_decorated(unit, up, &known.leaves))
                };
                if let Some(function) = function.filter(|function| !stays_python(function)) {
                    found.entry(function).or_insert(ScriptEvidence::Asks);
                }
            }
            Kind::Call if calls(unit, node, &known.functions) => {
                let Some(argument) = tree.argument(node, 0) else {
                    continue;
                };
                if let Some(class) = class_of_module(unit, argument) {
                    let methods = methods(unit, class).into_iter();
                    found.extend(methods.map(|one| (one, ScriptEvidence::Compiled)));
                } else if tree.kind(argument) == Kind::Identifier {
                    compiled.push(tree.word(argument));
                }
            }
            _ => {}
        }
    }
    if !compiled.is_empty() {
        let named = tree.nodes().filter(|&node| {
            is_function(unit, node)
                && tree
                    .child(node, Field::Name)
                    .is_some_and(|name| compiled.contains(&tree.word(name)))
        });
        found.extend(named.map(|one| (one, ScriptEvidence::Compiled)));
    }
    found
}

/// The functions of a module that those which import it have compiled: `torch.jit.script(layers.Norm(3))`.
fn compiled_elsewhere(unit: &ModuleView<'_>) -> Vec<NodeId> {
    let known = &unit.python_values().torchscript;
    let importers = unit.modules.importers(unit.index).iter();
    let files: BTreeSet<usize> = importers.map(|&(file, _)| file).collect();
    if files.is_empty() || !unit.is_whole_file {
        return Vec::new();
    }
    // Triton's `jit` stands in many files, and so does the word `script`; TorchScript's functions stand in few.
    let callers: Vec<Caller<'_>> = known
        .functions
        .iter()
        .map(|name| Caller::of(name))
        .collect();
    let compiles = |file: usize| {
        let has = |word: &str| unit.modules.has(file, word.as_bytes());
        if !has("jit") || !callers.iter().any(|one| has(one.name)) {
            return false;
        }
        let text = unit.modules.text_once(file);
        callers
            .iter()
            .any(|one| has(one.name) && one.may_stand_in(&text))
    };
    let others = files
        .into_iter()
        .filter(|&file| file != unit.index && compiles(file))
        .filter_map(|file| unit.other(file));
    let mut found = Vec::new();
    for other in others {
        let tree = &other.module.tree;
        let compiled = tree
            .of(Kind::Call)
            .filter(|&call| calls(&other, call, &known.functions))
            .filter_map(|call| tree.argument(call, 0));
        for argument in compiled {
            found.extend(class_here(unit, &other, argument).map_or_else(
                || functions_here(unit, &other, argument),
                |class| methods(unit, class),
            ));
        }
    }
    found
}

/// A function that compiles its argument, as code may name it.
struct Caller<'k> {
    /// Its own name: `script`.
    name: &'k str,
    /// The module that it is imported from: `torch.jit`.
    home: &'k str,
    /// Its name with its module's: `jit.script`.
    called: String,
}

impl<'k> Caller<'k> {
    fn of(full: &'k str) -> Self {
        let name = last_part(full);
        let home = full.strip_suffix(name).unwrap_or_default();
        let home = home.trim_end_matches('.');
        let called = format!("{}.{name}", last_part(home));
        Self { name, home, called }
    }

    fn may_stand_in(&self, text: &[u8]) -> bool {
        contains(text, self.home) || contains(text, &self.called)
    }
}

/// The class of a module that another module makes an object from.
fn class_here(unit: &ModuleView<'_>, other: &ModuleView<'_>, object: NodeId) -> Option<NodeId> {
    let (_, class) = class_of(other, object).filter(|(file, _)| *file == unit.index)?;
    let head = unit.modules.outline(unit.index)?.classes.get(class)?;
    node_of(unit, head.name, head.at)
}

/// The functions of a module that an expression of another module may be.
fn functions_here(
    unit: &ModuleView<'_>,
    other: &ModuleView<'_>,
    expression: NodeId,
) -> Vec<NodeId> {
    let named = callee::functions(other, expression).into_iter();
    named
        .filter(|one| one.file == unit.index)
        .filter_map(|one| unit.modules.function(one))
        .filter_map(|head| node_of(unit, head.name, head.at))
        .collect()
}

fn is_function(unit: &ModuleView<'_>, node: NodeId) -> bool {
    unit.module.tree.kind(node) == Kind::Function
}

/// Whether one of the decorators of a definition is one of those named.
fn is_decorated(unit: &ModuleView<'_>, definition: NodeId, named: &[String]) -> bool {
    let tree = &unit.module.tree;
    tree.decorators(definition)
        .map(|name| tree.callee(name).unwrap_or(name))
        .filter_map(|name| unit.module.resolve(name))
        .any(|name| named.contains(&name.name))
}

/// Whether a call is one of the functions named.
pub(super) fn calls(unit: &ModuleView<'_>, call: NodeId, named: &[String]) -> bool {
    let callee = unit.module.callee_word(call);
    let may = |name: &String| last_part(name).as_bytes() == callee;
    named.iter().any(may)
        && unit
            .module
            .callee_name(call)
            .is_some_and(|name| named.contains(&name.name))
}

/// The class of this module that an object is made from: `Model(3)`, or the name of such an object.
fn class_of_module(unit: &ModuleView<'_>, object: NodeId) -> Option<NodeId> {
    let tree = &unit.module.tree;
    let value = match tree.kind(object) {
        Kind::Identifier => only_value(unit, object)?,
        _ => object,
    };
    let class = tree
        .callee(value)
        .filter(|&one| tree.kind(one) == Kind::Identifier)?;
    match unit.module.meanings(class) {
        [only] => match only.what {
            BoundValue::Class(class) => Some(class),
            _ => None,
        },
        _ => None,
    }
}

/// The methods of a module's class that `TorchScript` compiles with the module: the one that a call of it runs, and those
/// that compiled methods call.
fn methods(unit: &ModuleView<'_>, class: NodeId) -> Vec<NodeId> {
    let known = &unit.python_values().torchscript;
    let tree = &unit.module.tree;
    let of_class = |&node: &NodeId| {
        let mut around = tree.ancestors(node);
        around.find(|&one| matches!(tree.kind(one), Kind::Class | Kind::Function)) == Some(class)
    };
    let methods: Vec<NodeId> = tree
        .below(class)
        .filter(|&node| is_function(unit, node))
        .filter(of_class)
        .filter(|&method| {
            tree.parent(method)
                .is_none_or(|up| !is_decorated(unit, up, &known.leaves))
        })
        .collect();
    let name = |method: NodeId| tree.child(method, Field::Name).map(|name| tree.word(name));
    let mut called: Vec<&[u8]> = vec![known.method.as_bytes()];
    let mut found = Vec::new();
    while let Some(word) = called.pop() {
        let method = methods.iter().find(|&&one| name(one) == Some(word));
        let Some(&method) = method.filter(|&one| !found.contains(one)) else {
            continue;
        };
        found.push(method);
        let calls = tree
            .below(method)
            .filter(|&node| tree.kind(node) == Kind::Call);
        called.extend(calls.map(|call| unit.module.callee_word(call)));
    }
    found
}
