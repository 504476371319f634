//! What mcc takes otherwise than nvcc does: `mappings/dialect.toml`.

use serde::{Deserialize, Serialize};

/// The table `mappings/dialect.toml`.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DialectWords {
    /// Words that a pointer in an array can't have.
    pub arrays: ArrayWords,
    /// Types without constants.
    pub constants: ConstantTypes,
    /// Templates that are members.
    pub templates: MemberTemplates,
    /// Pragmas before loops.
    pub loops: LoopPragmas,
}

/// Words that a pointer in an array can't have.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ArrayWords {
    /// The words.
    pub words: Vec<String>,
    /// Where this comes from.
    pub source: String,
}

/// Types without constants.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ConstantTypes {
    /// The types.
    pub types: Vec<String>,
    /// Where this comes from.
    pub source: String,
}

/// Templates that are members of what depends on a template's parameter.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MemberTemplates {
    /// Where this comes from.
    pub source: String,
}

/// Pragmas that have to stand before a loop.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LoopPragmas {
    /// The pragmas.
    pub pragmas: Vec<String>,
    /// Words that surely begin no loop.
    pub others: Vec<String>,
    /// Where this comes from.
    pub source: String,
}
