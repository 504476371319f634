//! Guards on CUDA's architecture: which of their branches MUSA takes.
//!
//! A number of CUDA's says nothing of MUSA's GPUs, so a comparison is decided by what the branches
//! hold that it chooses between. For each conditional the numbers in it part CUDA's architectures
//! into classes; the newest class whose branches hold nothing that MUSA lacks is the one that
//! MUSA belongs to. Older classes are CUDA's own fallback. What is left of inline assembly after its translation is what
//! counts.
//!
//! Where several ways are open, MUSA takes the code whose assembly translates as it is, then portable code (CUDA's own
//! fallback, or the branch for another vendor), and what is only emulated last.

mod arms;
mod blocking;
mod branches;
mod choose;
mod closed;
mod comparison;
mod decide;
mod decider;
mod decision;
mod fallback;
mod features;
mod joined_guards;
mod kernels;
mod names_that_lead_here;
mod newest;
mod outside_conditionals;
mod pairs;
mod switches;
mod translated;
mod unsupported;

pub use comparison::{Comparison, Operator};
use decide::decide;
pub use decision::{Closed, Decision, Guards, VendorArm};
use names_that_lead_here::unsupported;
pub(super) use switches::asks_for_target;
pub use unsupported::{Switch, Unsupported, UnsupportedSymbol, UnsupportedSymbols};

use super::{Context, Parsed, Project};
use torchada_hazards::{CapabilityNames, CodeHazards, CodeView, Hit};

/// Judge a file by itself, for its guards that concern other files: its hazards may lie behind several of its
/// functions, each with a guard of its own.
pub(super) fn judge_alone(
    source: &[u8],
    parsed: &Parsed,
    context: Context<'_>,
    named: &CapabilityNames,
) -> (Vec<UnsupportedSymbol>, Guards) {
    let mut own = UnsupportedSymbols::default();
    own.add(0, &[], named, None);
    let (all, mut guards) = judge(source, parsed, context, own.seen_from(None));
    let mut found: Vec<UnsupportedSymbol> = Vec::new();
    // What the newest GPUs alone have is off in the rest of the file as well; what asks for it is known by then.
    let is_off = |name: &[u8]| {
        guards
            .switches
            .iter()
            .any(|one| one.off && one.name == name)
    };
    if guards.switches.iter().any(|one| one.off) {
        found = unsupported(source, parsed, context, &all.hits, &guards);
        found.retain(|one| is_off(&one.name));
        own.add(0, &found, &CapabilityNames::default(), None);
        own.disable(0, &guards.switches);
        guards = decide(source, parsed, context, &all, own.seen_from(None));
    }
    for _ in 0..=DEPTH {
        let mut new = unsupported(source, parsed, context, &all.hits, &guards);
        new.retain(|one| found.iter().all(|known| known.name != one.name));
        if new.is_empty() {
            break;
        }
        own.add(0, &new, &CapabilityNames::default(), None);
        guards = decide(source, parsed, context, &all, own.seen_from(None));
        found.extend(new);
    }
    (found, guards)
}

/// How many functions are followed that call each other.
const DEPTH: usize = 4;

impl Project {
    /// The hazards of code in the file at `index`, and what the code's guards make of them.
    pub fn judge<'t>(
        &self,
        index: usize,
        source: &[u8],
        parsed: &Parsed,
        context: Context<'t>,
    ) -> (CodeHazards<'t>, Guards) {
        let unsupported = self.unsupported.seen_from(Some(index));
        judge(source, parsed, context, unsupported)
    }
}

/// The hazards of a piece of code, and what its guards make of them.
fn judge<'t>(
    source: &[u8],
    parsed: &Parsed,
    context: Context<'t>,
    unsupported: Unsupported<'_>,
) -> (CodeHazards<'t>, Guards) {
    let view = CodeView {
        source,
        tokens: &parsed.tokens,
        outline: &parsed.outline,
        named: unsupported.named(),
    };
    let mut found = context.hazards.find(&view, context.ptx);
    let is_dead = |hit: &Hit| parsed.regions.is_dead(hit.range.start);
    found.hits.retain(|hit| !is_dead(hit));
    let guards = decide(source, parsed, context, &found, unsupported);
    (found, guards)
}
