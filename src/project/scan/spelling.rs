//! Classifies an identifier by its spelling alone.

use crate::context::Context;
use crate::declarations::lookalikes;
use torchada_mapping::Section;

/// Which hazard code with an identifier may hold.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum MayHold {
    /// None.
    Nothing,
    /// A hazard, or a guard on the architecture.
    Hazard,
    /// A hazard that MUSA can't compile or run at all, which concerns other files, too.
    Blocking,
}

/// What the spelling of an identifier shows of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct SpellingClass {
    /// Whether the rules have to look at the identifier: it is a name of a table's, or a part of one.
    pub(super) is_hit: bool,
    /// What code with it may hold.
    pub(super) hazard: MayHold,
    /// Whether the identifier looks like CUDA's and no table lists it.
    pub(super) is_lookalike: bool,
}

impl SpellingClass {
    /// The class of an identifier; `None` for an ordinary word.
    pub(super) fn of(context: Context<'_>, text: &[u8]) -> Option<Self> {
        let word = look_up(context, text);
        (word.is_hit || word.is_lookalike).then_some(word)
    }
}

fn look_up(context: Context<'_>, text: &[u8]) -> SpellingClass {
    let counts = |section| context.tables.changes(section, text);
    let concerns = context.hazards.concerns(text);
    let by_family = || {
        let family = context.knowledge.families.of(text);
        family.is_some_and(|family| !family.undeclared)
    };
    SpellingClass {
        // Split by a line splice: what it is, the rules find out.
        is_hit: text.contains(&b'\\')
            || concerns
            || by_family()
            || counts(Section::Names)
            || counts(Section::Members)
            || context.tables.name_parts().is_changing(text),
        hazard: if concerns && context.hazards.may_block(text) {
            MayHold::Blocking
        } else if concerns || text == context.knowledge.shapes.guards.architecture.as_bytes() {
            MayHold::Hazard
        } else {
            MayHold::Nothing
        },
        is_lookalike: lookalikes::is_one(context, text),
    }
}
