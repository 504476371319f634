//! Options of programs, and fields and parameters that a call or an annotation declares. The name of the option, field
//! or parameter tells the role of its values.

use super::StringRole;
use super::annotations::{is_annotation, owner};
use super::names::by_name;
use crate::python::ModuleView;
use crate::python::inference::uses::name_uses::any_use;
use torchada_mapping::{ValueKind, has};
use torchada_syntax::python::{Binding, BoundValue, Consumer, Field, Kind, Literal, NodeId, Use};

/// How far the declaration around a value is looked for.
const REACH: usize = 24;

/// The role of a value that such a declaration takes; `None` where there is no declaration.
pub fn string_role(view: &ModuleView<'_>, of: &Use) -> Option<StringRole> {
    let known = &view.context.knowledge.python_strings.options;
    let tree = &view.module.tree;
    match of.consumer {
        Consumer::Keyword { call, name } if tree.kind(call) == Kind::Call => {
            let word = tree.word(name);
            let callee = view.module.callee_word(call);
            if has(&known.fixtures, callee) && has(&known.fixture_values, word) {
                return fixture(view, call);
            }
            // `add_argument("--cuda", dest="cuda")`: the name of an attribute.
            if has(&known.names, word) && declares_option(view, call) {
                return Some(StringRole::Known(ValueKind::Other));
            }
            if !has(&known.values, word) {
                return None;
            }
            option(view, call).or_else(|| {
                let wraps = has(&known.wrappers, callee);
                wraps.then(|| declared(view, call)).flatten()
            })
        }
        Consumer::Argument { call, position } => {
            let callee = view.module.callee_word(call);
            if callee.starts_with(known.defines.as_bytes()) {
                return match position {
                    Some(0) => Some(StringRole::Known(ValueKind::Other)),
                    Some(1) => option(view, call),
                    _ => None,
                };
            }
            if position == Some(0) && has(&known.wrappers, callee) {
                return declared(view, call);
            }
            has(&known.parsers, callee)
                .then(|| flag_before(view, of))
                .flatten()
        }
        Consumer::Item { of: annotation } if is_annotation(view, annotation) => {
            owner(view, annotation)
        }
        _ => None,
    }
}

/// The values beside which a default stands: those of `type=Choice([…])`, those of an annotation.
pub fn allowed(view: &ModuleView<'_>, of: &Use) -> Vec<Literal> {
    let known = &view.context.knowledge.python_strings.options;
    let tree = &view.module.tree;
    let around = match of.consumer {
        Consumer::Keyword { call, name } if has(&known.values, tree.word(name)) => {
            let arguments = tree.child(call, Field::Arguments);
            let mut arguments = arguments.into_iter().flat_map(|list| tree.children(list));
            arguments
                .find(|&one| {
                    tree.child(one, Field::Name)
                        .is_some_and(|name| has(&known.types, tree.word(name)))
                })
                .and_then(|one| tree.child(one, Field::Value))
        }
        Consumer::Default { name, .. } => tree
            .parent(name)
            .and_then(|parameter| tree.child(parameter, Field::Type)),
        Consumer::Target { target } => tree
            .parent(target)
            .and_then(|assignment| tree.child(assignment, Field::Type)),
        _ => None,
    };
    let below = around.into_iter().flat_map(|one| tree.below(one));
    below
        .take(REACH * 4)
        .filter_map(|one| Literal::read(tree, one))
        .collect()
}

/// Whether a call declares an option of a program, maybe by a name that stands for the method: `add = parser.add_argument`.
pub fn declares_option(view: &ModuleView<'_>, call: NodeId) -> bool {
    let declares = &view.context.knowledge.python_strings.options.declares;
    let tree = &view.module.tree;
    let stands_for = |callee: NodeId| {
        let bindings = view.module.bindings(callee, tree.word(callee)).1;
        matches!(bindings, [Binding { what: BoundValue::Value(value), .. }]
            if tree.kind(*value) == Kind::Attribute && has(declares, view.module.last_name(*value)))
    };
    has(declares, view.module.callee_word(call))
        || tree
            .callee(call)
            .is_some_and(|callee| tree.kind(callee) == Kind::Identifier && stands_for(callee))
}

/// Whether a keyword of a call that declares an option has values of it.
pub fn gives_values(view: &ModuleView<'_>, keyword: NodeId) -> bool {
    let known = &view.context.knowledge.python_strings.options;
    has(&known.values, view.module.tree.word(keyword))
}

/// The names of an option, as the call that declares it has them: `-d`, `--device`, `place`.
pub fn names(view: &ModuleView<'_>, call: NodeId) -> Vec<String> {
    let known = &view.context.knowledge.python_strings.options;
    let tree = &view.module.tree;
    let mut found = Vec::new();
    for argument in tree.arguments(call).take(REACH) {
        let text = match tree.child(argument, Field::Name) {
            Some(name) if tree.kind(argument) == Kind::KeywordArgument => {
                if !has(&known.names, tree.word(name)) {
                    continue;
                }
                tree.child(argument, Field::Value)
            }
            _ => Some(argument),
        };
        let text = text.and_then(|text| Literal::read(tree, text));
        let text = text.filter(Literal::is_plain);
        found.extend(text.map(|text| text.text().into_owned()));
    }
    found
}

/// The role that the names of an option tell: `add_argument("-d", "--device", dest="place")`.
fn option(view: &ModuleView<'_>, call: NodeId) -> Option<StringRole> {
    let mut found = None;
    for name in names(view, call) {
        let read = by_name(view, name.trim_start_matches('-').as_bytes());
        found = match (found, read) {
            (Some(StringRole::Known(ValueKind::Device)), _) => found,
            (_, StringRole::Known(_)) => Some(read),
            (None, _) => Some(StringRole::Unknown),
            _ => found,
        };
    }
    found
}

/// The role of the values of the field, parameter or option that a call declares.
fn declared(view: &ModuleView<'_>, call: NodeId) -> Option<StringRole> {
    let known = &view.context.knowledge.python_strings.options;
    let tree = &view.module.tree;
    match view.module.use_of(call).consumer {
        Consumer::Keyword { call, name } if has(&known.types, tree.word(name)) => {
            option(view, call)
        }
        Consumer::Default { name, .. } => Some(by_name(view, tree.word(name))),
        Consumer::Target { target } => Some(by_name(view, &view.module.last_name(target))),
        _ => None,
    }
}

/// The role of the value of a fixture, by the name of its function.
fn fixture(view: &ModuleView<'_>, call: NodeId) -> Option<StringRole> {
    let tree = &view.module.tree;
    let decorated = tree
        .ancestors(call)
        .take(4)
        .find(|&one| tree.kind(one) == Kind::Decorated)?;
    let function = tree
        .children(decorated)
        .find(|&one| tree.kind(one) == Kind::Function)?;
    let name = tree.child(function, Field::Name)?;
    Some(by_name(view, tree.word(name)))
}

/// The role of `request.param` in the function of a fixture: it is one of the values that the fixture is run with.
pub fn given_by_fixture(view: &ModuleView<'_>, attribute: NodeId) -> Option<StringRole> {
    let known = &view.context.knowledge.python_strings.options;
    let tree = &view.module.tree;
    let object = tree.child(attribute, Field::Object)?;
    let given = [
        view.module.last_name(object),
        view.module.last_name(attribute),
    ]
    .join(&b'.');
    if !has(&known.fixture_members, given) {
        return None;
    }
    let function = tree.function_around(attribute)?;
    let decorated = tree.decorated(function)?;
    let call = tree
        .decorators(decorated)
        .find(|&call| has(&known.fixtures, view.module.callee_word(call)))?;
    fixture(view, call)
}

/// Whether a function reads the word of an option: `add_argument("--device", type=read_device)`.
pub fn reads_option(view: &ModuleView<'_>, function: NodeId) -> bool {
    let Some(name) = view.module.tree.child(function, Field::Name) else {
        return false;
    };
    any_use(view, name, &mut |other, node| {
        is_type_of_option(other, node)
    })
}

/// Whether a name stands for the type of an option's word.
fn is_type_of_option(view: &ModuleView<'_>, node: NodeId) -> bool {
    let known = &view.context.knowledge.python_strings.options;
    let of = view.module.use_of(node);
    matches!(of.consumer, Consumer::Keyword { call, name }
        if of.steps.is_empty()
            && has(&known.types, view.module.tree.word(name))
            && declares_option(view, call))
}

/// Whether the values of a class are words that a person writes for an option: the class is the type of one, or that of a
/// parameter which a command of a program takes.
pub fn is_class_of_option(view: &ModuleView<'_>, class_name: NodeId) -> bool {
    any_use(view, class_name, &mut |other, node| {
        is_type_of_option(other, node) || types_option(other, node)
    })
}

/// Whether a name stands in the annotation of a parameter that is an option: `device: Device = typer.Option(…)`,
/// `device: Annotated[Device, typer.Option(…)]`, or any of a function with `@app.command()`.
fn types_option(view: &ModuleView<'_>, node: NodeId) -> bool {
    let known = &view.context.knowledge.python_strings.options;
    let tree = &view.module.tree;
    let mut around = tree.ancestors(node);
    let parameter = around.by_ref().take(REACH).find(|&one| {
        matches!(
            tree.kind(one),
            Kind::TypedParameter | Kind::TypedDefaultParameter
        )
    });
    let Some(parameter) = parameter else {
        return false;
    };
    let is_default = tree
        .child(parameter, Field::Value)
        .is_some_and(|value| tree.range(value).covers(tree.range(node)));
    if is_default {
        return false;
    }
    let declares = tree.below(parameter).take(REACH * 4).any(|one| {
        tree.kind(one) == Kind::Call && has(&known.parameters, view.module.callee_word(one))
    });
    let function = around.find(|&one| tree.kind(one) == Kind::Function);
    let decorated = function.and_then(|function| tree.decorated(function));
    let decorators = decorated.into_iter().flat_map(|up| tree.decorators(up));
    declares
        || decorators
            .map(|one| tree.callee(one).unwrap_or(one))
            .any(|one| has(&known.commands, view.module.last_name(one)))
}

/// `["--device", "cuda"]`: the option before the value.
fn flag_before(view: &ModuleView<'_>, of: &Use) -> Option<StringRole> {
    let tree = &view.module.tree;
    let flag = Literal::before(tree, of.items().next()?)?;
    let name = flag.value().strip_prefix(b"-")?;
    let name = name.strip_prefix(b"-").unwrap_or(name);
    Some(by_name(view, name))
}
