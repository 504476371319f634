//! What the uses of a name say together.

use super::Reading;
use crate::mapping::ValueKind;

/// Uses, counted by what each says.
#[derive(Default)]
pub(super) struct Votes {
    device: usize,
    /// Uses by which it is something else.
    other: Option<ValueKind>,
    /// Uses that a device may have and that have to change with it.
    tied: usize,
    /// Uses as text for people, and those of which nobody knows.
    prose: usize,
    open: usize,
}

impl Votes {
    /// Count one more use.
    pub(super) fn add(&mut self, reading: Reading) {
        match reading {
            Reading::Value(ValueKind::Device) => self.device += 1,
            Reading::Value(other) => self.other = Some(other),
            Reading::Mixed => {
                self.device += 1;
                self.tied += 1;
            }
            Reading::Prose => self.prose += 1,
            Reading::Open => self.open += 1,
        }
    }

    /// What the uses say that were counted.
    pub(super) fn verdict(&self) -> Reading {
        match (self.device, self.other, self.tied) {
            (0, None, _) if self.prose > 0 && self.open == 0 => Reading::Prose,
            (0, None, _) => Reading::Open,
            (0, Some(other), _) => Reading::Value(other),
            (_, None, 0) => Reading::Value(ValueKind::Device),
            _ => Reading::Mixed,
        }
    }
}
