//! Which function of the tree's a call calls, and which of its parameters takes an argument.

use crate::python::ModuleView;
use crate::python::inference::limits::METHODS_OF_ONE_NAME;
use torchada_project::python::{Callee, Definition};
use torchada_syntax::python::{Binding, BoundValue, Field, Kind, Literal, NodeId};

/// The dotted name of an expression, followed through the tree's own modules: one that leads out of the
/// tree in the end is given with its outer name.
pub fn outer_name(view: &ModuleView<'_>, expression: NodeId) -> Option<String> {
    let name = view.module.resolve(expression)?;
    match view.modules.lookup(view.index, &name.name)? {
        Definition::Outside(outer) => Some(outer),
        _ => None,
    }
}

/// What a call gives as it got it: `cast(str, settings.device)`.
pub(in crate::python::inference) fn cast(view: &ModuleView<'_>, call: NodeId) -> Option<NodeId> {
    let casts = &view.python_values().words_of_calls.casts;
    let callee = view
        .callee_name(call)
        .filter(|one| casts.contains(&one.name));
    callee.and_then(|_| view.module.tree.argument(call, 1))
}

/// The functions of the tree's that a call may call; empty where none is known.
pub fn callees(view: &ModuleView<'_>, call: NodeId) -> Vec<Callee> {
    let tree = &view.module.tree;
    if tree.kind(call) == Kind::Class {
        return Vec::new();
    }
    tree.callee(call)
        .map_or_else(Vec::new, |callee| functions(view, callee))
}

/// The functions of the tree's that an expression may be.
pub fn functions(view: &ModuleView<'_>, expression: NodeId) -> Vec<Callee> {
    let tree = &view.module.tree;
    match tree.kind(expression) {
        Kind::Identifier => named(view, expression),
        Kind::Attribute => member(view, expression),
        _ => Vec::new(),
    }
}

fn named(view: &ModuleView<'_>, name: NodeId) -> Vec<Callee> {
    let tree = &view.module.tree;
    let bindings = view.module.meanings(name);
    if bindings.is_empty() {
        // It may have come in by a star.
        let word = String::from_utf8_lossy(tree.word(name));
        let found = view.modules.lookup_here(view.index, &word);
        return found
            .and_then(|one| view.modules.callee(&one, false))
            .into_iter()
            .collect();
    }
    let mut found = Vec::new();
    for binding in bindings {
        let one = match &binding.what {
            BoundValue::Function(function) => {
                local_function(view, *function).and_then(|one| view.modules.callee(&one, false))
            }
            BoundValue::Class(class) => local_class(view, *class)
                .and_then(|class| view.modules.constructor(view.index, class)),
            BoundValue::Import(path) => view
                .modules
                .lookup(view.index, path)
                .and_then(|one| view.modules.callee(&one, false)),
            BoundValue::Value(value) => view
                .module
                .resolve(*value)
                .and_then(|one| view.modules.lookup(view.index, &one.name))
                .and_then(|one| view.modules.callee(&one, false)),
            // `cls(…)`
            BoundValue::Parameter => own_class(view, name)
                .filter(|_| tree.word(name) == b"cls")
                .and_then(|(file, class)| view.modules.constructor(file, class)),
            _ => None,
        };
        found.extend(one.filter(|one| !found.contains(one)));
    }
    found
}

fn member(view: &ModuleView<'_>, attribute: NodeId) -> Vec<Callee> {
    let tree = &view.module.tree;
    let Some((object, name)) = tree.object_and_name(attribute) else {
        return Vec::new();
    };
    let name = tree.shown(name);
    let of_method = |(file, at): (usize, usize)| {
        let method = Definition::Function(file, at);
        view.modules.callee(&method, true)
    };
    let one = |found: Option<Callee>| found.into_iter().collect();
    if let Some(path) = view.module.resolve(attribute) {
        let found = view.modules.lookup(view.index, &path.name);
        return one(found.and_then(|one| view.modules.callee(&one, false)));
    }
    if let Some((file, class)) = class_of(view, object) {
        let method = view.modules.method(file, class, &name);
        return one(method.and_then(of_method));
    }
    if tree.kind(object) == Kind::Call && view.module.callee_word(object) == b"super" {
        let Some((file, class)) = own_class(view, object) else {
            return Vec::new();
        };
        let mut first = true;
        let mut found = None;
        view.modules.each_class(file, class, &mut |file, class| {
            // Its own comes first, and is left out.
            if !std::mem::take(&mut first) && found.is_none() {
                found = view.modules.method(file, class, &name);
            }
            found.is_some()
        });
        return one(found.and_then(of_method));
    }
    let known = view.modules.methods(&name);
    if known.len() > METHODS_OF_ONE_NAME {
        return Vec::new();
    }
    known.iter().copied().filter_map(of_method).collect()
}

/// The value that a name is bound to, where nothing else binds it. `None` for anything but a name.
pub fn only_value(view: &ModuleView<'_>, name: NodeId) -> Option<NodeId> {
    match view.module.meanings(name) {
        [
            Binding {
                what: BoundValue::Value(value),
                ..
            },
        ] => Some(*value),
        _ => None,
    }
}

/// The class of the tree's that an object is made from, where that is known.
pub fn class_of(view: &ModuleView<'_>, object: NodeId) -> Option<(usize, usize)> {
    let tree = &view.module.tree;
    match tree.kind(object) {
        Kind::Parenthesized => class_of(view, tree.nth(object, 0)?),
        Kind::Call => made_from(view, tree.callee(object)?),
        Kind::Identifier => {
            let word = tree.word(object);
            // `GROUPS = None` only says that it is made later.
            let bindings = view.module.bindings(object, word).1.iter();
            let mut bindings = bindings.filter(|one| one.what != BoundValue::Nothing);
            let (Some(binding), None) = (bindings.next(), bindings.next()) else {
                return None;
            };
            match binding.what {
                BoundValue::Value(value) if tree.kind(value) == Kind::Call => {
                    made_from(view, tree.callee(value)?)
                }
                BoundValue::Parameter if tree.is_self(object) => own_class(view, object),
                BoundValue::Parameter => annotated(view, binding.at),
                BoundValue::Import(_) => {
                    let name = view.module.resolve(object)?;
                    match view.modules.lookup(view.index, &name.name)? {
                        Definition::Variable(file, own) => class_of_variable(view, file, &own),
                        found => as_class(&found),
                    }
                }
                BoundValue::Class(class) => Some((view.index, local_class(view, class)?)),
                _ => None,
            }
        }
        _ => None,
    }
}

/// The class of the object that a module makes for others: `device_config = DeviceConfig()`.
fn class_of_variable(view: &ModuleView<'_>, file: usize, name: &str) -> Option<(usize, usize)> {
    let other = view.other(file)?;
    let tree = &other.module.tree;
    let set = other.module.top_place_of(name.as_bytes())?;
    let value = tree.child(tree.parent(set)?, Field::Right)?;
    let is_only = other.module.meanings(set).len() == 1;
    (is_only && tree.kind(value) == Kind::Call).then(|| class_of(&other, value))?
}

/// The variable of another module's that a name leads to: `NAME`, where that is imported, and `module.NAME`. Its file, and
/// its name there.
pub fn imported_variable(view: &ModuleView<'_>, name: NodeId) -> Option<(usize, String)> {
    let path = view.module.resolve(name)?;
    match view.modules.lookup(view.index, &path.name)? {
        Definition::Variable(file, own) => Some((file, own)),
        _ => None,
    }
}

/// The class of the objects that a call of an expression gives: the class that is called, or the one that the called
/// function is annotated with.
fn made_from(view: &ModuleView<'_>, callee: NodeId) -> Option<(usize, usize)> {
    match definition(view, callee)? {
        Definition::Class(file, class) => Some((file, class)),
        Definition::Function(file, at) => returned_class(view, file, at),
        _ => None,
    }
}

/// The definition of a name, in the file itself or in another module of the tree.
fn definition(view: &ModuleView<'_>, name: NodeId) -> Option<Definition> {
    let tree = &view.module.tree;
    if tree.kind(name) == Kind::Identifier
        && let [binding] = view.module.meanings(name)
    {
        match binding.what {
            BoundValue::Class(class) => {
                return Some(Definition::Class(view.index, local_class(view, class)?));
            }
            BoundValue::Function(function) => return local_function(view, function),
            _ => {}
        }
    }
    let name = view.module.resolve(name)?;
    view.modules.lookup(view.index, &name.name)
}

/// The class that a function is annotated to return.
fn returned_class(view: &ModuleView<'_>, file: usize, at: usize) -> Option<(usize, usize)> {
    let head = view.modules.outline(file)?.functions.get(at)?;
    let other = view.other(file)?;
    let tree = &other.module.tree;
    let typed = tree.child(node_of(&other, head.name, head.at)?, Field::ReturnType)?;
    class_of_type(&other, tree.nth(typed, 0)?)
}

/// The class of the tree's that an annotation names, as it is or as a text.
fn class_of_type(view: &ModuleView<'_>, typed: NodeId) -> Option<(usize, usize)> {
    let tree = &view.module.tree;
    if tree.kind(typed) == Kind::Str {
        let text = String::from_utf8(Literal::read(tree, typed)?.value().to_vec()).ok()?;
        return as_class(&view.modules.lookup_here(view.index, &text)?);
    }
    as_class(&definition(view, typed)?)
}

/// The class by which a parameter is annotated.
fn annotated(view: &ModuleView<'_>, parameter: NodeId) -> Option<(usize, usize)> {
    class_of_type(view, annotation(view, parameter)?)
}

/// The expression by which a parameter is annotated.
pub fn annotation(view: &ModuleView<'_>, parameter: NodeId) -> Option<NodeId> {
    let tree = &view.module.tree;
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
pub fn own_class(view: &ModuleView<'_>, node: NodeId) -> Option<(usize, usize)> {
    let tree = &view.module.tree;
    let class = tree.class_around(node)?;
    Some((view.index, local_class(view, class)?))
}

fn local_class(view: &ModuleView<'_>, class: NodeId) -> Option<usize> {
    let name = class_name(view, class)?;
    let outline = view.modules.outline(view.index)?;
    outline.class_at(view.module.tree.range(name).start)
}

/// The body of the class whose field a name is.
pub fn class_body(view: &ModuleView<'_>, target: NodeId) -> Option<NodeId> {
    let tree = &view.module.tree;
    let body = tree
        .ancestors(target)
        .find(|&one| tree.kind(one) == Kind::Block)?;
    let is_class = tree.parent_if(body, Kind::Class).is_some();
    (is_class && tree.kind(target) == Kind::Identifier).then_some(body)
}

/// The name of a class, where its definition has it.
pub(in crate::python::inference) fn class_name(
    view: &ModuleView<'_>,
    class: NodeId,
) -> Option<NodeId> {
    view.module.tree.child(class, Field::Name)
}

fn local_function(view: &ModuleView<'_>, function: NodeId) -> Option<Definition> {
    let tree = &view.module.tree;
    let name = tree.child(function, Field::Name)?;
    let outline = view.modules.outline(view.index)?;
    let at = outline.function_place(tree.range(name).start)?;
    Some(Definition::Function(view.index, at))
}

/// The module that has a function of the tree's, and the function's definition there.
pub fn definition_of<'v>(
    view: &ModuleView<'v>,
    callee: Callee,
) -> Option<(ModuleView<'v>, NodeId)> {
    let head = view.modules.function(callee)?;
    let other = view.other(callee.file)?;
    let function = node_of(&other, head.name, head.at)?;
    Some((other, function))
}

/// The function whose name stands at a place in the file, in the file's tree.
pub fn node_of(view: &ModuleView<'_>, name: &str, at: usize) -> Option<NodeId> {
    let tree = &view.module.tree;
    let places = view.module.places_of(name.as_bytes());
    let found = places.iter().find(|&&one| tree.range(one).start == at)?;
    tree.parent(*found)
        .filter(|&one| matches!(tree.kind(one), Kind::Function | Kind::Class))
}
