//! What an identifier by itself shows of the hazards that code with it may hold.

use super::matcher::{Hazards, folded};
use torchada_syntax::ptx::is_asm_keyword;

impl Hazards<'_> {
    /// Whether code with this identifier may hold a hazard. Cheap, and never wrong about a "no".
    pub fn concerns(&self, identifier: &[u8]) -> bool {
        let opens = identifier
            .first()
            .is_some_and(|byte| self.first.get(usize::from(*byte)).copied() == Some(true));
        self.is_capability(identifier)
            || identifier.iter().rev().take(2).any(u8::is_ascii_digit)
                && self.is_numbered(identifier)
            || opens
                && (self.is_name(identifier)
                    || is_asm_keyword(identifier)
                    || self.is_shape_word(identifier))
    }

    /// Whether a row is about what MUSA can't compile or run at all.
    pub fn blocks(&self, row: usize) -> bool {
        self.rows.get(row).is_some_and(|row| {
            row.severity == "error" || row.find.iter().any(|find| find.starts_with("asm:"))
        })
    }

    /// Whether code with this identifier may hold what MUSA can't compile or run at all. Never wrong about a "no".
    pub fn may_block(&self, identifier: &[u8]) -> bool {
        let blocks = |row: &usize| self.blocks(*row);
        let qualified = || {
            let ways = self.namespaces.get(identifier);
            ways.is_some_and(|ways| ways.iter().any(|(_, row)| blocks(row)))
        };
        is_asm_keyword(identifier)
            || self.is_name(identifier)
                && (self.names.get(identifier).is_some_and(blocks)
                    || self.templates.get(identifier).is_some_and(blocks)
                    || self.pattern(identifier).as_ref().is_some_and(blocks)
                    || qualified())
            || self.has_blocking_shapes && self.concerns(identifier)
    }

    fn is_capability(&self, identifier: &[u8]) -> bool {
        let words = &self.shapes.capability;
        let is_listed =
            |name: String| words.variables.contains(&name) || words.parts.contains(&name);
        self.capabilities.fit(identifier) && is_listed(folded(identifier))
    }

    /// Whether a name has a capability's number in it: `Sm80`, `kSM_100a`.
    fn is_numbered(&self, identifier: &[u8]) -> bool {
        let first = identifier.iter().find(|byte| **byte != b'_');
        let first = first.map_or(0, |byte| usize::from(byte.to_ascii_lowercase()));
        let words = &self.shapes.capability;
        self.numbered.get(first).copied() == Some(true)
            && identifier.iter().any(u8::is_ascii_digit)
            && words.number_in(&folded(identifier)).is_some()
    }

    /// Whether a constant or a variable of this name may be a capability.
    pub(super) fn may_carry_capability(&self, identifier: &[u8]) -> bool {
        self.is_capability(identifier) || self.is_numbered(identifier)
    }

    fn is_shape_word(&self, identifier: &[u8]) -> bool {
        identifier == b"__shared__" || self.words.contains(identifier)
    }
}
