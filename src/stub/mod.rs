//! The runtime stub: a Python package that a port writes beside the sources, for what only run
//! time can know.
//!
//! Its Python stands in `src/stub/torchada/` as ordinary files. One of them has a region that is
//! made from the mapping tables, so that the stub and the translator can't disagree.
//!
//! Architecture invariant: the same tables give the same bytes.

mod python;
mod tables;

use crate::mapping::{MappingError, Tables};

/// Starts the line before the generated region.
pub const BEGIN: &str = "# --- made from mappings/ by torchada: begin ---";

/// Starts the line behind it.
pub const END: &str = "# --- made from mappings/ by torchada: end ---";

/// The file of tables with its region made from `tables`: what stands before [`BEGIN`] and behind
/// [`END`] stays. `None` where `text` has no region.
///
/// # Errors
/// A fault of the stub's own knowledge.
pub fn with_region(text: &str, tables: &Tables) -> Result<Option<String>, MappingError> {
    let Some((before, rest)) = text.split_once(BEGIN) else {
        return Ok(None);
    };
    let Some((_, behind)) = rest.split_once(END) else {
        return Ok(None);
    };
    let region = tables::region(tables)?;
    Ok(Some(format!("{before}{BEGIN}\n{region}{END}{behind}")))
}
