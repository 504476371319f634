//! What the uses of a name say together.

use super::StringRole;
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
    pub(super) fn add(&mut self, reading: StringRole) {
        match reading {
            StringRole::Known(ValueKind::Device) => self.device += 1,
            StringRole::Known(other) => self.other = Some(other),
            StringRole::Ambiguous => {
                self.device += 1;
                self.tied += 1;
            }
            StringRole::Text => self.prose += 1,
            StringRole::Unknown => self.open += 1,
        }
    }

    /// What the uses say that were counted.
    pub(super) fn verdict(&self) -> StringRole {
        match (self.device, self.other, self.tied) {
            (0, None, _) if self.prose > 0 && self.open == 0 => StringRole::Text,
            (0, None, _) => StringRole::Unknown,
            (0, Some(other), _) => StringRole::Known(other),
            (_, None, 0) => StringRole::Known(ValueKind::Device),
            _ => StringRole::Ambiguous,
        }
    }
}
