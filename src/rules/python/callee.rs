//! Which function of the tree's a call calls, and which of its parameters takes an argument.

use super::ModuleView;
use crate::project::python::{Callee, Definition};
use crate::syntax::python::{Field, Kind, NodeId, What};

/// How many methods of one name are looked at where the object is not known.
const METHODS: usize = 16;

/// The dotted name of an expression, followed through the tree's own modules: one that leads out of the
/// tree in the end is given with its outer name.
pub fn outer_name(unit: &ModuleView<'_>, expression: NodeId) -> Option<String> {
    let name = unit.module.resolve(expression)?;
    match unit.modules.lookup(unit.index, &name.name)? {
        Definition::Outside(outer) => Some(outer),
        _ => None,
    }
}

/// The functions of the tree's that a call may call; empty where none is known.
pub fn callees(unit: &ModuleView<'_>, call: NodeId) -> Vec<Callee> {
    let tree = &unit.module.tree;
    if tree.kind(call) == Kind::Class {
        return Vec::new();
    }
    tree.child(call, Field::Function)
        .map_or_else(Vec::new, |callee| functions(unit, callee))
}

/// The functions of the tree's that an expression may be.
pub fn functions(unit: &ModuleView<'_>, expression: NodeId) -> Vec<Callee> {
    let tree = &unit.module.tree;
    match tree.kind(expression) {
        Kind::Identifier => named(unit, expression),
        Kind::Attribute => member(unit, expression),
        _ => Vec::new(),
    }
}

fn named(unit: &ModuleView<'_>, name: NodeId) -> Vec<Callee> {
    let tree = &unit.module.tree;
    let bindings = unit.module.bindings(name, tree.word(name)).1;
    if bindings.is_empty() {
        // It may have come in by a star.
        let word = String::from_utf8_lossy(tree.word(name));
        let found = unit.modules.lookup_here(unit.index, &word);
        return found
            .and_then(|one| unit.modules.callee(&one, false))
            .into_iter()
            .collect();
    }
    let mut found = Vec::new();
    for binding in bindings {
        let one = match &binding.what {
            What::Function(function) => {
                local_function(unit, *function).and_then(|one| unit.modules.callee(&one, false))
            }
            What::Class(class) => local_class(unit, *class)
                .and_then(|class| unit.modules.constructor(unit.index, class)),
            What::Import(path) => unit
                .modules
                .lookup(unit.index, path)
                .and_then(|one| unit.modules.callee(&one, false)),
            What::Value(value) => unit
                .module
                .resolve(*value)
                .and_then(|one| unit.modules.lookup(unit.index, &one.name))
                .and_then(|one| unit.modules.callee(&one, false)),
            // `cls(…)`
            What::Parameter => own_class(unit, name)
                .filter(|_| tree.word(name) == b"cls")
                .and_then(|(file, class)| unit.modules.constructor(file, class)),
            _ => None,
        };
        found.extend(one.filter(|one| !found.contains(one)));
    }
    found
}

fn member(unit: &ModuleView<'_>, attribute: NodeId) -> Vec<Callee> {
    let tree = &unit.module.tree;
    let (Some(object), Some(name)) = (
        tree.child(attribute, Field::Object),
        tree.child(attribute, Field::Attribute),
    ) else {
        return Vec::new();
    };
    let name = String::from_utf8_lossy(tree.word(name)).into_owned();
    let one = |found: Option<Callee>| found.into_iter().collect();
    if let Some(path) = unit.module.resolve(attribute) {
        let found = unit.modules.lookup(unit.index, &path.name);
        return one(found.and_then(|one| unit.modules.callee(&one, false)));
    }
    if let Some((file, class)) = class_of(unit, object) {
        let method = unit.modules.method(file, class, &name);
        let found = method.map(|(file, at)| Definition::Function(file, at));
        return one(found.and_then(|one| unit.modules.callee(&one, true)));
    }
    if tree.kind(object) == Kind::Call && unit.module.callee_word(object) == b"super" {
        let Some((file, class)) = own_class(unit, object) else {
            return Vec::new();
        };
        let mut first = true;
        let mut found = None;
        unit.modules.each_class(file, class, &mut |file, class| {
            // Its own comes first, and is left out.
            if !std::mem::take(&mut first) && found.is_none() {
                found = unit.modules.method(file, class, &name);
            }
            found.is_some()
        });
        let found = found.map(|(file, at)| Definition::Function(file, at));
        return one(found.and_then(|one| unit.modules.callee(&one, true)));
    }
    let known = unit.modules.methods(&name);
    if known.len() > METHODS {
        return Vec::new();
    }
    known
        .iter()
        .filter_map(|&(file, at)| unit.modules.callee(&Definition::Function(file, at), true))
        .collect()
}

/// The class of the tree's that an object is made from, where that is known.
pub fn class_of(unit: &ModuleView<'_>, object: NodeId) -> Option<(usize, usize)> {
    let tree = &unit.module.tree;
    match tree.kind(object) {
        Kind::Parenthesized => class_of(unit, tree.nth(object, 0)?),
        Kind::Call => made_from(unit, tree.child(object, Field::Function)?),
        Kind::Identifier => {
            let word = tree.word(object);
            let [binding] = unit.module.bindings(object, word).1 else {
                return None;
            };
            match binding.what {
                What::Value(value) if tree.kind(value) == Kind::Call => {
                    made_from(unit, tree.child(value, Field::Function)?)
                }
                What::Parameter if matches!(word, b"self" | b"cls") => own_class(unit, object),
                What::Parameter => annotated(unit, binding.at),
                What::Import(_) => {
                    let name = unit.module.resolve(object)?;
                    as_class(&unit.modules.lookup(unit.index, &name.name)?)
                }
                What::Class(class) => Some((unit.index, local_class(unit, class)?)),
                _ => None,
            }
        }
        _ => None,
    }
}

/// The class that a call of an expression makes an object of.
fn made_from(unit: &ModuleView<'_>, callee: NodeId) -> Option<(usize, usize)> {
    let tree = &unit.module.tree;
    if tree.kind(callee) == Kind::Identifier {
        let [binding] = unit.module.bindings(callee, tree.word(callee)).1 else {
            return None;
        };
        if let What::Class(class) = binding.what {
            return Some((unit.index, local_class(unit, class)?));
        }
    }
    let name = unit.module.resolve(callee)?;
    as_class(&unit.modules.lookup(unit.index, &name.name)?)
}

/// The class by which a parameter is annotated.
fn annotated(unit: &ModuleView<'_>, parameter: NodeId) -> Option<(usize, usize)> {
    let annotation = annotation(unit, parameter)?;
    made_from(unit, annotation)
}

/// The expression by which a parameter is annotated.
pub fn annotation(unit: &ModuleView<'_>, parameter: NodeId) -> Option<NodeId> {
    let tree = &unit.module.tree;
    let typed = tree.parent(parameter)?;
    let annotation = tree.child(typed, Field::Type)?;
    tree.nth(annotation, 0)
}

fn as_class(definition: &Definition) -> Option<(usize, usize)> {
    match *definition {
        Definition::Class(file, class) => Some((file, class)),
        _ => None,
    }
}

/// The class in whose method a node stands.
pub fn own_class(unit: &ModuleView<'_>, node: NodeId) -> Option<(usize, usize)> {
    let tree = &unit.module.tree;
    let class = tree
        .ancestors(node)
        .find(|&one| tree.kind(one) == Kind::Class)?;
    Some((unit.index, local_class(unit, class)?))
}

fn local_class(unit: &ModuleView<'_>, class: NodeId) -> Option<usize> {
    let tree = &unit.module.tree;
    let name = tree.child(class, Field::Name)?;
    let outline = unit.modules.outline(unit.index)?;
    outline.class_at(tree.range(name).start)
}

fn local_function(unit: &ModuleView<'_>, function: NodeId) -> Option<Definition> {
    let tree = &unit.module.tree;
    let name = tree.child(function, Field::Name)?;
    let outline = unit.modules.outline(unit.index)?;
    let at = outline.function_place(tree.range(name).start)?;
    Some(Definition::Function(unit.index, at))
}

/// The function whose name stands at a place in the file, in the file's tree.
pub fn node_of(unit: &ModuleView<'_>, name: &str, at: usize) -> Option<NodeId> {
    let tree = &unit.module.tree;
    let places = unit.trees.places_of(unit.index, name.as_bytes());
    let found = places.iter().find(|&&one| tree.range(one).start == at)?;
    tree.parent(*found)
        .filter(|&one| matches!(tree.kind(one), Kind::Function | Kind::Class))
}
