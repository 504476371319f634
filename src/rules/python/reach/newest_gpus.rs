//! Questions for a generation of NVIDIA's GPUs, by their names.

use super::names::words;
use super::verdict::Verdict;
use crate::python::ModuleView;
use crate::python::gpus::newer_gpus::newer_architecture_verdict;
use torchada_mapping::python::gpus::Gpus;
use torchada_project::replay::Cause;
use torchada_syntax::python::{Kind, NodeId};

/// What an expression says that asks for one of NVIDIA's newest generations: `is_sm90_supported()`, `is_blackwell`,
/// `capability >= (9, 0)`.
pub(super) fn verdict(unit: &ModuleView<'_>, node: NodeId) -> Option<Verdict> {
    if let Some((number, holds)) = newer_architecture_verdict(unit, node) {
        let cause = Cause::Newer(number);
        return Some(Verdict { holds, cause });
    }
    let tree = &unit.module.tree;
    let name = match tree.kind(node) {
        Kind::Call => tree.callee(node)?,
        Kind::Identifier | Kind::Attribute => node,
        _ => return None,
    };
    if !matches!(tree.kind(name), Kind::Identifier | Kind::Attribute) {
        return None;
    }
    let gpus = Gpus::builtin();
    let name = unit.module.last_name(name);
    if !gpus.may_name_architecture(&name) {
        return None;
    }
    let words = words(&name);
    let asking = &gpus.asking;
    let knowledge = unit.context.knowledge;
    let is_turned = |word: &String| knowledge.platform_questions.turns.contains(word);
    let asks = words.iter().any(|word| asking.asks.contains(word));
    if !asks || words.iter().any(is_turned) {
        return None;
    }
    let number = words.iter().find_map(|word| number(word))?;
    (number >= knowledge.shapes.guards.newest_architecture())
        .then(|| Verdict::no(Cause::Newer(number)))
}

/// The architecture that a word of a name stands for: 90 for `sm90a` and `hopper`.
pub(super) fn number(word: &str) -> Option<u32> {
    let architecture = Gpus::builtin().asking.architecture(word);
    architecture.map(|number| number / 10)
}
