//! Calls around a name of `PyTorch`'s that get or replace a member by its name, and objects whose origin no import
//! shows.

use super::names::{Verdict, verdict};
use crate::python::ModuleView;
use crate::python::inference::only_value;
use crate::python::quoted::{only_reads_member, takes_member_name};
use torchada_diagnostic::codes::python::STANDS_IN;
use torchada_mapping::{Relation, Section};
use torchada_syntax::python::{BoundValue, Field, Kind, Literal, NodeId};

/// Whether the attribute is only the front of a longer one.
pub fn is_inner(unit: &ModuleView<'_>, node: NodeId) -> bool {
    let tree = &unit.module.tree;
    tree.field(node) == Field::Object && tree.parent_if(node, Kind::Attribute).is_some()
}

/// The member that code gets from an object by a name in a string: by `getattr`, by `patch.object`.
pub fn getattr_member(unit: &ModuleView<'_>, object: NodeId) -> Option<String> {
    let tree = &unit.module.tree;
    let call = tree.call_with(object)?;
    if tree.ordinal(object) != 0 || !takes_member_name(unit, call) {
        return None;
    }
    Literal::argument(tree, call, 1)
}

/// Whether a call that gets a member of the object says what it gives where there is none: `getattr(x, "name", None)`.
pub fn has_default(unit: &ModuleView<'_>, object: NodeId) -> bool {
    let tree = &unit.module.tree;
    tree.call_with(object)
        .is_some_and(|call| only_reads_member(unit, call) && tree.argument(call, 2).is_some())
}

/// The member of a module that stands beside the module as a string, and that the module's counterpart lacks:
/// `(torch.backends.cudnn, "benchmark")` of settings which a loop makes. `module`: the dotted name of the module, which
/// `node` is.
pub fn lacking_beside(unit: &ModuleView<'_>, node: NodeId, module: &str) -> Option<String> {
    let tree = &unit.module.tree;
    let around = tree
        .parent(node)
        .filter(|&up| matches!(tree.kind(up), Kind::Tuple | Kind::List | Kind::ArgumentList))?;
    let next = tree.nth(around, tree.ordinal(node) + 1)?;
    let text = Literal::plain(tree, next)?;
    let member = format!("{module}.{}", text.text());
    let row = unit.context.row(Section::Python, member.as_bytes())?;
    (row.relation == Relation::Absent).then_some(member)
}

/// Whether the object is that of which a test replaces a member.
pub fn is_replaced(unit: &ModuleView<'_>, object: NodeId) -> bool {
    let call = unit.module.tree.call_with(object);
    call.is_some_and(|call| !only_reads_member(unit, call))
}

/// The first member that the code gets by a module's second name, and that the module's counterpart lacks:
/// `cudnn = torch.backends.cudnn`, then `cudnn.deterministic`.
pub fn lacking_by_alias(unit: &ModuleView<'_>, value: NodeId) -> Option<String> {
    let tree = &unit.module.tree;
    let alias = tree.assigned_target(value)?;
    only_value(unit, alias)?;
    let members = unit
        .places_of_binding(alias)
        .filter_map(|one| tree.parent_if(one, Kind::Attribute))
        .filter_map(|member| Some(unit.resolve(member)?.name));
    // What the runtime package stands in for asks least of a person.
    let lacking = members.filter_map(|name| match verdict(unit, &name) {
        Verdict::Left(code, _) => Some((code == STANDS_IN, name)),
        _ => None,
    });
    let first = lacking.min_by_key(|(stands_in, _)| *stands_in);
    first.map(|(_, name)| name)
}

/// Whether a name is an argument of a function that refuses the counterpart.
pub fn refuses_types(unit: &ModuleView<'_>, node: NodeId) -> bool {
    let refuse = &unit.context.knowledge.python_strings.quoted.refuse_types;
    let call = unit.module.tree.call_with(node);
    call.and_then(|call| unit.callee_name(call))
        .is_some_and(|callee| refuse.contains(&callee.name))
}

/// Whether a name is a `torch` that a statement unpacks from the result of a call: `torch, _ = modules()`.
pub fn is_unpacked_torch(unit: &ModuleView<'_>, root: NodeId) -> bool {
    let tree = &unit.module.tree;
    let word = tree.word(root);
    let bindings = unit.module.bindings(root, word).1;
    let unpacked = |at: NodeId| {
        let up = tree.parent(at);
        up.is_some_and(|up| matches!(tree.kind(up), Kind::PatternList | Kind::TuplePattern))
    };
    unit.python_values().torch_names.is_root(word)
        && !bindings.is_empty()
        && bindings
            .iter()
            .all(|one| one.what == BoundValue::Unknown && unpacked(one.at))
}

/// Whether a name is a `torch` that a table of modules has under its own name: `torch = MODULES["torch"]`.
pub fn is_torch_of_table(unit: &ModuleView<'_>, root: NodeId) -> bool {
    let tree = &unit.module.tree;
    let word = tree.word(root);
    let is_taken = |value: NodeId| {
        let key = tree.child(value, Field::Subscript);
        let key = key.and_then(|key| Literal::read(tree, key));
        key.is_some_and(|key| key.value() == word)
    };
    let bindings = unit.module.bindings(root, word).1;
    unit.python_values().torch_names.is_root(word)
        && !bindings.is_empty()
        && bindings
            .iter()
            .all(|one| matches!(one.what, BoundValue::Value(value) if is_taken(value)))
}
