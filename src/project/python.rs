//! What the Python files of a tree say to each other.

use rayon::prelude::*;
use rustc_hash::FxHashSet;

use super::{Input, Lore};
use crate::classify::FileKind;

/// Members of `PyTorch`'s objects that classes of the tree define themselves, told by `def NAME(self`.
pub(super) fn own_members(inputs: &[Input], lore: Lore<'_>) -> FxHashSet<String> {
    let members = &lore.knowledge.positions.members;
    let heads: Vec<(String, &str)> = members
        .iter()
        .map(|member| (format!("def {}(self", member.cuda), member.cuda.as_str()))
        .collect();
    inputs
        .par_iter()
        .filter(|input| input.class.kind == FileKind::Python)
        .filter_map(|input| input.text.as_deref())
        .flat_map_iter(|text| {
            let defined = heads.iter().filter(|(head, _)| {
                let mut windows = text.windows(head.len());
                windows.any(|window| window == head.as_bytes())
            });
            defined.map(|(_, name)| (*name).to_owned())
        })
        .collect()
}
