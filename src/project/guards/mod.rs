//! Guards on CUDA's architecture: which of their branches MUSA takes.
//!
//! A number of CUDA's says nothing of MUSA's GPUs, so a comparison is decided by what the branches
//! hold that it chooses between. For each conditional the numbers in it part CUDA's architectures
//! into classes; the newest class whose branches hold nothing that MUSA lacks is the one that
//! MUSA belongs to. Older classes are CUDA's own fallback.

mod blocking;
mod branches;
mod closed;
mod comparison;
mod decide;
mod decision;
mod fallback;
mod features;
mod outside;
mod pairs;
mod spread;
mod unsupported;

pub use comparison::{Comparison, Operator};
use decide::decide;
pub use decision::{Closed, Decision, Guards};
use spread::unsupported;
pub use unsupported::{UnsupportedSymbol, UnsupportedSymbols};

use super::{Context, Parsed};
use crate::hazards::{CapabilityNames, CodeView, Hit};

/// Judge a file by itself, for its guards that concern other files: its hazards may lie behind several of its
/// functions, each with a guard of its own.
pub(super) fn judge_alone(
    source: &[u8],
    parsed: &Parsed,
    context: Context<'_>,
) -> (Vec<UnsupportedSymbol>, Guards) {
    let mut own = UnsupportedSymbols::default();
    let (hits, mut guards) = judge(source, parsed, context, &own);
    let mut found: Vec<UnsupportedSymbol> = Vec::new();
    for _ in 0..=DEPTH {
        let mut new = unsupported(source, parsed, context, &hits, &guards);
        new.retain(|one| found.iter().all(|known| known.name != one.name));
        if new.is_empty() {
            break;
        }
        own.add(&new, &CapabilityNames::default());
        guards = decide(source, parsed, context, &hits, &own);
        found.extend(new);
    }
    (found, guards)
}

/// How many functions are followed that call each other.
const DEPTH: usize = 4;

/// The hazards of a piece of code, and what its guards make of them.
pub fn judge(
    source: &[u8],
    parsed: &Parsed,
    context: Context<'_>,
    unsupported: &UnsupportedSymbols,
) -> (Vec<Hit>, Guards) {
    let mut hits = context.hazards.find(&CodeView {
        source,
        tokens: &parsed.tokens,
        outline: &parsed.outline,
        named: &unsupported.named,
        ptx: context.ptx,
    });
    hits.retain(|hit| !parsed.regions.is_dead(hit.range.start));
    let guards = decide(source, parsed, context, &hits, unsupported);
    (hits, guards)
}
