//! The role of the value of an expression, which tells the role of a string that the value is compared with.

use super::flow::{of_assigned_variable, of_dictionary, of_named_target};
use crate::python::ModuleView;
use crate::python::inference::facts::slot::SlotKind;
use crate::python::inference::limits::EXPRESSION_DEPTH;
use crate::python::inference::role::names::{by_key_path, by_name, returned};
use crate::python::inference::role::options;
use crate::python::inference::role::{RoleEvidence, RoleTerm, StringRole};
use crate::python::inference::uses::callee::{annotation, cast, only_value};
use torchada_mapping::{ValueKind, has};
use torchada_syntax::python::{BoundValue, Field, Kind, Literal, NodeId};

/// The role of the value of an expression.
pub fn expression(view: &ModuleView<'_>, node: NodeId) -> RoleTerm {
    let module = view.module;
    let tree = &module.tree;
    let of =
        |node: Option<NodeId>| node.map_or_else(RoleTerm::unknown, |node| expression(view, node));
    match tree.kind(node) {
        Kind::Identifier => RoleTerm::from(by_name(view, tree.word(node)))
            .or_else(|| of_assigned_variable(view, node)),
        Kind::Attribute => {
            let name = module.last_name(node);
            // `x.device.type`
            if matches!(&*name, b"type" | b"index") {
                let object = tree.child(node, Field::Object);
                of(object).or_device(object.is_some_and(|one| is_typed_device(view, one)))
            // `option.value`, of an enumeration's member
            } else if *name == *b"value" {
                of(tree.child(node, Field::Object)).or_else(|| of_named_target(view, node))
            } else if let Some(given) = options::given_by_fixture(view, node) {
                given.into()
            } else {
                of_named_target(view, node)
            }
        }
        // `device.split(":")[0]`
        Kind::Subscript => {
            RoleTerm::from(by_key_path(view, &module.last_name(node))).or_else(|| {
                let object = tree.child(node, Field::Value);
                let is_table = |&object: &NodeId| {
                    only_value(view, object)
                        .is_some_and(|value| tree.kind(value) == Kind::Dictionary)
                };
                match object.filter(is_table) {
                    // `device in TABLE` tells what the keys are, and not what `TABLE[device]` gives.
                    Some(table) => of_dictionary(view, table, SlotKind::Values),
                    None => of(object),
                }
            })
        }
        // `"cuda" in [x.device.type for x in tensors]`
        Kind::Parenthesized
        | Kind::ListComprehension
        | Kind::SetComprehension
        | Kind::Generator => of(tree.nth(node, 0)),
        Kind::Conditional | Kind::Boolean => {
            let places = if tree.kind(node) == Kind::Boolean {
                [0, 1]
            } else {
                [0, 2]
            };
            let sides = places.into_iter().filter_map(|at| tree.nth(node, at));
            let sides = sides.map(|side| expression(view, side).map(RoleEvidence::summed_up));
            RoleTerm::Join(sides.collect())
        }
        Kind::Call => result(view, node),
        _ => RoleTerm::unknown(),
    }
}

/// Whether an object is a parameter that is typed as an object which is made with the name of a device: `torch.device`.
fn is_typed_device(view: &ModuleView<'_>, object: NodeId) -> bool {
    let values = view.python_values();
    let is_devices = |part: NodeId| {
        let name = view.module.resolve(part);
        name.is_some_and(|one| values.argument(&one.name, 0) == Some(ValueKind::Device))
    };
    let [only] = view.module.meanings(object) else {
        return false;
    };
    let typed = annotation(view, only.at).filter(|_| only.what == BoundValue::Parameter);
    typed.is_some_and(|typed| is_one_or_none(view, typed, EXPRESSION_DEPTH, &is_devices))
}

/// Whether a type is one of some, or that and None: `T`, `Optional[T]`, `T | None`.
fn is_one_or_none(
    view: &ModuleView<'_>,
    typed: NodeId,
    depth: usize,
    is_one: &dyn Fn(NodeId) -> bool,
) -> bool {
    let tree = &view.module.tree;
    let Some(depth) = depth.checked_sub(1) else {
        return false;
    };
    let are_all = |from: usize| {
        let parts = tree.children(typed).take(ANNOTATION).skip(from);
        let mut types = parts
            .filter(|&part| tree.kind(part) != Kind::Operator && tree.word(part) != b"None")
            .peekable();
        types.peek().is_some() && types.all(|part| is_one_or_none(view, part, depth, is_one))
    };
    match tree.kind(typed) {
        Kind::Identifier | Kind::Attribute => is_one(typed),
        Kind::Binary | Kind::UnionType | Kind::Type | Kind::TypeParameter | Kind::Parenthesized => {
            are_all(0)
        }
        Kind::GenericType | Kind::Subscript => {
            let outer = tree.nth(typed, 0).map(|name| view.module.last_name(name));
            outer.is_some_and(|name| *name == *b"Optional") && are_all(1)
        }
        _ => false,
    }
}

/// How many parts of an annotation are looked at.
const ANNOTATION: usize = 16;

/// The role of the result of a call.
fn result(view: &ModuleView<'_>, call: NodeId) -> RoleTerm {
    let module = view.module;
    let tree = &module.tree;
    if let Some(kind) = view
        .callee_name(call)
        .and_then(|callee| view.python_values().result(&callee.name))
    {
        return StringRole::Known(kind).into();
    }
    if let Some(inner) = cast(view, call) {
        return expression(view, inner);
    }
    let Some(callee) = tree.callee(call) else {
        return RoleTerm::unknown();
    };
    let words = &view.python_values().words_of_calls;
    let first = || tree.argument(call, 0);
    if tree.kind(callee) == Kind::Identifier {
        if module.is_builtin(callee, "str") || module.is_builtin(callee, "repr") {
            return first().map_or_else(RoleTerm::unknown, |inner| expression(view, inner));
        }
        // `getattr(options, "device", None)`
        if has(&words.attributes, module.callee_word(call)) {
            return attribute(view, call);
        }
        // `get_setting("device")`
        if has(&words.gets_keyed, module.callee_word(call)) {
            return by_key(view, call);
        }
        return returned(view, callee).into();
    }
    let Some(object) = tree.child(callee, Field::Object) else {
        return RoleTerm::unknown();
    };
    let word = module.callee_word(call);
    if has(&words.parts, word) {
        expression(view, object)
    } else if has(&words.keyed, word) || has(&words.gets_keyed, word) {
        by_key(view, call)
    // `"cuda" in x.type()`
    } else if has(&words.type_names, word) && first().is_none() {
        StringRole::Known(ValueKind::Device).into()
    } else {
        returned(view, callee).into()
    }
}

/// The role of what a call gets by the key that is its first argument: `config.getoption("--device")`.
fn by_key(view: &ModuleView<'_>, call: NodeId) -> RoleTerm {
    let tree = &view.module.tree;
    let key = tree.argument(call, 0);
    let key = key.and_then(|key| Literal::read(tree, key));
    let role = |key: Literal| {
        let dashes = key.value().iter().take_while(|&&one| one == b'-').count();
        by_key_path(view, key.value().get(dashes..).unwrap_or_default())
    };
    key.map_or_else(RoleTerm::unknown, |key| role(key).into())
}

/// The role of the attribute that a call of `getattr` names in a text.
fn attribute(view: &ModuleView<'_>, call: NodeId) -> RoleTerm {
    let tree = &view.module.tree;
    let object = || tree.argument(call, 0);
    match Literal::argument(&view.module.tree, call, 1).as_deref() {
        Some("type") => object().map_or_else(RoleTerm::unknown, |one| expression(view, one)),
        Some(name) => by_name(view, name.as_bytes()).into(),
        None => RoleTerm::unknown(),
    }
}
