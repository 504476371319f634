//! Edits to one file: sorted, disjoint, in groups that stand or fall together.

mod port_map;
mod set;

pub use port_map::{FileMap, MappedEdit, PortMap, PortMapBuilder, Replaced};
pub use set::{Applied, EditSet, Edits, Overlap, SourceMap};

use serde::{Deserialize, Serialize};

use torchada_diagnostic::Applicability;
use torchada_mapping::Evidence;
use torchada_text::TextRange;

/// Edits with the same group are applied together or not at all. Groups are numbered per file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct GroupId(pub u32);

/// The kind of an edit, which decides how it is verified.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum EditKind {
    /// One token becomes another of the same kind: lexing again must give the same tokens.
    Rename,
    /// Anything else: the code around it must parse again without a new error.
    Rewrite,
}

/// One replacement of a byte range.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edit {
    /// The bytes that are replaced.
    pub range: TextRange,
    /// The text that replaces the range.
    pub replacement: Vec<u8>,
    /// The effect that the edit may have on the meaning.
    pub applicability: Applicability,
    /// How the edit is verified.
    pub kind: EditKind,
    /// The group that the edit stands or falls with.
    pub group: GroupId,
    /// The rule that made the edit, by its name in `docs/rules.md`.
    pub rule: &'static str,
    /// The evidence of the mapping that the edit applies; `None` for an edit without a mapping, such as
    /// an include that follows a renamed file.
    pub evidence: Option<Evidence>,
}

impl Edit {
    /// An edit that surely keeps the meaning, of any kind but a rename.
    pub fn rewrite(
        range: TextRange,
        to: &str,
        rule: &'static str,
        evidence: Option<Evidence>,
        group: GroupId,
    ) -> Self {
        Self {
            range,
            replacement: to.as_bytes().to_vec(),
            applicability: Applicability::Safe,
            kind: EditKind::Rewrite,
            group,
            rule,
            evidence,
        }
    }
}
