//! The roles of a string, such as a device, a backend, or text for people; and the words that show one by themselves.

pub(super) mod annotations;
pub(super) mod device_texts;
pub(super) mod labels;
pub(super) mod names;
pub mod options;
mod own_names;
pub(super) mod questions;

use super::facts::equation::{Fact, Term};
use torchada_mapping::ValueKind;

/// The role of a string.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StringRole {
    /// A value of a kind.
    Known(ValueKind),
    /// Text for people: a message, a docstring, a statement by itself.
    Text,
    /// A device, and something else, too.
    Ambiguous,
    /// Nobody knows.
    Unknown,
}

impl StringRole {
    /// Whether a string is a device, and nothing else.
    pub fn is_device(self) -> bool {
        self == Self::Known(ValueKind::Device)
    }
}

/// The set of all that the uses of a string show.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct RoleEvidence(u8);

impl RoleEvidence {
    const DEVICE: Self = Self(1);
    const BACKEND: Self = Self(1 << 1);
    const DISPATCH_KEY: Self = Self(1 << 2);
    const OTHER: Self = Self(1 << 3);
    /// A use that a device may have, and that has to change together with something else.
    const TIED: Self = Self(1 << 4);
    const TEXT: Self = Self(1 << 5);
    /// A use that shows nothing.
    const OPEN: Self = Self(1 << 6);

    fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// The role of a string that has these uses.
    pub fn role(self) -> StringRole {
        let kinds = [
            (Self::DISPATCH_KEY, ValueKind::DispatchKey),
            (Self::BACKEND, ValueKind::Backend),
            // Implementations are called like backends, so this says least.
            (Self::OTHER, ValueKind::Other),
        ];
        let other = kinds.into_iter().find(|&(kind, _)| self.has(kind));
        match (self.has(Self::DEVICE), other) {
            (true, None) if !self.has(Self::TIED) => StringRole::Known(ValueKind::Device),
            (true, _) => StringRole::Ambiguous,
            (false, Some((_, kind))) => StringRole::Known(kind),
            (false, None) if self.has(Self::TEXT) && !self.has(Self::OPEN) => StringRole::Text,
            (false, None) => StringRole::Unknown,
        }
    }

    /// The evidence that a string's role is by itself. What has no use at all yet stays so.
    pub fn summed_up(self) -> Self {
        if self == Self::default() {
            self
        } else {
            Self::from(self.role())
        }
    }

    /// This evidence, where devices and uses that show nothing are tied to something else.
    pub fn tied_where_open(self) -> Self {
        if self.has(Self::DEVICE) && self.has(Self::OPEN) {
            Self(self.0 | Self::TIED.0)
        } else {
            self
        }
    }
}

impl From<StringRole> for RoleEvidence {
    fn from(role: StringRole) -> Self {
        match role {
            StringRole::Known(ValueKind::Device) => Self::DEVICE,
            StringRole::Known(ValueKind::Backend) => Self::BACKEND,
            StringRole::Known(ValueKind::DispatchKey) => Self::DISPATCH_KEY,
            StringRole::Known(ValueKind::Other) => Self::OTHER,
            StringRole::Text => Self::TEXT,
            StringRole::Ambiguous => Self(Self::DEVICE.0 | Self::TIED.0),
            StringRole::Unknown => Self::OPEN,
        }
    }
}

impl Fact for RoleEvidence {
    fn join(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    fn is_known(self) -> bool {
        self.role() != StringRole::Unknown
    }
}

/// A role, as far as it is known.
pub type RoleTerm = Term<RoleEvidence>;

impl From<StringRole> for RoleTerm {
    fn from(role: StringRole) -> Self {
        Self::Fact(RoleEvidence::from(role))
    }
}

impl RoleTerm {
    /// The role of a use that shows nothing.
    pub fn unknown() -> Self {
        StringRole::Unknown.into()
    }

    /// The role, changed by a function of roles.
    pub fn map_role(
        self,
        change: impl Fn(StringRole) -> StringRole + Send + Sync + 'static,
    ) -> Self {
        self.map(move |evidence| {
            if evidence == RoleEvidence::default() {
                evidence
            } else {
                RoleEvidence::from(change(evidence.role()))
            }
        })
    }

    /// Only a kind of value, where the role is one.
    pub fn only_kinds(self) -> Self {
        self.map_role(|role| match role {
            StringRole::Known(kind) => StringRole::Known(kind),
            _ => StringRole::Unknown,
        })
    }

    /// Only a device, where the role is one.
    pub fn only_device(self) -> Self {
        self.map_role(|role| match role {
            StringRole::Known(ValueKind::Device) => role,
            _ => StringRole::Unknown,
        })
    }

    /// The role, or that of a device where it is not known and something else says so.
    pub fn or_device(self, is_device: bool) -> Self {
        if !is_device {
            return self;
        }
        self.map(|evidence| {
            if evidence.is_known() {
                evidence
            } else {
                RoleEvidence::DEVICE
            }
        })
    }

    /// What all of several places show, each by itself.
    pub fn agree(mut places: Vec<Self>) -> Self {
        match places.pop() {
            None => Self::unknown(),
            Some(only) if places.is_empty() => only,
            Some(last) => {
                places.push(last);
                let places = places.into_iter();
                Self::Agree(places.map(|one| one.map(RoleEvidence::summed_up)).collect())
            }
        }
    }

    /// The evidence of several uses together.
    pub fn of_uses(uses: Vec<Self>) -> Self {
        if uses.is_empty() {
            return Self::unknown();
        }
        let uses = uses.into_iter().map(|one| one.map(RoleEvidence::summed_up));
        Self::Join(uses.collect()).map(RoleEvidence::summed_up)
    }
}
