//! The role of a string that a call takes as an argument.

use super::expressions::expression;
use super::flow::{of_named_target, of_parameter_in};
use crate::python::ModuleView;
use crate::python::inference::facts::slot::Slot;
use crate::python::inference::role::names::by_name;
use crate::python::inference::role::options::has;
use crate::python::inference::role::questions;
use crate::python::inference::role::{RoleTerm, StringRole};
use crate::python::inference::uses::callee;
use torchada_mapping::ValueKind;
use torchada_syntax::python::{Consumer, Field, Kind, Literal, NodeId, Use};
use torchada_text::last_part;

/// The role of the value of a keyword argument.
pub(in crate::python::inference) fn keyword(
    view: &ModuleView<'_>,
    call: NodeId,
    name: NodeId,
) -> RoleTerm {
    let word = view.module.tree.word(name);
    let known = &view.context.knowledge.python_strings.options;
    let words = &view.python_values().words_of_calls;
    if has(&known.values, word)
        && let Some(option) = first_text(view, call, 0)
    {
        return by_name(view, option.trim_start_matches('-').as_bytes()).into();
    }
    // `patch("package.get_device", return_value="cuda")`
    if has(&words.given_by_mocks, word)
        && let Some(found) = given_in_place_of(view, call)
    {
        return found.into();
    }
    // `device: str = field(default="cuda")`
    if has(&words.field_values, word)
        && let Consumer::Target { target } = view.module.use_of(call).consumer
    {
        return of_named_target(view, target);
    }
    // `pytest.param(torch.device("cuda:0"), id="cuda:0")`
    let names_case = has(&words.cases, view.module.callee_word(call)) && word == b"id";
    if has(&words.message_keywords, word) || names_case {
        return StringRole::Text.into();
    }
    // `torch.device(type="cuda")`
    let callee = view.callee(call);
    let known = callee.and_then(|one| view.python_values().keyword_of(&one.name, word));
    known
        .map_or_else(|| by_name(view, word), StringRole::Known)
        .into()
}

/// Whether what a mock gives is a device, by the name of the function that the mock stands for: the last text of
/// `patch("package.get_device", …)` and `patch.object(config, "get_device", …)`, or what the mock is assigned to.
fn given_in_place_of(view: &ModuleView<'_>, call: NodeId) -> Option<StringRole> {
    let text = first_text(view, call, 1).or_else(|| first_text(view, call, 0));
    let name = match (text, view.module.use_of(call).consumer) {
        (Some(text), _) => text.into_bytes(),
        (None, Consumer::Target { target }) => view.module.last_name(target),
        _ => return None,
    };
    let name = name.rsplit(|&byte| byte == b'.').next()?;
    Some(device_of_getter(view, name))
}

/// What a function gives whose name says that it gives a device.
pub(in crate::python::inference) fn device_of_getter(
    view: &ModuleView<'_>,
    name: &[u8],
) -> StringRole {
    match by_name(view, name.strip_prefix(b"get_").unwrap_or(name)) {
        found @ StringRole::Known(ValueKind::Device) => found,
        _ => StringRole::Unknown,
    }
}

/// The role of a positional argument.
pub(in crate::python::inference) fn argument(
    view: &ModuleView<'_>,
    of: &Use,
    call: NodeId,
    position: Option<usize>,
) -> RoleTerm {
    let Some(position) = position else {
        return StringRole::Unknown.into();
    };
    match by_callee(view, call, position) {
        Some(kind) => StringRole::Known(kind).into(),
        None => by_other_part(view, of, call, position),
    }
}

/// The role of a positional argument of a function that the tables know.
pub(in crate::python::inference) fn by_callee(
    view: &ModuleView<'_>,
    call: NodeId,
    position: usize,
) -> Option<ValueKind> {
    let module = view.module;
    let values = view.python_values();
    // `partial(autocast, "cuda")`
    if has(&values.words_of_calls.partial, module.callee_word(call)) {
        let called = view.resolve(module.tree.argument(call, 0)?)?;
        return values.argument(&called.name, position.checked_sub(1)?);
    }
    if has(&values.path_methods, module.callee_word(call)) {
        return Some(ValueKind::Other);
    }
    if let Some(callee) = view.callee(call) {
        if values.paths.contains(&callee.name) {
            return Some(ValueKind::Other);
        }
        if let Some(kind) = values.argument(&callee.name, position) {
            return Some(kind);
        }
        // It may come through a module of the tree's own.
        let outer = tree_callee(view, call);
        if let Some(kind) = outer.and_then(|outer| values.argument(&outer, position)) {
            return Some(kind);
        }
        // What the functions of the module take as a text is a device.
        let inside = callee.name.strip_prefix(&values.module.cuda);
        if callee.is_sure() && inside.is_some_and(|rest| rest.starts_with('.')) {
            return Some(ValueKind::Device);
        }
    }
    let tree = &module.tree;
    let callee = tree.child(call, Field::Function);
    callee.filter(|&one| tree.kind(one) == Kind::Attribute)?;
    let method = String::from_utf8_lossy(module.callee_word(call));
    values.argument(&format!(".{method}"), position)
}

/// The role of an argument by another part of the call.
fn by_other_part(view: &ModuleView<'_>, of: &Use, call: NodeId, position: usize) -> RoleTerm {
    let module = view.module;
    let tree = &module.tree;
    let words = &view.python_values().words_of_calls;
    let word = module.callee_word(call);
    let object = || {
        let callee = tree.child(call, Field::Function)?;
        tree.child(callee, Field::Object)
    };
    let behind_key = |list: &[String], at: usize| position == at && has(list, word);
    // `monkeypatch.setattr("pkg.utils.device_type", "cuda")`. A name in capitals may be a variable of the environment's,
    // which has words of the project's own.
    let patched = || {
        let path = first_text(view, call, 0).filter(|_| behind_key(&words.replaces, 1))?;
        let name = last_part(&path);
        let is_own = name.bytes().any(|byte| byte.is_ascii_lowercase());
        is_own.then(|| name.to_owned())
    };
    // `options.get("device", "cuda")`, `getattr(options, "device", "cuda")`
    if behind_key(&words.keyed, 1) || behind_key(&words.attributes, 2) {
        let key = first_text(view, call, position - 1);
        let named = key
            .as_deref()
            .map_or(StringRole::Unknown, |key| by_name(view, key.as_bytes()));
        // `getattr(self, "kind", "cuda")` is what `self.kind` is.
        let of_self = || {
            tree.argument(call, 0)
                .filter(|&one| tree.word(one) == b"self")
        };
        let key = key.filter(|_| behind_key(&words.attributes, 2) && of_self().is_some());
        RoleTerm::from(named).or_else(|| match key {
            Some(key) => RoleTerm::Of(Slot::of_attribute(view.index, key.as_bytes())),
            None => StringRole::Unknown.into(),
        })
    } else if let Some(name) = patched() {
        by_name(view, name.as_bytes()).into()
    // `getattr(torch, kind)`: PyTorch calls the modules of devices as it calls the devices.
    } else if behind_key(&words.attributes, 1) && is_torch(view, call) {
        StringRole::Known(ValueKind::Device).into()
    // `devices.append("cuda")`
    } else if behind_key(&words.collects, 0) || behind_key(&words.inserts, 1) {
        if questions::picks_each(view, of, call) {
            return StringRole::Known(ValueKind::Device).into();
        }
        object()
            .map_or(StringRole::Unknown, |object| {
                by_name(view, &module.last_name(object))
            })
            .into()
    } else if has(&words.cases, word) {
        parametrized(view, &module.use_of(call), Some(position))
    } else if behind_key(&words.runs, 1) {
        let item = of.items().next().map(|item| tree.ordinal(item));
        parametrized(view, of, item)
    } else if behind_key(&words.runs_expanded, 0) {
        let item = of.items().next().map(|item| tree.ordinal(item));
        item.map_or(StringRole::Unknown.into(), |item| {
            expanded(view, call, item)
        })
    } else if behind_key(&words.compares_front, 0) {
        object().map_or(StringRole::Unknown.into(), |object| {
            expression(view, object)
        })
    // `assertEqual(x.device.type, "cuda")`
    } else if position < 2 && has(&words.compares, word) {
        let other = tree.argument(call, 1 - position);
        other.map_or(StringRole::Unknown.into(), |other| expression(view, other))
    // Exceptions are raised with messages.
    } else if has(&words.messages, word)
        || words
            .errors
            .iter()
            .any(|end| word.ends_with(end.as_bytes()))
    {
        StringRole::Text.into()
    } else {
        StringRole::Unknown.into()
    }
}

/// Whether the first argument of a call is `PyTorch` itself.
fn is_torch(view: &ModuleView<'_>, call: NodeId) -> bool {
    let root = &view.python_values().torch_names.root;
    let object = view.module.tree.argument(call, 0);
    let name = object.and_then(|object| view.module.resolve(object));
    name.is_some_and(|name| name.name == *root)
}

/// The name outside the tree that a callee has in the end.
fn tree_callee(view: &ModuleView<'_>, call: NodeId) -> Option<String> {
    let callee = view.module.tree.child(call, Field::Function)?;
    callee::outer_name(view, callee)
}

/// The role of a value that a test is run with: `parametrize("n,device", [(1, "cuda"), …])`. `item` is the place of the
/// value in a tuple of several.
fn parametrized(view: &ModuleView<'_>, of: &Use, item: Option<usize>) -> RoleTerm {
    let Consumer::Argument {
        call,
        position: Some(1),
    } = of.consumer
    else {
        return StringRole::Unknown.into();
    };
    let words = &view.python_values().words_of_calls;
    if !has(&words.runs, view.module.callee_word(call)) {
        return StringRole::Unknown.into();
    }
    let names = case_names(view, call);
    let name = match names.as_slice() {
        [one] => Some(one),
        several => item.and_then(|item| several.get(item)),
    };
    let Some(name) = name else {
        return StringRole::Unknown.into();
    };
    RoleTerm::from(by_name(view, name.as_bytes())).or_else(|| {
        let function = decorated_function(view, call);
        function.map_or(StringRole::Unknown.into(), |function| {
            of_parameter_in(view, function, name.as_bytes())
        })
    })
}

/// The role of a value at a place of a list of all arguments that a test is run with: `expand([("cuda", 1), …])`.
fn expanded(view: &ModuleView<'_>, call: NodeId, item: usize) -> RoleTerm {
    let tree = &view.module.tree;
    let name = decorated_function(view, call).and_then(|function| {
        let list = tree.child(function, Field::Parameters)?;
        let names = tree.children(list).map(|one| {
            let inner = tree.child(one, Field::Name).or_else(|| tree.nth(one, 0));
            tree.word(inner.unwrap_or(one))
        });
        let name = names
            .filter(|name| !matches!(*name, b"self" | b"cls"))
            .nth(item)?;
        Some((function, name))
    });
    name.map_or(StringRole::Unknown.into(), |(function, name)| {
        RoleTerm::from(by_name(view, name)).or_else(|| of_parameter_in(view, function, name))
    })
}

/// The function that a decorator stands before.
fn decorated_function(view: &ModuleView<'_>, decorator: NodeId) -> Option<NodeId> {
    let tree = &view.module.tree;
    let decorated = tree
        .ancestors(decorator)
        .find(|&one| tree.kind(one) == Kind::Decorated)?;
    let mut parts = tree.children(decorated);
    parts.find(|&one| tree.kind(one) == Kind::Function)
}

/// The names of the parameters that a test is run with, in one text or in a list: `"n,device"`, `("n", "device")`.
pub(in crate::python::inference) fn case_names(view: &ModuleView<'_>, call: NodeId) -> Vec<String> {
    let tree = &view.module.tree;
    let Some(names) = tree.argument(call, 0) else {
        return Vec::new();
    };
    let is_bare = tree.kind(names) != Kind::Parenthesized;
    let names = tree.nth(names, 0).filter(|_| !is_bare).unwrap_or(names);
    if matches!(tree.kind(names), Kind::List | Kind::Tuple) {
        // One that is no plain text keeps its place.
        let texts = tree.children(names).map(|one| plain_text(view, one));
        return texts.map(Option::unwrap_or_default).collect();
    }
    let names = plain_text(view, names).unwrap_or_default();
    names.split(',').map(|one| one.trim().to_owned()).collect()
}

/// The text of an argument that is a plain string.
pub fn first_text(view: &ModuleView<'_>, call: NodeId, position: usize) -> Option<String> {
    plain_text(view, view.module.tree.argument(call, position)?)
}

fn plain_text(view: &ModuleView<'_>, node: NodeId) -> Option<String> {
    let literal = Literal::read(&view.module.tree, node)?;
    let text = literal.is_plain().then(|| literal.value().to_vec())?;
    String::from_utf8(text).ok()
}
