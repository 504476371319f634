//! Whether the code around an object treats it as one of `PyTorch`'s: by its annotation, by a test for its type, or by
//! other members that tensors or modules have.

use crate::python::ModuleView;
use crate::python::inference::limits::{BODY, EXPRESSION_DEPTH};
use crate::python::inference::uses::callee::annotation;
use torchada_mapping::has;
use torchada_syntax::python::{BoundValue, Field, Kind, Literal, NodeId};

/// Whether an object is a tensor, as far as the function around it shows, or a module, where that `may_be_module`. `is_own`
/// says which members the project's own classes have besides.
pub fn is_treated_as_torchs(
    view: &ModuleView<'_>,
    object: NodeId,
    may_be_module: bool,
    is_own: &dyn Fn(&str) -> bool,
) -> bool {
    let tree = &view.module.tree;
    if !matches!(
        tree.kind(object),
        Kind::Identifier | Kind::Attribute | Kind::Subscript
    ) {
        return false;
    }
    if is_annotated_as_tensor(view, object) {
        return true;
    }
    let written = tree.word(object);
    let values = view.python_values();
    let is_member = |name: &[u8]| {
        has(&values.tensor_members, name) || may_be_module && has(&values.module_members, name)
    };
    let mut inside = tree.below_function_around(object).take(BODY);
    inside.any(|node| match tree.kind(node) {
        Kind::Attribute => {
            let is_of_object = tree
                .child(node, Field::Object)
                .is_some_and(|one| tree.word(one) == written);
            let name = tree.child(node, Field::Attribute).filter(|_| is_of_object);
            name.is_some_and(|name| {
                is_member(tree.word(name)) && !is_own(&String::from_utf8_lossy(tree.word(name)))
            })
        }
        // `isinstance(value, torch.Tensor)`
        Kind::Call if view.module.callee_word(node) == b"isinstance" => {
            let tested = tree.argument(node, 0);
            let types = tree.argument(node, 1);
            tested.is_some_and(|tested| tree.word(tested) == written)
                && types.is_some_and(|types| {
                    std::iter::once(types)
                        .chain(tree.children(types))
                        .any(|one| is_tensor_class(view, one))
                })
        }
        _ => false,
    })
}

fn is_annotated_as_tensor(view: &ModuleView<'_>, object: NodeId) -> bool {
    view.module.meanings(object).iter().any(|binding| {
        binding.what == BoundValue::Parameter
            && annotation(view, binding.at)
                .is_some_and(|typed| is_tensor_type(view, typed, EXPRESSION_DEPTH))
    })
}

/// Whether a type is that of tensors: `torch.Tensor`, `Optional[torch.Tensor]`, `torch.Tensor | None`.
fn is_tensor_type(view: &ModuleView<'_>, typed: NodeId, depth: usize) -> bool {
    let tree = &view.module.tree;
    let Some(depth) = depth.checked_sub(1) else {
        return false;
    };
    let below = |node: NodeId| {
        let mut parts = tree.children(node);
        parts.any(|part| is_tensor_type(view, part, depth))
    };
    match tree.kind(typed) {
        Kind::Identifier | Kind::Attribute => is_tensor_class(view, typed),
        Kind::Str => Literal::read(tree, typed).is_some_and(|text| {
            let classes = &view.python_values().tensor_classes;
            has(classes, text.value())
        }),
        Kind::Binary | Kind::UnionType | Kind::Type | Kind::TypeParameter | Kind::Parenthesized => {
            below(typed)
        }
        Kind::GenericType | Kind::Subscript => {
            let outer = tree.nth(typed, 0).map(|name| view.module.last_name(name));
            let wraps = outer.is_some_and(|name| matches!(&*name, b"Optional" | b"Union"));
            wraps && below(typed)
        }
        _ => false,
    }
}

fn is_tensor_class(view: &ModuleView<'_>, node: NodeId) -> bool {
    let classes = &view.python_values().tensor_classes;
    view.resolve(node)
        .is_some_and(|name| classes.contains(&name.name))
}
