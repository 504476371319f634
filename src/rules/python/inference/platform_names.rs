//! Whether a value is the project's own name for a platform: it is compared both with CUDA's name and with that of a
//! platform which `PyTorch` has no device of. Such a name stays, together with what it is compared with.

use super::SolvedFacts;
use super::callee::{callees, class_body, node_of};
use super::equation::{Fact, Term};
use super::names::names_device;
use super::slot::{Slot, SlotKind};
use super::uses::in_scope;
use crate::project::python::{ArgumentPlace, Callee};
use crate::rules::python::ModuleView;
use crate::syntax::python::{Consumer, Field, Kind, Literal, NodeId, Use};

impl Fact for bool {
    fn join(self, other: Self) -> Self {
        self || other
    }
}

/// Whether a value goes to such a name.
pub fn is_project_platform_name(view: &ModuleView<'_>, of: &Use) -> bool {
    let tree = &view.module.tree;
    let is_listed = of.items().next().is_some();
    if of.is_part() || is_listed && !matches!(of.consumer, Consumer::Comparison { .. }) {
        return false;
    }
    match of.consumer {
        Consumer::Default { name, .. } => tree
            .ancestors(name)
            .find(|&one| tree.kind(one) == Kind::Function)
            .and_then(|function| tree.child(function, Field::Body))
            .is_some_and(|body| solve(view, &of_parameter(view, body, tree.word(name)))),
        Consumer::Comparison { other, .. } => is_compared_around(view, other),
        Consumer::Target { target } => class_body(view, target).is_some_and(|body| {
            is_compared_with_platforms(view, body, &own_field(tree.word(target)))
        }),
        _ => solve(view, &of_argument(view, of)),
    }
}

fn solve(view: &ModuleView<'_>, term: &Term<bool>) -> bool {
    let known: &SolvedFacts<bool> = &view.summaries.platform_names;
    known.solve(term, &|slot: &Slot| match view.other(slot.file) {
        Some(view) => equation(&view, slot),
        None => Term::Fact(false),
    })
}

/// Whether the functions that are called take an argument as such a name, each of them.
fn of_argument(view: &ModuleView<'_>, of: &Use) -> Term<bool> {
    let tree = &view.module.tree;
    let (call, keyword, position) = match of.consumer {
        Consumer::Argument {
            call,
            position: Some(position),
        } => (call, None, position),
        Consumer::Keyword { call, name } => {
            let word = String::from_utf8_lossy(tree.word(name)).into_owned();
            (call, Some(word), 0)
        }
        _ => return Term::Fact(false),
    };
    let place = keyword
        .as_deref()
        .map_or(ArgumentPlace::Position(position), ArgumentPlace::Keyword);
    let called = callees(view, call).into_iter();
    let terms: Vec<Term<bool>> = called
        .map(|one| of_callee(view, one, place).unwrap_or(Term::Fact(false)))
        .collect();
    Term::Agree(terms)
}

fn of_callee(
    view: &ModuleView<'_>,
    callee: Callee,
    place: ArgumentPlace<'_>,
) -> Option<Term<bool>> {
    let parameter = view.modules.parameter(callee, place)?.name.as_bytes();
    let other = view.other(callee.file)?;
    let outline = view.modules.outline(callee.file)?;
    let (name, at) = if callee.fields {
        let class = outline.classes.get(callee.at)?;
        (class.name, class.at)
    } else {
        let head = outline.functions.get(callee.at)?;
        (head.name, head.at)
    };
    let body = other
        .module
        .tree
        .child(node_of(&other, name, at)?, Field::Body)?;
    Some(if callee.fields {
        Term::Fact(is_compared_with_platforms(
            &other,
            body,
            &own_field(parameter),
        ))
    } else {
        of_parameter(&other, body, parameter)
    })
}

/// Whether a parameter of the function that has the body is such a name.
fn of_parameter(view: &ModuleView<'_>, body: NodeId, name: &[u8]) -> Term<bool> {
    Term::Of(Slot {
        file: view.index,
        scope: view.module.scope_of(body),
        name: name.into(),
        kind: SlotKind::Variable,
    })
}

/// A parameter is the name of a platform if the function compares it with names of platforms, or passes it on to such a
/// parameter.
fn equation(view: &ModuleView<'_>, slot: &Slot) -> Term<bool> {
    let tree = &view.module.tree;
    let (mut compared, mut passed_on) = (Vec::new(), Vec::new());
    in_scope(view, slot.scope, &slot.name, &mut |node| {
        let comparison = tree
            .parent(node)
            .filter(|&one| tree.kind(one) == Kind::Comparison);
        compared.extend(
            comparison
                .into_iter()
                .flat_map(|one| compared_literals(view, one)),
        );
        let of = view.module.use_of(node);
        if of.steps.is_empty() {
            passed_on.push(of_argument(view, &of));
        }
    });
    if are_platforms(view, &compared) {
        return Term::Fact(true);
    }
    Term::Join(passed_on)
}

/// Whether an expression is compared so elsewhere in its function or its class, or is a field that a class of the
/// tree's checks so.
fn is_compared_around(view: &ModuleView<'_>, expression: NodeId) -> bool {
    let tree = &view.module.tree;
    let around = match tree.kind(expression) {
        Kind::Identifier => Kind::Function,
        Kind::Attribute => Kind::Class,
        _ => return false,
    };
    let around = tree
        .ancestors(expression)
        .find(|&one| tree.kind(one) == around);
    let body = around.and_then(|one| tree.child(one, Field::Body));
    let word = tree.word(expression);
    let is_own = tree.kind(expression) == Kind::Identifier || word.starts_with(b"self.");
    is_own && body.is_some_and(|body| is_compared_with_platforms(view, body, word))
        || is_checked_field(view, expression)
}

/// Whether an expression is, or is bound to, a field that a class checks when it is made: `engine.kind`, where
/// `__post_init__` says `assert self.kind in ["cuda", "rocm"]`.
fn is_checked_field(view: &ModuleView<'_>, expression: NodeId) -> bool {
    let tree = &view.module.tree;
    let field = match tree.kind(expression) {
        Kind::Attribute => Some(expression),
        _ => super::definitions::only_value(view, expression),
    };
    let Some(field) = field.filter(|&one| tree.kind(one) == Kind::Attribute) else {
        return false;
    };
    let name = view.module.last_name(field);
    view.memo.is_checked_field(&name, || {
        let vendors = &view.python_values().vendors;
        let methods = vendors.checking_methods.iter();
        let mut checks = methods
            .flat_map(|method| view.modules.methods(method))
            // Their trees need not be made where none of the names stands in the text.
            .filter(|(file, _)| {
                let has = |word: &[u8]| view.modules.has(*file, word);
                has(&name) && vendors.no_devices.iter().any(|word| has(word.as_bytes()))
            });
        checks.any(|&(file, at)| is_checked_in(view, file, at, &own_field(&name)))
    })
}

fn is_checked_in(view: &ModuleView<'_>, file: usize, at: usize, written: &[u8]) -> bool {
    let outline = view.modules.outline(file);
    let head = outline.and_then(|outline| outline.functions.get(at));
    let (Some(head), Some(other)) = (head, view.other(file)) else {
        return false;
    };
    let function = node_of(&other, head.name, head.at);
    let body = function.and_then(|function| other.module.tree.child(function, Field::Body));
    body.is_some_and(|body| is_compared_with_platforms(&other, body, written))
}

/// How a class's own code writes its field of a name.
fn own_field(name: &[u8]) -> Vec<u8> {
    [b"self.".as_slice(), name].concat()
}

/// Whether an expression, as it is written, is compared in a body with CUDA's name and with such a platform's.
fn is_compared_with_platforms(view: &ModuleView<'_>, body: NodeId, written: &[u8]) -> bool {
    let no_devices = &view.python_values().vendors.no_devices;
    // Most modules name none of them.
    no_devices.iter().any(|word| view.contains(word))
        && are_platforms(view, &compared_in(view, body, written))
}

/// Whether CUDA's name is among some literals, and that of a platform which `PyTorch` has no device of.
fn are_platforms(view: &ModuleView<'_>, literals: &[Literal]) -> bool {
    let no_devices = &view.python_values().vendors.no_devices;
    let is_platform = |text: &Literal| no_devices.iter().any(|one| one.as_bytes() == text.value());
    let is_cudas = |text: &Literal| {
        let mut devices = view.context.knowledge.devices.iter();
        devices.any(|one| names_device(text, &one.cuda))
    };
    literals.iter().any(is_platform) && literals.iter().any(is_cudas)
}

/// The literals that a body compares an expression with, which is given as it is written.
pub fn compared_in(view: &ModuleView<'_>, body: NodeId, written: &[u8]) -> Vec<Literal> {
    let tree = &view.module.tree;
    let comparisons = tree.below(body).take(super::limits::BODY).filter(|&one| {
        let mut sides = tree.children(one);
        tree.kind(one) == Kind::Comparison && sides.any(|side| tree.word(side) == written)
    });
    comparisons
        .flat_map(|one| compared_literals(view, one))
        .collect()
}

/// The literals of a comparison, those in lists among them.
fn compared_literals(view: &ModuleView<'_>, comparison: NodeId) -> Vec<Literal> {
    let tree = &view.module.tree;
    let sides = tree.children(comparison).flat_map(|side| {
        let is_list = matches!(tree.kind(side), Kind::Tuple | Kind::List | Kind::Set);
        let items = tree.children(side).filter(move |_| is_list);
        std::iter::once(side).chain(items)
    });
    sides.filter_map(|side| Literal::read(tree, side)).collect()
}
