//! Records of platforms in a list, each a call that begins with the platform's name: `[Device(name="rocm", …),
//! Device(name="cuda", …)]`. What such a record says is about its own platform.

use super::code::Reserved;
use super::musa_counterparts::NAMES;
use crate::python::ModuleView;
use torchada_diagnostic::KeptReason;
use torchada_mapping::has;
use torchada_syntax::python::{Field, Kind, Literal, NodeId};

/// The record of another vendor's platform beside CUDA's; where MUSA has one of its own, CUDA's as well.
pub fn reserved(unit: &ModuleView<'_>, call: NodeId) -> Option<Reserved> {
    let tree = &unit.module.tree;
    if tree.kind(call) != Kind::Call {
        return None;
    }
    let list = tree
        .parent(call)
        .filter(|&up| matches!(tree.kind(up), Kind::List | Kind::Tuple))?;
    let own = name(unit, call)?;
    let vendors = &unit.python_values().vendors;
    let word = unit.module.callee_word(call);
    let beside = tree.children(list).take(NAMES).filter(|&one| {
        one != call && tree.kind(one) == Kind::Call && unit.module.callee_word(one) == word
    });
    let beside: Vec<Literal> = beside.filter_map(|one| name(unit, one)).collect();
    let has_one = |words: &[String]| beside.iter().any(|one| has(words, one.value()));
    let is = |words: &[String]| has(words, own.value());
    let reason = if is(&vendors.target) {
        return None;
    } else if has_one(&vendors.target) && (is(&vendors.own) || has_one(&vendors.own)) {
        KeptReason::MusaTwin
    } else if is(&vendors.others) && has_one(&vendors.own) {
        KeptReason::VendorBranch
    } else {
        return None;
    };
    Some(Reserved::silent(tree.range(call), reason))
}

/// The text that a call begins with.
fn name(unit: &ModuleView<'_>, call: NodeId) -> Option<Literal> {
    let tree = &unit.module.tree;
    let first = tree.arguments(call).next()?;
    let value = match tree.kind(first) {
        Kind::KeywordArgument => tree.child(first, Field::Value)?,
        _ => first,
    };
    Literal::read(tree, value)
}
