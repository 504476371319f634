//! Macros and functions that a compiler for MUSA knows by itself: `mappings/shim.toml`.

use std::sync::OnceLock;

use serde::{Deserialize, Serialize};

use super::MappingError;
use super::read_table::table;

/// One macro that the compiler defines.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CompilerMacro {
    /// The macro.
    pub name: String,
    /// The text that the macro stands for.
    pub value: String,
    /// The macro of CUDA's beside which it is defined; `None` for everywhere.
    #[serde(rename = "where")]
    pub beside: Option<String>,
    /// Where this comes from.
    pub source: String,
}

/// A function on the device that the compiler knows and CUDA's does not.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CompilerFunction {
    /// What CUDA's compiler makes the function of, from its result's type to its body.
    pub code: String,
    /// Where its name comes from.
    pub source: String,
}

/// What the compiler knows.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Compiler {
    /// The macros.
    #[serde(rename = "define")]
    pub macros: Vec<CompilerMacro>,
    /// The functions.
    #[serde(rename = "function")]
    pub functions: Vec<CompilerFunction>,
}

/// What the compiler knows, by the table that comes with the program, read on first use.
///
/// # Errors
/// A fault of the file, with its line.
pub fn compiler() -> Result<&'static Compiler, MappingError> {
    static READ: OnceLock<Result<Compiler, MappingError>> = OnceLock::new();
    READ.get_or_init(|| table!("shim.toml"))
        .as_ref()
        .map_err(Clone::clone)
}
