//! Finds the code of a file that a build with CUDA leaves out.

use super::Parsed;
use crate::context::Context;
use crate::facts::Include;
use torchada_syntax::{Macro, evaluate};

/// Whether the code at `offset` is for builds without CUDA, by the macros of its conditions:
/// `#ifndef K2_WITH_CUDA`.
pub(super) fn is_left_out(
    source: &[u8],
    parsed: &Parsed,
    context: Context<'_>,
    offset: usize,
) -> bool {
    let guards = &context.knowledge.shapes.guards;
    let known = |name: &[u8]| Macro::from(guards.is_built_with(name).then_some(true));
    parsed.conditionals.all().iter().any(|one| {
        let Some(own) = one.branch_at(offset).filter(|_| one.is_closed) else {
            return false;
        };
        let never = one.never_taken(&parsed.tokens, |_, directive| {
            evaluate(source, &parsed.tokens, directive, &known)
        });
        never.contains(&own)
    })
}

/// Mark the includes that stand in a branch beside one that includes a header of CUDA's.
pub(super) fn mark_beside(parsed: &Parsed, context: Context<'_>, includes: &mut [Include]) {
    let cudas = includes
        .iter()
        .filter(|one| context.tables.changes_header(&one.path));
    let cudas: Vec<usize> = cudas.map(|one| one.range.start).collect();
    if cudas.is_empty() {
        return;
    }
    for one in parsed.conditionals.all().iter().filter(|one| one.is_closed) {
        let branches: Vec<usize> = cudas.iter().filter_map(|&at| one.branch_at(at)).collect();
        if branches.is_empty() {
            continue;
        }
        for include in includes.iter_mut() {
            let own = one.branch_at(include.range.start);
            include.without_cuda |= own.is_some_and(|own| !branches.contains(&own));
        }
    }
}
