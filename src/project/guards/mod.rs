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
mod features;
mod outside;
mod pairs;
mod spread;
mod taints;
mod way;

pub use comparison::{Comparison, Operator};
use decide::decide;
pub use decision::{Closed, Decision, Guards};
pub(super) use spread::taints;
pub use taints::{Taint, Taints};

use super::{Lore, Parsed};
use crate::hazards::{Hit, View};

/// The hazards of a piece of code, and what its guards make of them.
pub fn judge(
    source: &[u8],
    parsed: &Parsed,
    lore: Lore<'_>,
    taints: &Taints,
) -> (Vec<Hit>, Guards) {
    let hits = lore.hazards.find(&View {
        source,
        tokens: &parsed.tokens,
        outline: &parsed.outline,
        named: &taints.named,
    });
    let guards = decide(source, parsed, lore, &hits, taints);
    (hits, guards)
}
