//! Where the words come from that code compares and lists: whether a person may have written one, on a command line, in a
//! configuration, or as an argument for a function of a library.

use super::word_source::WordSource;
use crate::python::ModuleView;
use crate::python::inference::facts::equation::Term;
use crate::python::inference::facts::slot::{Slot, SlotKind};
use crate::python::inference::limits::{EXPRESSION_DEPTH, VALUE_DEPTH, VALUES_OF_NAME};
use crate::python::inference::role::StringRole;
use crate::python::inference::role::options::reads_option;
use crate::python::inference::string_role;
use crate::python::inference::uses::callee::{
    annotation, cast, class_body, only_value, outer_name,
};
use crate::python::inference::uses::places::places;
use crate::python::inference::values::attributes::{sets_by_name, slots_of_attribute};
use crate::python::inference::values::callers::each_value;
use crate::python::inference::values::steps::{called, return_of, slot_of_name, unpacked_call};
use torchada_mapping::effort::Effort;
use torchada_mapping::has;
use torchada_syntax::python::{Binding, BoundValue, Field, Kind, Literal, NodeId};
use torchada_text::first_part;

/// How many nodes of an annotation are looked at.
const ANNOTATION: usize = 64;

type SourceTerm = Term<WordSource>;

/// Whether the value of an expression may be a word that a person has written. What the tree gives a parameter tells what
/// it takes: where that comes from one of `PyTorch`'s devices, the parameter takes the types of such devices.
pub fn may_be_users_word(view: &ModuleView<'_>, expression: NodeId) -> bool {
    let term = source(view, expression, EXPRESSION_DEPTH);
    let known = &view.summaries.word_sources;
    let found = known.solve(&term, &|slot| {
        let term = view.question_of(slot.file, |home| equation(home, slot));
        term.unwrap_or_else(Term::nothing)
    });
    found.has(WordSource::PERSON)
        || found.has(WordSource::OWN_NAME)
        || found.has(WordSource::OUTSIDE) && !found.has(WordSource::TORCH)
}

/// Where the value of an expression comes from.
fn source(view: &ModuleView<'_>, node: NodeId, depth: usize) -> SourceTerm {
    let tree = &view.module.tree;
    let Some(depth) = depth.checked_sub(1) else {
        return Term::nothing();
    };
    let of = |node: Option<NodeId>| node.map_or_else(Term::nothing, |one| source(view, one, depth));
    match tree.kind(node) {
        Kind::Identifier => slot_of_name(view, node).map_or_else(Term::nothing, Term::Of),
        // `x.device.type`
        Kind::Attribute if *view.module.last_name(node) == *b"type" => {
            Term::Fact(WordSource::TORCH)
        }
        // `option.value`, of an enumeration's member
        Kind::Attribute if *view.module.last_name(node) == *b"value" => {
            of(tree.child(node, Field::Object))
        }
        Kind::Attribute => {
            if tree
                .child(node, Field::Object)
                .is_some_and(|object| holds_settings(view, object))
            {
                return Term::Fact(WordSource::PERSON);
            }
            let slots = slots_of_attribute(view, node);
            if slots.is_empty() {
                // Such values may lead to the attribute again.
                let depth = depth.min(VALUE_DEPTH);
                let values = values_set_here(view, node).take(VALUES_OF_NAME);
                return Term::Join(values.map(|value| source(view, value, depth)).collect());
            }
            Term::Join(slots.into_iter().map(Term::Of).collect())
        }
        Kind::Str if is_own_name(view, node) => Term::Fact(WordSource::OWN_NAME),
        Kind::Subscript => {
            let value = tree.child(node, Field::Value);
            let key = tree.nth(node, 1).and_then(|key| Literal::read(tree, key));
            match value {
                Some(value) if key.is_some() => settings(holds_settings(view, value)),
                // `device.split(":")[0]`
                value => of(value),
            }
        }
        Kind::Parenthesized | Kind::Boolean => Term::Join(
            tree.children(node)
                .map(|side| source(view, side, depth))
                .collect(),
        ),
        Kind::Conditional => {
            let sides = [0, 2].into_iter().filter_map(|at| tree.nth(node, at));
            Term::Join(sides.map(|side| source(view, side, depth)).collect())
        }
        Kind::Call => of_call(view, node, depth),
        Kind::DictionarySplat if !is_made_here(view, node) => Term::Fact(WordSource::OUTSIDE),
        _ => Term::nothing(),
    }
}

/// The values that the file gives to an attribute of an object of which nobody knows the class: `recorder.device =
/// options["device"]`.
fn values_set_here<'v>(
    view: &'v ModuleView<'_>,
    attribute: NodeId,
) -> impl Iterator<Item = NodeId> + 'v {
    let tree = &view.module.tree;
    let written = tree.word(attribute);
    let name = tree.child(attribute, Field::Attribute);
    let places = name.map_or(&[][..], |name| places(view, tree.word(name)));
    let attributes = places.iter().filter_map(|&place| tree.attribute_of(place));
    let same = attributes.filter(move |&one| tree.word(one) == written);
    same.filter_map(|one| tree.assigned_value(one))
}

/// Whether the dictionary that a call unpacks is written in the tree: `options = {"device": "cuda"}`, `make(**options)`.
fn is_made_here(view: &ModuleView<'_>, unpacked: NodeId) -> bool {
    let tree = &view.module.tree;
    let is_written = |node: NodeId| tree.kind(node) == Kind::Dictionary;
    let Some(name) = tree.nth(unpacked, 0) else {
        return false;
    };
    let bindings = view.module.meanings(name);
    let mut values = bindings.iter();
    is_written(name)
        || !bindings.is_empty()
            && values.all(|one| matches!(one.what, BoundValue::Value(value) if is_written(value)))
}

/// Where the result of a call comes from.
fn of_call(view: &ModuleView<'_>, call: NodeId, depth: usize) -> SourceTerm {
    let tree = &view.module.tree;
    let Some(callee) = tree.callee(call) else {
        return Term::nothing();
    };
    let words = &view.python_values().words_of_calls;
    let word = view.module.callee_word(call);
    let first = tree.argument(call, 0);
    let of = |node: Option<NodeId>| node.map_or_else(Term::nothing, |one| source(view, one, depth));
    if view.module.is_builtin(callee, "str") {
        return of(first);
    }
    if let Some(inner) = cast(view, call) {
        return of(Some(inner));
    }
    if has(&words.attributes, word) {
        return settings(first.is_some_and(|object| holds_settings(view, object)));
    }
    // `get_setting("device")`
    if has(&words.gets_keyed, word) {
        return Term::Fact(WordSource::PERSON);
    }
    let reads = &view.python_values().users_words.reads;
    if view
        .resolve(callee)
        .is_some_and(|name| has(reads, name.name))
    {
        return Term::Fact(WordSource::PERSON);
    }
    if let Some(object) = tree.child(callee, Field::Object) {
        let removes = &view.python_values().users_words.removes;
        if has(&words.parts, word) || has(removes, word) {
            return source(view, object, depth);
        }
        if has(&words.keyed, word) {
            return settings(holds_settings(view, object));
        }
    }
    if is_from_outside(view, callee, EXPRESSION_DEPTH) {
        return Term::Fact(WordSource::OUTSIDE);
    }
    let given = called(view, call).into_iter().filter(|one| !one.fields);
    Term::Join(
        given
            .filter_map(|one| return_of(view, one))
            .map(Term::Of)
            .collect(),
    )
}

/// Whether a text is the name of CUDA's device, and nothing shows that it is a device.
fn is_own_name(view: &ModuleView<'_>, text: NodeId) -> bool {
    let Some(literal) = Literal::read(&view.module.tree, text) else {
        return false;
    };
    let mut devices = view.context.knowledge.devices.iter();
    devices.any(|one| literal.value() == one.cuda.as_bytes())
        && string_role(view, &view.module.use_of(text)) == StringRole::Unknown
}

/// Whether a function comes from a package other than `PyTorch`, which says by its own words what a device is, or is a method
/// of what such a function gives: `get_accelerator().device_name`.
fn is_from_outside(view: &ModuleView<'_>, function: NodeId, depth: usize) -> bool {
    let tree = &view.module.tree;
    let Some(depth) = depth.checked_sub(1) else {
        return false;
    };
    if let Some(outer) = outer_name(view, function) {
        let root = first_part(&outer);
        return !view.is_torch(root) && !has(&view.python_values().entry.standard, root.as_bytes());
    }
    let object = tree.child(function, Field::Object);
    let made = object.map(|object| only_value(view, object).unwrap_or(object));
    let maker = made
        .filter(|&one| tree.kind(one) == Kind::Call)
        .and_then(|call| tree.callee(call));
    maker.is_some_and(|maker| is_from_outside(view, maker, depth))
}

fn settings(are_settings: bool) -> SourceTerm {
    if are_settings {
        Term::Fact(WordSource::PERSON)
    } else {
        Term::nothing()
    }
}

/// Whether an object holds words that a person has written, by its name or by that of an object around: `args`,
/// `self.config.model`.
fn holds_settings(view: &ModuleView<'_>, object: NodeId) -> bool {
    let tree = &view.module.tree;
    let known = &view.python_values().users_words;
    let tells = |node: NodeId| {
        let name = view.module.last_name(node).to_ascii_lowercase();
        let start = name.iter().take_while(|&&one| one == b'_').count();
        let name = name.get(start..).unwrap_or_default();
        has(&known.objects, name)
            || known
                .object_endings
                .iter()
                .any(|end| name.ends_with(end.as_bytes()))
    };
    let mut at = Some(object);
    for _ in 0..EXPRESSION_DEPTH {
        let Some(node) = at else {
            return false;
        };
        match tree.kind(node) {
            Kind::Identifier => {
                return tells(node) || takes_keywords(view, node) || is_read(view, node);
            }
            Kind::Attribute if tells(node) => return true,
            Kind::Attribute => at = tree.child(node, Field::Object),
            Kind::Subscript => at = tree.child(node, Field::Value),
            _ => return false,
        }
    }
    false
}

/// Whether a name is that of a parameter which takes the keywords that a caller adds: `kwargs.get("device")`.
fn takes_keywords(view: &ModuleView<'_>, name: NodeId) -> bool {
    let tree = &view.module.tree;
    let bindings = view.module.meanings(name);
    bindings.iter().any(|one| {
        let around = tree.parent(one.at).map(|up| tree.kind(up));
        one.what == BoundValue::Parameter && around == Some(Kind::DictionarySplatPattern)
    })
}

/// Whether a name is that of what a file of settings has in it: `data = json.load(file)`.
fn is_read(view: &ModuleView<'_>, name: NodeId) -> bool {
    let known = &view.python_values().users_words.loads;
    let values = view.module.meanings(name).iter();
    let mut calls = values.take(VALUES_OF_NAME).filter_map(Binding::value);
    calls.any(|call| {
        let callee = view.callee_name(call);
        callee.is_some_and(|callee| has(known, callee.name))
    })
}

/// Where the values of a slot of the file come from.
fn equation(view: &ModuleView<'_>, slot: &Slot) -> SourceTerm {
    let mut terms = Vec::new();
    each_value(view, slot, &mut |other, value| {
        terms.push(source(other, value, EXPRESSION_DEPTH));
    });
    match slot.kind {
        SlotKind::Attribute if is_open_field(view, slot) || sets_by_name(view.text) => {
            terms.push(Term::Fact(WordSource::OUTSIDE));
        }
        SlotKind::Variable => {
            for binding in view.module.bindings_in(slot.scope, &slot.name) {
                match binding.what {
                    BoundValue::Parameter => {
                        terms.push(Term::Fact(of_parameter(view, binding.at)));
                    }
                    BoundValue::Unknown => {
                        let tree = &view.module.tree;
                        // `kind, _, number = device.partition(":")`
                        let unpacked = unpacked_call(view, binding.at);
                        terms.extend(unpacked.map(|call| source(view, call, EXPRESSION_DEPTH)));
                        // `for device in args.devices:`
                        let looped = tree.parent(binding.at).filter(|&up| {
                            tree.kind(up) == Kind::For && tree.field(binding.at) == Field::Left
                        });
                        let items = looped.and_then(|one| tree.child(one, Field::Right));
                        terms.extend(items.map(|items| source(view, items, EXPRESSION_DEPTH)));
                    }
                    _ => {}
                }
            }
        }
        _ => {}
    }
    Term::Join(terms)
}

/// What a parameter of a function takes, whoever calls the function.
fn of_parameter(view: &ModuleView<'_>, parameter: NodeId) -> WordSource {
    let tree = &view.module.tree;
    let names = &view.python_values().torch_names;
    let typed = annotation(view, parameter).and_then(|typed| view.module.resolve(typed));
    if typed.is_some_and(|typed| names.has(&typed.name)) {
        return WordSource::TORCH;
    }
    let mut around = tree.ancestors(parameter);
    let function = around.find(|&one| matches!(tree.kind(one), Kind::Function | Kind::Lambda));
    if is_one_of_words(view, parameter) || function.is_some_and(|one| reads_option(view, one)) {
        return WordSource::PERSON;
    }
    let is_inner = around.any(|one| matches!(tree.kind(one), Kind::Function | Kind::Lambda));
    let is_open = !is_inner
        && function.is_some_and(|function| {
            tree.kind(function) == Kind::Function && is_public(view, function)
        });
    if is_open {
        WordSource::OUTSIDE
    } else {
        WordSource::default()
    }
}

/// Whether a parameter is annotated with the words that it takes: `backend: Literal["gloo", "nccl"]`.
fn is_one_of_words(view: &ModuleView<'_>, parameter: NodeId) -> bool {
    let known = &view.context.knowledge.python_strings.options;
    let tree = &view.module.tree;
    let typed = annotation(view, parameter);
    let mut parts = typed.into_iter().flat_map(|typed| {
        let names = tree.with_below(typed);
        names
            .take(ANNOTATION)
            .filter(|&one| tree.kind(one) == Kind::Identifier)
    });
    parts.any(|one| has(&known.annotations, tree.word(one)))
}

/// Whether a field is one that the objects of a class are made with: `device: str = "cuda"`.
fn is_open_field(view: &ModuleView<'_>, slot: &Slot) -> bool {
    let tree = &view.module.tree;
    places(view, &slot.name).iter().any(|&place| {
        let declaration = tree.parent(place).filter(|&up| {
            tree.kind(up) == Kind::Assignment
                && tree.field(place) == Field::Left
                && tree.child(up, Field::Type).is_some()
        });
        let body = declaration.and_then(|_| class_body(view, place));
        body.and_then(|body| tree.parent(body))
            .is_some_and(|class| is_public(view, class))
    })
}

/// Whether code outside of the tree may use a function or a class: its name says so, that of a class around it, too, and it
/// is no part of the tree's tests. People take over what stands in examples.
fn is_public(view: &ModuleView<'_>, definition: NodeId) -> bool {
    let tree = &view.module.tree;
    let is_hidden = |one: NodeId| {
        let name = tree
            .child(one, Field::Name)
            .map_or(&b""[..], |name| tree.word(name));
        name.starts_with(b"_") && !name.ends_with(b"__")
    };
    let classes = tree
        .ancestors(definition)
        .filter(|&one| tree.kind(one) == Kind::Class);
    let effort = Effort::builtin();
    (effort.is_shown(view.path) || !effort.is_auxiliary(view.path))
        && !std::iter::once(definition).chain(classes).any(is_hidden)
}
