//! Annotations that list the values which a parameter, a field or a function's result may have.

use super::StringRole;
use super::names::{by_name, returned};
use crate::python::ModuleView;
use torchada_mapping::has;
use torchada_syntax::python::{Field, Kind, Literal, NodeId};

/// How far the declaration around a value is looked for.
const REACH: usize = 24;

/// The role of a string in an annotation, such as one of `Literal["cpu", "cuda"]`, and the strings beside it.
pub fn annotated(view: &ModuleView<'_>, literal: NodeId) -> Option<(StringRole, Vec<Literal>)> {
    let tree = &view.module.tree;
    let list = tree.ancestors(literal).take(REACH).find(|&one| {
        matches!(tree.kind(one), Kind::GenericType | Kind::Subscript)
            && tree
                .nth(one, 0)
                .is_some_and(|name| is_annotation(view, name))
    })?;
    let read = owner(view, list)?;
    let beside = tree.below(list).take(REACH * 4);
    let beside = beside.filter_map(|one| Literal::read(tree, one)).collect();
    Some((read, beside))
}

/// Whether a name is one of those whose brackets hold the values that something may have: `Literal`.
pub(super) fn is_annotation(view: &ModuleView<'_>, node: NodeId) -> bool {
    let known = &view.context.knowledge.python_strings.options;
    let name = view.module.last_name(node);
    has(&known.annotations, name)
}

/// The role that the name of the parameter, the field or the function tells to which an annotation belongs.
pub(super) fn owner(view: &ModuleView<'_>, annotation: NodeId) -> Option<StringRole> {
    let tree = &view.module.tree;
    let declaration = tree.ancestors(annotation).take(REACH).find(|&one| {
        matches!(
            tree.kind(one),
            Kind::TypedParameter | Kind::TypedDefaultParameter | Kind::Assignment | Kind::Function
        )
    })?;
    let name = match tree.kind(declaration) {
        Kind::TypedDefaultParameter => tree.child(declaration, Field::Name),
        Kind::TypedParameter => tree.nth(declaration, 0),
        Kind::Function => {
            let given = tree.child(declaration, Field::ReturnType)?;
            let is_given = tree.range(given).covers(tree.range(annotation));
            let name = tree.child(declaration, Field::Name).filter(|_| is_given)?;
            return Some(returned(view, name));
        }
        _ => tree.child(declaration, Field::Left),
    };
    name.map(|name| by_name(view, &view.module.last_name(name)))
}
