//! Members of the objects that tests put in the place of `PyTorch`'s: the tested code uses them by MUSA's names.

use super::members::{counterpart, is_named_as_stand_in, is_stand_ins};
use super::owner::overrides;
use crate::python::devices::{own_device_objects, own_devices};
use crate::python::{ModuleView, PythonUnit};
use crate::{Change, Outcome};
use torchada_diagnostic::KeptReason;
use torchada_diagnostic::codes::python::OWN_MEMBER;
use torchada_mapping::has;
use torchada_syntax::python::{Field, Kind, NodeId};

/// Members of stand-ins.
pub fn check(unit: &PythonUnit<'_>, out: &mut Outcome) {
    let tree = &unit.module.tree;
    for node in tree.of_any(&[Kind::Assignment, Kind::KeywordArgument]) {
        let name = if tree.kind(node) == Kind::Assignment {
            tree.child(node, Field::Left)
                .and_then(|left| set(unit, left))
        } else {
            let makers = &unit.python_values().stand_ins.makers;
            tree.call_with(node)
                .filter(|&call| has(makers, unit.module.callee_word(call)))
                .and_then(|_| tree.child(node, Field::Name))
        };
        if let Some(name) = name {
            translate_member(unit, out, name);
        }
    }
}

fn translate_member(unit: &PythonUnit<'_>, out: &mut Outcome, name: NodeId) {
    let tree = &unit.module.tree;
    let word = tree.word(name);
    let mut known = unit.python_values().members.iter();
    let Some(member) = known.find(|one| one.cuda.as_bytes() == word) else {
        return;
    };
    let Some((row, to)) = counterpart(unit, member) else {
        return;
    };
    if gives_function(unit, name) {
        out.keep(tree.range(name), KeptReason::ProjectDeclared);
        return;
    }
    if !has_tensor_members(unit, name)
        && let Some(package) = own_device_objects::shares_member(unit, &member.cuda)
    {
        let range = tree.range(name);
        let message = format!(
            "`{}` stays in a stand-in: it may be one of {}",
            member.cuda, package.what
        );
        own_devices::report(unit, out, package, range, message);
        return;
    }
    // A class of the project's with such a member may be what is stood in for, and a stand-in for torch
    // itself has its modules under such names.
    let mut methods = unit.modules.methods(&member.cuda).iter();
    let is_own = |&(file, at): &(usize, usize)| !overrides(unit, file, at, member);
    let own = (member.call || methods.any(is_own)) && !has_tensor_members(unit, name);
    if own {
        let range = tree.range(name);
        let message = format!("`{}` stays in a stand-in", member.cuda);
        let help = format!(
            "where it stands in for PyTorch's, the code that is tested may ask for `{to}`; `--unsafe` writes that"
        );
        unit.report(out, OWN_MEMBER, range, message, help);
    }
    let change = Change::new(tree.range(name), to)
        .sure(!own)
        .evidence(row.evidence);
    unit.change(out, change);
}

/// The name of a member that a stand-in's class sets: in its body, or as one of `self`.
fn set(unit: &ModuleView<'_>, left: NodeId) -> Option<NodeId> {
    let tree = &unit.module.tree;
    if tree.kind(left) == Kind::Attribute {
        return is_stand_ins(unit, left).then(|| tree.child(left, Field::Attribute))?;
    }
    let around = tree
        .ancestors(left)
        .find(|&one| matches!(tree.kind(one), Kind::Class | Kind::Function))?;
    let in_class = tree.kind(left) == Kind::Identifier && tree.kind(around) == Kind::Class;
    (in_class && is_named_as_stand_in(unit, around)).then_some(left)
}

/// Whether a function stands for a member: `SimpleNamespace(is_cuda=lambda: True)`. `PyTorch`'s objects have no function
/// under a name that is not called.
fn gives_function(unit: &ModuleView<'_>, name: NodeId) -> bool {
    let tree = &unit.module.tree;
    let members = &unit.python_values().members;
    let mut called = members.iter().filter(|one| one.call);
    let value = tree.parent(name).and_then(|one| {
        tree.child(one, Field::Value)
            .or_else(|| tree.child(one, Field::Right))
    });
    value.is_some_and(|value| tree.kind(value) == Kind::Lambda)
        && called.all(|one| one.cuda.as_bytes() != tree.word(name))
}

/// Whether members that tensors have are set in the same call.
fn has_tensor_members(unit: &ModuleView<'_>, name: NodeId) -> bool {
    let tree = &unit.module.tree;
    let call = tree
        .parent(name)
        .and_then(|keyword| tree.call_with(keyword));
    let keywords = call.into_iter().flat_map(|call| tree.keywords(call));
    let mut names = keywords.filter_map(|one| tree.child(one, Field::Name));
    names.any(|name| has(&unit.python_values().tensor_members, tree.word(name)))
}
