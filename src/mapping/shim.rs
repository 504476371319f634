//! Macros that a compiler for MUSA defines by itself: `mappings/shim.toml`.

use std::sync::OnceLock;

use serde::Deserialize;

use super::MappingError;
use super::read_table::table;

/// One macro that the compiler defines.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
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

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    define: Vec<CompilerMacro>,
}

/// The definitions that come with the program, read on first use.
///
/// # Errors
/// A fault of the file, with its line.
pub fn definitions() -> Result<&'static [CompilerMacro], MappingError> {
    static READ: OnceLock<Result<Vec<CompilerMacro>, MappingError>> = OnceLock::new();
    let read = READ.get_or_init(|| {
        let text = include_str!("../../mappings/shim.toml");
        table::<Document>("shim.toml", text).map(|document| document.define)
    });
    read.as_deref().map_err(Clone::clone)
}
