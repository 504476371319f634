//! The role of a string, by its position: an argument of a known function, a default, a side of a comparison.

use super::arguments::{argument, device_of_getter, keyword, of_test_parameter};
use super::dictionaries::{has_text_keys, key_looked_up};
use super::expressions::expression;
use super::flow::by_flow;
use super::test_cases::test_case_parameter;
use crate::python::ModuleView;
use crate::python::inference::role::device_texts::is_cudas_device;
use crate::python::inference::role::labels::{of_description, of_label};
use crate::python::inference::role::names::{by_key_path, by_name, returned};
use crate::python::inference::role::options;
use crate::python::inference::role::{RoleTerm, StringRole};
use torchada_mapping::{ValueKind, has};
use torchada_syntax::python::{Consumer, Field, Kind, Literal, NodeId, Use};

/// The variable that lists the names which a module exports.
const EXPORTS: &[u8] = b"__all__";

/// The role of a string by its position.
pub fn by_position(view: &ModuleView<'_>, of: &Use) -> RoleTerm {
    if let Some(found) = options::string_role(view, of) {
        return found.into();
    }
    let tree = &view.module.tree;
    let named = |node| by_name(view, &view.module.last_name(node));
    match of.consumer {
        Consumer::Docstring | Consumer::Statement | Consumer::Message => StringRole::Text.into(),
        Consumer::Path => StringRole::Known(ValueKind::Other).into(),
        Consumer::Keyword { call, name } => match of_label(view, call, tree.word(name)) {
            Some(found) => found.into(),
            None => keyword(view, call, name),
        },
        Consumer::Argument { call, position } => argument(view, of, call, position),
        Consumer::Default { name, .. } => named(name).into(),
        Consumer::Target { target } => by_target(view, of, target),
        Consumer::Loop { target } => {
            let spread = || of_test_parameter(view, test_case_parameter(view, of, target));
            RoleTerm::from(named(target)).or_else(spread)
        }
        Consumer::Return { function } => function
            .and_then(|one| tree.child(one, Field::Name))
            .map_or(StringRole::Unknown, |name| returned(view, name))
            .into(),
        Consumer::Comparison {
            other,
            operator,
            on_left: true,
            ..
        } if tree.word(operator).ends_with(b"in") => by_sought(view, of, other),
        Consumer::Comparison {
            other, operator, ..
        } => expression(view, compared_part(view, of, other, operator)),
        Consumer::Pattern { subject, .. } => expression(view, subject),
        Consumer::DictKey { pair } => by_key(view, of, pair),
        Consumer::DictValue { pair } => by_entry(view, of, pair),
        _ => RoleTerm::unknown(),
    }
}

/// The role of a string that is assigned.
fn by_target(view: &ModuleView<'_>, of: &Use, target: NodeId) -> RoleTerm {
    let last = view.module.last_name(target);
    let mocks = &view.python_values().words_of_calls.given_by_mocks;
    let role = by_key_path(view, &last);
    if has(mocks, &last) {
        // `mock.get_device.return_value = "cuda"`
        let mock = view.module.tree.child(target, Field::Object);
        let getter = mock.map(|mock| view.module.last_name(mock));
        let role = getter.map(|getter| device_of_getter(view, &getter));
        role.unwrap_or(StringRole::Unknown).into()
    } else if last == EXPORTS {
        StringRole::Known(ValueKind::Other).into()
    } else if role == StringRole::Known(ValueKind::Backend) {
        // `backend = "cuda"`, and then `torch.device(backend)`
        let device = by_flow(view, of).only_device();
        device.or_else(|| role.into())
    } else {
        role.into()
    }
}

/// The role of a string that is looked for in a value.
fn by_sought(view: &ModuleView<'_>, of: &Use, whole: NodeId) -> RoleTerm {
    // `"cuda" in states`, where `states["cpu"]` says that this is a dictionary.
    if has_text_keys(view, whole) {
        let consumer = Consumer::Item { of: whole };
        let steps = of.steps.clone();
        return by_flow(view, &Use { consumer, steps });
    }
    // `"cuda" in (source, target)`
    let sought = sought_in(view, whole);
    RoleTerm::First(sought.map(|one| expression(view, one)).collect())
}

/// The role of the key of a dictionary's entry.
fn by_key(view: &ModuleView<'_>, of: &Use, pair: NodeId) -> RoleTerm {
    // The name of `BACKENDS = {"cuda": …}` tells what its values are.
    if is_beside_own_module(view, pair) {
        return StringRole::Known(ValueKind::Device).into();
    }
    // `{"cpu": 2, "cuda": 8}[args.device]`
    let dictionary = view.module.tree.parent(pair);
    let key = dictionary.and_then(|one| key_looked_up(view, one));
    let by_key = key.map_or_else(RoleTerm::unknown, |key| expression(view, key).only_device());
    let by_name = || {
        of_dictionary(view, pair).map_role(|role| match role {
            StringRole::Known(ValueKind::Backend) => StringRole::Unknown,
            found => found,
        })
    };
    // `backends = {"cuda": "nccl"}` is named after its values, and asked by a device: `backends.get(device_type)`.
    by_key.or_else(|| by_flow(view, of).only_device().or_else(by_name))
}

/// The role of the value of a dictionary's entry.
fn by_entry(view: &ModuleView<'_>, of: &Use, pair: NodeId) -> RoleTerm {
    // `{"cuda": ("torch", "cuda"), "cpu": ("torch",)}`: the device that is the key does not tell what its entry lists.
    if of.items().next().is_some() && is_of_device(view, pair) {
        return of_dictionary(view, pair);
    }
    let key = view.module.tree.child(pair, Field::Key);
    match key.map(|key| by_key_path(view, &view.module.last_name(key))) {
        Some(StringRole::Unknown) | None => {
            let described = of_description(view, pair);
            described.map_or_else(|| of_dictionary(view, pair), RoleTerm::from)
        }
        Some(found) => found.into(),
    }
}

/// The parts of that in which a text is looked for: the items, where they are listed, or the whole.
pub fn sought_in(view: &ModuleView<'_>, whole: NodeId) -> impl Iterator<Item = NodeId> {
    let tree = &view.module.tree;
    let lists = matches!(tree.kind(whole), Kind::Tuple | Kind::List | Kind::Set);
    let items = lists.then(|| tree.children(whole));
    let itself = (!lists).then_some(whole);
    items.into_iter().flatten().chain(itself)
}

/// What a string is compared with: the part at its place where two tuples are compared, `(x.device, n) == ("cuda", 1)`.
fn compared_part(view: &ModuleView<'_>, of: &Use, other: NodeId, operator: NodeId) -> NodeId {
    let tree = &view.module.tree;
    let is_tuple = |node: NodeId| tree.kind(node) == Kind::Tuple;
    let mut items = of.items();
    let item = items.next().filter(|_| items.next().is_none());
    let item = item.filter(|&item| tree.parent(item).is_some_and(is_tuple));
    let is_equality = matches!(tree.word(operator), b"==" | b"!=");
    let part = item
        .filter(|_| is_equality && is_tuple(other))
        .and_then(|item| tree.nth(other, tree.ordinal(item)));
    part.unwrap_or(other)
}

/// Whether the key of an entry is the name of CUDA's device.
fn is_of_device(view: &ModuleView<'_>, pair: NodeId) -> bool {
    let key = view.module.tree.child(pair, Field::Key);
    key.is_some_and(|key| is_cudas_device(view, key))
}

/// Whether the value of an entry is of the module of `PyTorch`'s that its key is the name of, as that of another entry is:
/// `{"cuda": torch.cuda.synchronize, "xpu": torch.xpu.synchronize}`.
fn is_beside_own_module(view: &ModuleView<'_>, pair: NodeId) -> bool {
    let tree = &view.module.tree;
    let root = &view.python_values().torch_names.root;
    let is_own = |pair: NodeId| {
        let value = tree.child(pair, Field::Value)?;
        let key = Literal::read(tree, tree.child(pair, Field::Key)?)?;
        let key = String::from_utf8(key.value().to_vec()).ok()?;
        let name = view
            .resolve(value)
            .filter(|_| tree.kind(value) == Kind::Attribute)?;
        let inside = name.name.strip_prefix(&format!("{root}.{key}"))?;
        Some(inside.starts_with('.'))
    };
    let others = tree
        .parent(pair)
        .into_iter()
        .flat_map(|all| tree.children(all));
    let mut others = others
        .take(ENTRIES)
        .filter(|&other| other != pair && tree.kind(other) == Kind::Pair);
    is_own(pair) == Some(true) && others.any(|other| is_own(other) == Some(true))
}

/// How many entries of a dictionary are looked at.
const ENTRIES: usize = 64;

/// The role of the entries of a dictionary by the position of the dictionary: those of a `map_location` are devices.
fn of_dictionary(view: &ModuleView<'_>, pair: NodeId) -> RoleTerm {
    let dictionary = view.module.tree.parent(pair);
    dictionary.map_or_else(RoleTerm::unknown, |dictionary| {
        by_position(view, &view.module.use_of(dictionary)).only_kinds()
    })
}
