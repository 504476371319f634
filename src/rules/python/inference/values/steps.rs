//! One step of a value: from an expression to the slots that its value comes from, and from a place to the slots that the
//! value there goes to.

use super::attribute_places::{attributes_read, functions_set};
use super::attributes::{slots_of_attribute, variable_of_module};
use crate::python::ModuleView;
use crate::python::inference::facts::equation::Term;
use crate::python::inference::facts::slot::{Slot, SlotKind};
use crate::python::inference::facts::solver::SolvedFacts;
use crate::python::inference::limits::{EXPRESSION_DEPTH, IMPORTERS, METHODS_THAT_JOIN};
use crate::python::inference::uses::callee::{callees, class_body, definition_of};
use crate::python::inference::uses::name_uses::{each_use_of, importers};
use crate::python::inference::uses::places::files_with;
use torchada_mapping::has;
use torchada_project::python::{ArgumentPlace, Callee};
use torchada_syntax::python::{BoundValue, Consumer, Field, Kind, NodeId, Use};

/// The slots that the value of an expression may come from.
pub fn origins(view: &ModuleView<'_>, expression: NodeId) -> Vec<Slot> {
    let mut found = Vec::new();
    add_origins(view, expression, EXPRESSION_DEPTH, &mut found);
    found
}

fn add_origins(view: &ModuleView<'_>, node: NodeId, depth: usize, found: &mut Vec<Slot>) {
    let tree = &view.module.tree;
    let Some(depth) = depth.checked_sub(1) else {
        return;
    };
    match tree.kind(node) {
        Kind::Identifier => found.extend(slot_of_name(view, node)),
        Kind::Attribute => found.extend(slots_of_attribute(view, node)),
        Kind::Parenthesized | Kind::Boolean => {
            for side in tree.children(node) {
                add_origins(view, side, depth, found);
            }
        }
        Kind::Conditional => {
            for side in [0, 2].into_iter().filter_map(|at| tree.nth(node, at)) {
                add_origins(view, side, depth, found);
            }
        }
        // `device.split(":")[0]`
        Kind::Subscript => {
            let value = tree.child(node, Field::Value);
            if let Some(value) = value.filter(|&one| tree.kind(one) == Kind::Call) {
                add_origins(view, value, depth, found);
            }
        }
        Kind::Call => {
            let words = &view.python_values().words_of_calls;
            let object = tree.receiver(node);
            if let Some(object) =
                object.filter(|_| has(&words.parts, view.module.callee_word(node)))
            {
                add_origins(view, object, depth, found);
                return;
            }
            found.extend(
                called(view, node)
                    .into_iter()
                    .filter(|one| !one.fields)
                    .filter_map(|one| return_of(view, one)),
            );
        }
        _ => {}
    }
}

/// The call whose result is taken apart into names of which one is given: `kind, _, number = device.partition(":")`.
pub fn unpacked_call(view: &ModuleView<'_>, name: NodeId) -> Option<NodeId> {
    let tree = &view.module.tree;
    let list = tree.parent(name).filter(|&up| {
        matches!(
            tree.kind(up),
            Kind::PatternList | Kind::TuplePattern | Kind::ListPattern
        )
    })?;
    tree.assigned_value(list)
        .filter(|&right| tree.kind(right) == Kind::Call)
}

/// The slot of a name: of a variable, of a class's field, or of a name that another module has at its top.
pub fn slot_of_name(view: &ModuleView<'_>, name: NodeId) -> Option<Slot> {
    let word = view.module.tree.word(name);
    let (_, bindings) = view.module.bindings(name, word);
    match bindings {
        [] => None,
        [only] if matches!(only.what, BoundValue::Import(_)) => {
            variable_of_module(view, name, SlotKind::Variable)
        }
        _ if matches!(word, b"self" | b"cls" | b"_") => None,
        // The parameters of a method stand in the body of the class, too.
        [first, ..]
            if first.what != BoundValue::Parameter && class_body(view, first.at).is_some() =>
        {
            Some(Slot::of_attribute(view.index, word))
        }
        _ => Some(Slot::bound_to(view, name, SlotKind::Variable)),
    }
}

/// The slots that the value at a place goes to.
pub fn destinations(view: &ModuleView<'_>, of: &Use) -> Vec<Slot> {
    let tree = &view.module.tree;
    if of.is_part() {
        return Vec::new();
    }
    match of.consumer {
        Consumer::Comparison { other, .. } => origins(view, other),
        Consumer::Default { name, .. } => slot_of_name(view, name).into_iter().collect(),
        Consumer::Target { target } => match tree.kind(target) {
            Kind::Identifier => slot_of_name(view, target).into_iter().collect(),
            Kind::Attribute => slots_of_attribute(view, target),
            _ => Vec::new(),
        },
        Consumer::Return {
            function: Some(function),
        } => tree
            .child(function, Field::Name)
            .map(|name| result_of(view, function, name))
            .into_iter()
            .collect(),
        Consumer::Keyword { call, name } => {
            let word = tree.shown(name);
            parameters(view, call, ArgumentPlace::Keyword(&word))
        }
        Consumer::Argument {
            call,
            position: Some(position),
        } => {
            let words = &view.python_values().words_of_calls;
            // `getattr(config, "device_type", "cuda")`, `config.get("device", "cuda")`
            let word = view.module.callee_word(call);
            if position == 2 && has(&words.attributes, word)
                || position == 1 && has(&words.keyed, word)
            {
                let of = view.module.use_of(call);
                return destinations(view, &of);
            }
            parameters(view, call, ArgumentPlace::Position(position))
        }
        _ => Vec::new(),
    }
}

/// The slots of the parameters that take an argument of a call.
fn parameters(view: &ModuleView<'_>, call: NodeId, place: ArgumentPlace<'_>) -> Vec<Slot> {
    let mut taking = called(view, call);
    if taking.is_empty() {
        taking = functions_of_attribute(view, call);
    }
    taking
        .into_iter()
        .filter_map(|one| {
            let name = view.modules.parameter(one, place)?.name();
            parameter(view, one, name.as_bytes())
        })
        .collect()
}

/// The functions that a call calls, where few enough may be meant.
pub fn called(view: &ModuleView<'_>, call: NodeId) -> Vec<Callee> {
    let found = callees(view, call);
    if found.len() > METHODS_THAT_JOIN {
        Vec::new()
    } else {
        found
    }
}

/// The functions that the attribute which a call calls is set to somewhere: `config.check = check_device`.
fn functions_of_attribute(view: &ModuleView<'_>, call: NodeId) -> Vec<Callee> {
    let tree = &view.module.tree;
    let callee = tree.callee(call);
    let Some(callee) = callee
        .filter(|&one| tree.kind(one) == Kind::Attribute && view.module.resolve(one).is_none())
    else {
        return Vec::new();
    };
    let word = view.module.last_name(callee);
    let is_library_method = || has(&view.python_values().words_of_calls.never_set, &word);
    let is_own_method = || {
        let methods = view.modules.methods(&String::from_utf8_lossy(&word));
        !methods.is_empty()
    };
    if is_library_method() || is_own_method() {
        return Vec::new();
    }
    functions_set(view, &word).to_vec()
}

/// The slot of a parameter of a function, or of the field of a class that is made by its fields.
pub fn parameter(view: &ModuleView<'_>, callee: Callee, name: &[u8]) -> Option<Slot> {
    if callee.fields {
        return Some(Slot::of_attribute(callee.file, name));
    }
    let (other, function) = definition_of(view, callee)?;
    let body = other.module.tree.child(function, Field::Body)?;
    Some(Slot {
        file: callee.file,
        scope: other.module.scope_of(body),
        name: name.into(),
        kind: SlotKind::Variable,
    })
}

/// Whether a function is read as an attribute of its object.
pub fn is_property(view: &ModuleView<'_>, function: NodeId) -> bool {
    let tree = &view.module.tree;
    let decorated = tree.parent(function);
    let mut decorators = decorated.into_iter().flat_map(|up| tree.children(up));
    decorators.any(|one| {
        let words = &view.python_values().words_of_calls;
        tree.kind(one) == Kind::Decorator
            && tree
                .nth(one, 0)
                .is_some_and(|name| has(&words.properties, view.module.last_name(name)))
    })
}

/// The slot of what a function of the file gives: of an attribute, where it is read as one.
pub fn result_of(view: &ModuleView<'_>, function: NodeId, name: NodeId) -> Slot {
    if is_property(view, function) {
        Slot::of_attribute(view.index, view.module.tree.word(name))
    } else {
        Slot::bound_to(view, name, SlotKind::Return)
    }
}

/// The slot of what a function returns.
pub fn return_of(view: &ModuleView<'_>, callee: Callee) -> Option<Slot> {
    let (other, function) = definition_of(view, callee)?;
    let name = other.module.tree.child(function, Field::Name)?;
    Some(Slot::bound_to(&other, name, SlotKind::Return))
}

/// Each place where an attribute of the objects of the file's classes is read, in all files.
pub fn attribute_uses(
    view: &ModuleView<'_>,
    slot: &Slot,
    each: &mut dyn FnMut(&ModuleView<'_>, NodeId),
) {
    // Those that import the class's file come first, for there may be too many others.
    let mut files = importers(view);
    files.retain(|&file| view.modules.has(file, &slot.name));
    files.insert(0, view.index);
    let known = files.len();
    for file in files_with(view, &slot.name) {
        if files.len() < IMPORTERS.max(known)
            && !files
                .get(..known)
                .is_some_and(|front| front.contains(&file))
        {
            files.push(file);
        }
    }
    for file in files {
        let all = attributes_read(view, file, &slot.name, slot.kind);
        let mut own = all.iter().filter(|(_, slots)| slots.contains(slot));
        if let Some(first) = own.next()
            && let Some(other) = view.other(file)
        {
            for (attribute, _) in std::iter::once(first).chain(own) {
                each(&other, *attribute);
            }
        }
    }
}

/// Each place where the value of a slot of the file is used.
pub fn each_place(
    view: &ModuleView<'_>,
    slot: &Slot,
    each: &mut dyn FnMut(&ModuleView<'_>, NodeId),
) {
    match slot.kind {
        SlotKind::Attribute | SlotKind::KeysOfAttribute => attribute_uses(view, slot, each),
        SlotKind::Return => each_use_of(view, slot, &mut |other, node| {
            let tree = &other.module.tree;
            let call = tree.call_of(node);
            if let Some(call) = call {
                each(other, call);
            }
        }),
        _ => each_use_of(view, slot, each),
    }
}

/// Whether the value of a slot gets to a place that `takes` it, through whatever other slots, or comes from what `gives` it
/// there. Both look at a slot of their own file. `known` has the answers so far.
pub fn gets_to(
    view: &ModuleView<'_>,
    slot: &Slot,
    known: &SolvedFacts<bool>,
    gives: &dyn Fn(&ModuleView<'_>, &Slot) -> bool,
    takes: &dyn Fn(&ModuleView<'_>, &Use) -> bool,
) -> bool {
    let equation = |home: &ModuleView<'_>, slot: &Slot| {
        let mut is_taken = gives(home, slot);
        let mut next = Vec::new();
        each_place(home, slot, &mut |other, node| {
            let of = other.module.use_of(node);
            is_taken = is_taken || takes(other, &of);
            if !matches!(of.consumer, Consumer::Comparison { .. }) {
                next.extend(destinations(other, &of).into_iter().map(Term::Of));
            }
        });
        if is_taken {
            Term::Fact(true)
        } else {
            Term::Join(next)
        }
    };
    known.solve(&Term::Of(slot.clone()), &|slot: &Slot| {
        let term = view.question_of(slot.file, |home| equation(home, slot));
        term.unwrap_or(Term::Fact(false))
    })
}
