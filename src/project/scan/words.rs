//! What an identifier is by itself, asked once for each of a file's words.
//!
//! A file has ten times as many identifiers as different ones, and most tables have to be asked to
//! know that a word is nobody's.

use rustc_hash::FxHashMap;

use crate::mapping::{Relation, Section};
use crate::project::declarations::lookalikes;
use crate::project::lore::Lore;

/// What is known of an identifier without a look at its place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Word {
    /// Whether it is a name, or a part of one, that the rules have to look at.
    pub(super) is_hit: bool,
    /// Whether code with it may hold a hazard, or be a guard on the architecture.
    pub(super) is_hazardous: bool,
    /// Whether it looks like CUDA's and no table lists it.
    pub(super) is_lookalike: bool,
}

/// The words of one file.
pub(super) struct Words<'s, 'a> {
    lore: Lore<'a>,
    known: FxHashMap<&'s [u8], Word>,
}

impl<'s, 'a> Words<'s, 'a> {
    pub(super) fn new(lore: Lore<'a>) -> Self {
        Self {
            lore,
            known: FxHashMap::default(),
        }
    }

    /// What `text` is.
    pub(super) fn get(&mut self, text: &'s [u8]) -> Word {
        let lore = self.lore;
        *self
            .known
            .entry(text)
            .or_insert_with(|| look_up(lore, text))
    }
}

fn look_up(lore: Lore<'_>, text: &[u8]) -> Word {
    let counts = |section| {
        lore.tables
            .get(section, text)
            .is_some_and(|row| row.relation != Relation::Same)
    };
    let concerns = lore.hazards.concerns(text);
    let by_family = || {
        let family = lore.knowledge.family_of(text);
        family.is_some_and(|family| !family.undeclared)
    };
    Word {
        // Split by a line splice: what it is, the rules find out.
        is_hit: text.contains(&b'\\')
            || concerns
            || by_family()
            || counts(Section::Names)
            || counts(Section::Members)
            || lore.parts.changing.contains(text),
        is_hazardous: concerns || text == lore.knowledge.shapes.guards.architecture.as_bytes(),
        is_lookalike: lookalikes::is_one(lore, text),
    }
}
