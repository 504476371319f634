//! What a question for one of NVIDIA's newer GPUs says on MUSA, for rules that look at other things.

use super::questions::question;
use super::values::Values;
use crate::python::ModuleView;
use torchada_mapping::has;
use torchada_mapping::python::gpus::Gpus;
use torchada_syntax::python::{Kind, NodeId};

/// How many items of a list are looked at for a number.
const ITEMS: usize = 8;

/// What an expression says on MUSA's GPUs that asks for one of NVIDIA's newer ones, with the architecture: 90 for
/// `capability >= (9, 0)`. `None` for other expressions, and for questions about what MUSA may have as well.
pub fn newer_architecture_verdict(view: &ModuleView<'_>, node: NodeId) -> Option<(u32, bool)> {
    let gpus = Gpus::builtin();
    if !may_ask(view, gpus, node) {
        return None;
    }
    let ask = || {
        let question = question(&Values::new(*view, gpus), node)?;
        let number = question.number?;
        let is_newer = number >= gpus.deciding.newer;
        is_newer.then_some((number / 10, question.answer?))
    };
    view.memo.newer_architecture_verdict(view.place(node), ask)
}

/// Whether a module has one of the words that speak of a GPU.
pub(super) fn mentions_gpus(view: &ModuleView<'_>, gpus: &Gpus) -> bool {
    let has_one = || gpus.words().iter().any(|word| view.contains(word));
    view.memo.mentions_gpus(view.place(()), has_one)
}

/// Whether an expression may be a question, by what costs little to see.
fn may_ask(view: &ModuleView<'_>, gpus: &Gpus, node: NodeId) -> bool {
    let tree = &view.module.tree;
    match tree.kind(node) {
        Kind::Comparison => {
            let is_number = |one: NodeId| match tree.kind(one) {
                Kind::Integer | Kind::Float | Kind::Str | Kind::Identifier => true,
                Kind::Tuple | Kind::List | Kind::Set => {
                    let mut items = tree.children(one).take(ITEMS);
                    items.any(|item| tree.kind(item) == Kind::Integer)
                }
                _ => false,
            };
            tree.children(node).any(is_number) && mentions_gpus(view, gpus)
        }
        Kind::Call => {
            let word = String::from_utf8_lossy(view.module.callee_word(node)).to_ascii_lowercase();
            let plain = word.trim_start_matches('_');
            has(&gpus.asking.functions, plain)
        }
        _ => false,
    }
}
