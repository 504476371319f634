//! Texts that make members of enumerations: `Backend("cuda")`, where `class Backend(Enum)` has `CUDA = "cuda"`.

use crate::python::ModuleView;
use crate::python::inference::callee::{class_of, node_of};
use crate::python::inference::limits::BODY;
use crate::python::inference::{
    class_body, is_enum, is_member_of_device_enum, is_member_of_option, string_role,
};
use torchada_syntax::python::{Consumer, Field, Literal, NodeId};

/// Whether a call makes of a text the member of an enumeration whose value the port keeps.
pub fn makes_kept_member(view: &ModuleView<'_>, call: NodeId, text: &[u8]) -> bool {
    let is_kept = class_of(view, call).and_then(|(file, class)| {
        view.question_of(file, |home| is_member_kept(home, class, text))?
    });
    is_kept.unwrap_or_default()
}

/// Whether the port keeps the value of the member of an enumeration that has it; `None` where there is no such member.
fn is_member_kept(home: &ModuleView<'_>, class: usize, text: &[u8]) -> Option<bool> {
    let tree = &home.module.tree;
    let head = home.modules.outline(home.index)?.classes.get(class)?;
    let class = node_of(home, head.name, head.at)?;
    let members = tree
        .child(class, Field::Body)
        .filter(|_| is_enum(home, class))?;
    let mut values = tree.below(members).take(BODY).filter(|&one| {
        let value = Literal::read(tree, one);
        value.is_some_and(|value| value.value() == text)
    });
    let (of, target) = values.find_map(|value| {
        let of = home.module.use_of(value);
        match of.consumer {
            Consumer::Target { target } if of.steps.is_empty() => {
                class_body(home, target).map(|_| (of, target))
            }
            _ => None,
        }
    })?;
    let is_option = is_member_of_option(home, target) && !is_member_of_device_enum(home, target);
    Some(is_option || !string_role(home, &of).is_device())
}
