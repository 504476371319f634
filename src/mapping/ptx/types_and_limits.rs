//! What types are called, and what a statement may have at most.

use serde::{Deserialize, Serialize};

/// The types of MUSA's that are no numbers of C++ itself, and what reads the bits of one type as another.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
#[expect(missing_docs, reason = "each field is called after what it holds")]
pub struct PtxTypes {
    pub half: String,
    pub half_pair: String,
    pub bfloat: String,
    pub bfloat_pair: String,
    pub float_as_int: String,
    pub float_as_uint: String,
    pub double_as_longlong: String,
    pub uint_as_float: String,
    pub longlong_as_double: String,
    pub half_as_ushort: String,
    pub ushort_as_half: String,
}

/// What a statement may have at most.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Limits {
    /// Literals and macros of a template.
    pub literals: usize,
    /// Bytes of a template.
    pub bytes: usize,
    /// Registers that a template declares.
    pub registers: usize,
    /// Labels and branches of a template.
    pub branches: usize,
    /// How deep scopes and brackets of a template are nested.
    pub nesting: usize,
    /// The texts that a template may have by the definitions of its macros and by `#if`.
    pub variants: usize,
    /// The tokens before a statement among which a declaration of what it names is looked for.
    pub declared_within: usize,
    /// How many constants are followed that each stand for the next.
    pub constants: usize,
    /// How deep macros in a template stand in each other.
    pub macros: usize,
    /// How many words the expansion of a macro may have, in all of its steps.
    pub words: usize,
}
