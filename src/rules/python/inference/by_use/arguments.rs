//! The role of a string that a call takes as an argument.

use super::expressions::expression;
use super::flow::of_named_target;
use super::parameters::of_parameter_in;
use super::test_cases::{TestParameter, decorated_function, expanded, parametrized};
use crate::python::ModuleView;
use crate::python::inference::facts::slot::Slot;
use crate::python::inference::role::names::{by_key_path, by_name};
use crate::python::inference::role::questions;
use crate::python::inference::role::{RoleTerm, StringRole};
use torchada_mapping::{ValueKind, ends_with_one, has};
use torchada_syntax::python::{Consumer, Kind, Literal, NodeId, Use};
use torchada_text::last_part;

/// The role of the value of a keyword argument.
pub fn keyword(view: &ModuleView<'_>, call: NodeId, name: NodeId) -> RoleTerm {
    let word = view.module.tree.word(name);
    let known = &view.context.knowledge.python_strings.options;
    let words = &view.python_values().words_of_calls;
    if has(&known.values, word)
        && let Some(option) = Literal::argument(&view.module.tree, call, 0)
    {
        return by_name(view, option.trim_start_matches('-').as_bytes()).into();
    }
    // `patch("package.get_device", return_value="cuda")`
    if has(&words.given_by_mocks, word)
        && let Some(found) = role_of_mocked(view, call)
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
    // `given(kind=st.just("cuda"))`
    if has(&words.runs_named, view.module.callee_word(call)) {
        let parameter = TestParameter {
            decorator: call,
            name: word.to_vec(),
        };
        return of_test_parameter(view, Some(parameter));
    }
    // `torch.device(type="cuda")`
    let callee = view.callee_name(call);
    let known = callee.and_then(|one| view.python_values().keyword_of(&one.name, word));
    known
        .map_or_else(|| by_name(view, word), StringRole::Known)
        .into()
}

/// Whether what a mock gives is a device, by the name of the function that the mock stands for: the last text of
/// `patch("package.get_device", …)` and `patch.object(config, "get_device", …)`, or what the mock is assigned to.
fn role_of_mocked(view: &ModuleView<'_>, call: NodeId) -> Option<StringRole> {
    let text = Literal::argument(&view.module.tree, call, 1)
        .or_else(|| Literal::argument(&view.module.tree, call, 0));
    let name = match (text, view.module.use_of(call).consumer) {
        (Some(text), _) => text.into_bytes().into(),
        (None, Consumer::Target { target }) => view.module.last_name(target),
        _ => return None,
    };
    let name = name.rsplit(|&byte| byte == b'.').next()?;
    Some(device_of_getter(view, name))
}

/// What a function gives whose name says that it gives a device.
pub fn device_of_getter(view: &ModuleView<'_>, name: &[u8]) -> StringRole {
    match by_name(view, name.strip_prefix(b"get_").unwrap_or(name)) {
        found @ StringRole::Known(ValueKind::Device) => found,
        _ => StringRole::Unknown,
    }
}

/// The role of a positional argument.
pub fn argument(
    view: &ModuleView<'_>,
    of: &Use,
    call: NodeId,
    position: Option<usize>,
) -> RoleTerm {
    let Some(position) = position else {
        return RoleTerm::unknown();
    };
    match by_callee(view, call, position) {
        Some(kind) => StringRole::Known(kind).into(),
        None => by_other_part(view, of, call, position),
    }
}

/// The role of a positional argument of a function that the tables know.
pub fn by_callee(view: &ModuleView<'_>, call: NodeId, position: usize) -> Option<ValueKind> {
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
    if let Some(callee) = view.callee_name(call) {
        if values.paths.contains(&callee.name) {
            return Some(ValueKind::Other);
        }
        if let Some(kind) = values.argument(&callee.name, position) {
            return Some(kind);
        }
        // What the functions of the module take as a text is a device.
        let inside = callee.name.strip_prefix(&values.module.cuda);
        if callee.is_sure() && inside.is_some_and(|rest| rest.starts_with('.')) {
            return Some(ValueKind::Device);
        }
    }
    let tree = &module.tree;
    let callee = tree.callee(call);
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
    let object = || tree.receiver(call);
    let is_at = |list: &[String], at: usize| position == at && has(list, word);
    let is_error = || ends_with_one(word, &words.errors);
    // `monkeypatch.setattr("pkg.utils.device_type", "cuda")`. A name in capitals may be a variable of the environment's,
    // which has words of the project's own.
    let patched = || {
        let path =
            Literal::argument(&view.module.tree, call, 0).filter(|_| is_at(&words.replaces, 1))?;
        let name = last_part(&path);
        let is_own = name.bytes().any(|byte| byte.is_ascii_lowercase());
        is_own.then(|| name.to_owned())
    };
    // `options.get("device", "cuda")`, `get_setting("device", "cuda")`, `getattr(options, "device", "cuda")`
    if is_at(&words.keyed, 1) || is_at(&words.gets_keyed, 1) || is_at(&words.attributes, 2) {
        by_key_before(view, call, position, is_at(&words.attributes, 2))
    } else if let Some(name) = patched() {
        by_name(view, name.as_bytes()).into()
    // `getattr(torch, kind)`: PyTorch calls the modules of devices as it calls the devices.
    } else if is_at(&words.attributes, 1) && is_torch(view, call) {
        StringRole::Known(ValueKind::Device).into()
    // `devices.append("cuda")`
    } else if is_at(&words.collects, 0) || is_at(&words.inserts, 1) {
        if questions::picks_each(view, of, call) {
            return StringRole::Known(ValueKind::Device).into();
        }
        let role = object().map(|object| by_name(view, &module.last_name(object)));
        role.unwrap_or(StringRole::Unknown).into()
    } else if let Some(role) = by_test(view, of, call, position) {
        role
    // `given(kind=st.sampled_from(["cpu", "cuda"]))`: one of them is what the call gives.
    } else if is_at(&words.chooses, 0) {
        match module.use_of(call).consumer {
            Consumer::Keyword { call, name } => keyword(view, call, name),
            Consumer::Target { target } => of_named_target(view, target),
            _ => RoleTerm::unknown(),
        }
    } else if is_at(&words.compares_front, 0) {
        object().map_or_else(RoleTerm::unknown, |one| expression(view, one))
    // `assertEqual(x.device.type, "cuda")`
    } else if position < 2 && has(&words.compares, word) {
        let other = tree.argument(call, 1 - position);
        other.map_or_else(RoleTerm::unknown, |other| expression(view, other))
    // Exceptions are raised with messages.
    } else if has(&words.messages, word) || is_error() {
        StringRole::Text.into()
    } else {
        RoleTerm::unknown()
    }
}

/// The role of an argument by the key before it; `is_attribute` says that the key is the name of an attribute.
fn by_key_before(
    view: &ModuleView<'_>,
    call: NodeId,
    position: usize,
    is_attribute: bool,
) -> RoleTerm {
    let tree = &view.module.tree;
    let key = Literal::argument(&view.module.tree, call, position - 1);
    let named = key.as_deref().map(|key| by_key_path(view, key.as_bytes()));
    let object = tree.argument(call, 0);
    let is_of_self = || is_attribute && object.is_some_and(|one| tree.word(one) == b"self");
    RoleTerm::from(named.unwrap_or(StringRole::Unknown)).or_else(|| {
        // `getattr(self, "kind", "cuda")` is what `self.kind` is.
        match key.filter(|_| is_of_self()) {
            Some(key) => RoleTerm::Of(Slot::of_attribute(view.index, key.as_bytes())),
            None => RoleTerm::unknown(),
        }
    })
}

/// The role of an argument of a call that says what values the parameters of a test have.
fn by_test(view: &ModuleView<'_>, of: &Use, call: NodeId, position: usize) -> Option<RoleTerm> {
    let module = view.module;
    let words = &view.python_values().words_of_calls;
    let word = module.callee_word(call);
    let item = || of.items().next().map(|item| module.tree.ordinal(item));
    let is_case = has(&words.cases, word);
    let parameter = if position == 1 && has(&words.runs, word) && !is_case {
        parametrized(view, of, item())
    // `parametrize("n,device", product([1, 2], ["cpu", "cuda"]))`
    } else if is_case || module.joins_lists(call) {
        parametrized(view, &module.use_of(call), Some(position))
    } else if position == 0 && has(&words.runs_expanded, word) {
        item().and_then(|item| expanded(view, call, item))
    } else {
        return None;
    };
    Some(of_test_parameter(view, parameter))
}

/// Whether the first argument of a call is `PyTorch` itself.
fn is_torch(view: &ModuleView<'_>, call: NodeId) -> bool {
    let root = &view.python_values().torch_names.root;
    let object = view.module.tree.argument(call, 0);
    let name = object.and_then(|object| view.module.resolve(object));
    name.is_some_and(|name| name.name == *root)
}

/// The role of a parameter of a test.
pub fn of_test_parameter(view: &ModuleView<'_>, parameter: Option<TestParameter>) -> RoleTerm {
    let Some(TestParameter { decorator, name }) = parameter else {
        return RoleTerm::unknown();
    };
    RoleTerm::from(by_name(view, &name)).or_else(|| {
        let function = decorated_function(view, decorator);
        function.map_or_else(RoleTerm::unknown, |function| {
            of_parameter_in(view, function, &name)
        })
    })
}
