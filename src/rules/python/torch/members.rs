//! Members that objects of `PyTorch`'s have, whatever their names: `.cuda()`, `.is_cuda`, `.cuda_stream`.

use rustc_hash::FxHashSet;

use super::owner::{Owner, overrides, owner};
use crate::python::devices::{own_device_objects, own_devices};
use crate::python::inference::callee::node_of;
use crate::python::inference::is_torchs;
use crate::python::quoted::{only_reads_member, takes_member_name};
use crate::python::{ModuleView, PythonUnit};
use crate::{Change, Outcome};
use torchada_diagnostic::codes::python::OWN_MEMBER;
use torchada_diagnostic::{Applicability, KeptReason};
use torchada_mapping::{Member, Row, Section, contains_one};
use torchada_syntax::python::{Field, Kind, NodeId};
use torchada_text::{TextRange, last_part};

/// Members of tensors, modules, streams and events.
pub fn check(unit: &PythonUnit<'_>, out: &mut Outcome) {
    let tree = &unit.module.tree;
    for member in &unit.python_values().members {
        translate_overrides(unit, out, member);
    }
    translate_quoted(unit, out);
    let own = assigned(unit);
    for node in tree.of(Kind::Attribute) {
        if !tree.is_broken(node) {
            if own.contains(tree.word(node)) {
                keep(unit, out, node);
            } else {
                translate_member(unit, out, node);
            }
        }
    }
}

/// Rename the methods that take the place of `PyTorch`'s in the file's own classes: the code calls them by MUSA's name.
fn translate_overrides(unit: &PythonUnit<'_>, out: &mut Outcome, member: &Member) {
    let Some((row, to)) = counterpart(unit, member) else {
        return;
    };
    let of_file = unit.modules.methods(&member.cuda).iter();
    for &(file, at) in of_file.filter(|&&(file, _)| file == unit.index) {
        let outline = unit.modules.outline(file);
        let head = outline.and_then(|outline| outline.functions.get(at));
        let function = head.and_then(|head| node_of(unit, head.name, head.at));
        let name = function.and_then(|one| unit.module.tree.child(one, Field::Name));
        if let Some(name) = name
            && overrides(unit, file, at, member)
        {
            let change = Change::new(unit.module.tree.range(name), to).evidence(row.evidence);
            unit.change(out, change);
        }
    }
}

fn translate_member(unit: &PythonUnit<'_>, out: &mut Outcome, node: NodeId) {
    let tree = &unit.module.tree;
    let Some((object, name)) = tree.object_and_name(node) else {
        return;
    };
    let word = tree.word(name);
    let called = tree.field(node) == Field::Function;
    let members = &unit.python_values().members;
    let Some(member) = members
        .iter()
        .find(|one| one.cuda.as_bytes() == word && one.call == called)
    else {
        return;
    };
    let Some((_, to)) = counterpart(unit, member) else {
        return;
    };
    // `torch.cuda` is no tensor's.
    let of_module = unit
        .module
        .resolve(object)
        .is_some_and(|one| unit.python_values().torch_names.root == one.name);
    if of_module {
        return;
    }
    if is_tested_for_musa_too(unit, node, to.as_bytes()) {
        keep(unit, out, node);
        return;
    }
    translate_of(unit, out, object, member, tree.range(name));
}

/// Translate the strings by which code gets members of objects: `getattr(x, "is_cuda", False)`.
fn translate_quoted(unit: &PythonUnit<'_>, out: &mut Outcome) {
    let tree = &unit.module.tree;
    let members = unit.python_values().members.iter();
    let members: Vec<&Member> = members.filter(|one| !one.call).collect();
    let words: Vec<&str> = members.iter().map(|one| one.cuda.as_str()).collect();
    for literal in unit.literals(&words) {
        let member = members
            .iter()
            .find(|one| one.cuda.as_bytes() == literal.value());
        let Some(call) = unit.module.use_of(literal.node).argument_at(1) else {
            continue;
        };
        let reads = takes_member_name(unit, call) && only_reads_member(unit, call);
        if let Some(member) = member
            && let Some(object) = tree.argument(call, 0).filter(|_| reads)
            && let Some(range) = literal.in_file(TextRange::new(0, literal.value().len()))
            && !unit.is_claimed(out, literal.node)
        {
            unit.claim(out, literal.node);
            translate_of(unit, out, object, member, range);
        }
    }
}

/// Translate the name of a member of an object, at a place of the file.
fn translate_of(
    unit: &PythonUnit<'_>,
    out: &mut Outcome,
    object: NodeId,
    member: &Member,
    range: TextRange,
) {
    let tree = &unit.module.tree;
    let Some((row, to)) = counterpart(unit, member) else {
        return;
    };
    let shared = || {
        own_device_objects::shares_member(unit, &member.cuda).filter(|_| !is_torchs(unit, object))
    };
    if let Some(package) = own_device_objects::package(unit, object).or_else(shared) {
        let message = format!("`.{}` stays: it speaks of {}", member.cuda, package.what);
        own_devices::report(unit, out, package, range, message);
        return;
    }
    let why = match owner(unit, object, member) {
        Owner::Project => {
            out.keep(range, KeptReason::ProjectDeclared);
            return;
        }
        Owner::Torch => None,
        Owner::Module => Some(format!(
            "`{}` is a module and none of PyTorch's objects",
            tree.shown(object)
        )),
        Owner::Unknown => Some("a class of the project defines a member of that name".into()),
    };
    let applicability = if let Some(why) = why {
        let message = format!("`.{}` stays: {why}", member.cuda);
        let help =
            format!("where the object is PyTorch's, write `.{to}`; `--unsafe` does so everywhere");
        unit.report(out, OWN_MEMBER, range, message, help);
        Applicability::Unsafe
    } else {
        Applicability::Safe
    };
    unit.change(
        out,
        Change::new(range, to)
            .applicability(applicability)
            .evidence(row.evidence),
    );
}

/// The row of a member, and the name that the member has on MUSA.
pub fn counterpart<'u>(unit: &ModuleView<'u>, member: &Member) -> Option<(&'u Row, &'u str)> {
    let tables = unit.context.tables;
    let row = tables.get(Section::Python, member.row.as_bytes())?;
    let to = row.to.as_deref()?;
    Some((row, last_part(to)))
}

/// The counterpart of a method of `PyTorch`'s that the module calls on an object: a call by MUSA's name.
pub fn counterpart_of_used<'u>(
    unit: &ModuleView<'u>,
    object: NodeId,
    name: &[u8],
) -> Option<(&'u Row, &'u str)> {
    let mut members = unit.python_values().members.iter();
    let member = members.find(|one| one.call && one.cuda.as_bytes() == name)?;
    let mut called = called(unit, object, name).peekable();
    let is_torchs = called.peek().is_some()
        && called.all(|one| matches!(owner(unit, one, member), Owner::Torch));
    counterpart(unit, member).filter(|_| is_torchs)
}

/// The objects that the module calls a method of this name on, and that are written like this one.
pub fn called<'a>(
    unit: &'a ModuleView<'_>,
    object: NodeId,
    name: &[u8],
) -> impl Iterator<Item = NodeId> + 'a {
    let tree = &unit.module.tree;
    let places = unit.module.places_of(name).iter();
    places.filter_map(move |&place| {
        let used = tree
            .parent(place)
            .filter(|&up| tree.kind(up) == Kind::Attribute && tree.field(up) == Field::Function);
        let used = used.and_then(|used| tree.child(used, Field::Object));
        used.filter(|&one| tree.word(one) == tree.word(object))
    })
}

/// `x.is_cuda or x.is_musa`
fn is_tested_for_musa_too(unit: &ModuleView<'_>, node: NodeId, to: &[u8]) -> bool {
    let tree = &unit.module.tree;
    tree.condition_around(node)
        .flat_map(|one| tree.below(one))
        .any(|side| tree.kind(side) == Kind::Attribute && unit.module.last_name(side) == to)
}

/// Members that the module gives a value itself, as they are written: `image.cuda_event = event`. Those of
/// `PyTorch`'s can't be set.
fn assigned<'a>(unit: &ModuleView<'a>) -> FxHashSet<&'a [u8]> {
    let tree = &unit.module.tree;
    let members = &unit.python_values().members;
    let is_set = |&node: &NodeId| {
        tree.field(node) == Field::Left
            && tree.parent_if(node, Kind::Assignment).is_some()
            && tree.child(node, Field::Attribute).is_some_and(|name| {
                let mut known = members.iter().filter(|one| !one.call);
                known.any(|one| one.cuda.as_bytes() == tree.word(name))
            })
            && !is_stand_ins(unit, node)
    };
    tree.of(Kind::Attribute)
        .filter(is_set)
        .map(|node| tree.word(node))
        .collect()
}

fn keep(unit: &PythonUnit<'_>, out: &mut Outcome, member: NodeId) {
    let tree = &unit.module.tree;
    let name = tree.child(member, Field::Attribute).unwrap_or(member);
    out.keep(tree.range(name), KeptReason::ProjectDeclared);
}

/// Whether `self.name` is a member of a stand-in.
pub fn is_stand_ins(unit: &ModuleView<'_>, member: NodeId) -> bool {
    let tree = &unit.module.tree;
    let own = tree
        .child(member, Field::Object)
        .is_some_and(|object| tree.word(object) == b"self");
    let mut around = tree.ancestors(member);
    own && around
        .find(|&one| tree.kind(one) == Kind::Class)
        .is_some_and(|class| is_named_as_stand_in(unit, class))
}

/// Whether a class is named as a stand-in for one of `PyTorch`'s: `FakeTensor`.
pub fn is_named_as_stand_in(unit: &ModuleView<'_>, class: NodeId) -> bool {
    let tree = &unit.module.tree;
    tree.child(class, Field::Name).is_some_and(|name| {
        let name = tree.shown(name).to_ascii_lowercase();
        contains_one(name, &unit.python_values().stand_ins.words)
    })
}
