//! From a name's bytes to its row, for every identifier of every file.

use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;

use super::loader::{Row, Section};

/// An open-addressing table over rows that live elsewhere.
///
/// A slot keeps part of the hash beside the row's number, so that the common answer, "no such
/// name", is given without touching a row.
#[derive(Debug)]
pub(super) struct Index {
    slots: Vec<Slot>,
}

#[derive(Clone, Copy, Debug)]
struct Slot {
    tag: u32,
    /// [`EMPTY`] where nothing is.
    row: u32,
}

const EMPTY: Slot = Slot { tag: 0, row: u32::MAX };

impl Index {
    pub(super) fn new(rows: &[(Section, Row)]) -> Self {
        // At most half full, so that a probe ends soon.
        let mut slots = vec![EMPTY; (rows.len() * 2).next_power_of_two().max(2)];
        let mask = slots.len() - 1;
        for (number, (section, row)) in rows.iter().enumerate() {
            let (mut at, tag) = start(*section, row.cuda.as_bytes(), mask);
            while slots[at].row != EMPTY.row {
                at = (at + 1) & mask;
            }
            slots[at] = Slot { tag, row: number as u32 };
        }
        Self { slots }
    }

    pub(super) fn get<'a>(
        &self,
        rows: &'a [(Section, Row)],
        section: Section,
        key: &[u8],
    ) -> Option<&'a Row> {
        let mask = self.slots.len() - 1;
        let (mut at, tag) = start(section, key, mask);
        loop {
            let slot = self.slots[at];
            if slot.row == EMPTY.row {
                return None;
            }
            if slot.tag == tag {
                let (other, row) = &rows[slot.row as usize];
                if *other == section && row.cuda.as_bytes() == key {
                    return Some(row);
                }
            }
            at = (at + 1) & mask;
        }
    }
}

/// Where a name's probe starts, and its tag.
fn start(section: Section, key: &[u8], mask: usize) -> (usize, u32) {
    let mut hasher = FxHasher::default();
    section.hash(&mut hasher);
    key.hash(&mut hasher);
    let hash = hasher.finish();
    (hash as usize & mask, (hash >> 32) as u32)
}
