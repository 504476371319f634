//! How a table of the program's own is read.

use std::sync::OnceLock;

use super::MappingError;

/// A table of the program's own, read on first use.
pub(super) fn builtin<T>(
    once: &'static OnceLock<T>,
    load: fn() -> Result<T, MappingError>,
) -> &'static T {
    // The build script has read the same text with the same code.
    once.get_or_init(|| {
        load().unwrap_or_else(|fault| panic!("{fault}: this is a bug, please report it"))
    })
}

/// Read a file of knowledge that has no names in it.
pub(super) fn table<T: serde::de::DeserializeOwned>(
    name: &str,
    text: &str,
) -> Result<T, MappingError> {
    super::decode(text).map_err(|error| {
        let start = error.span().map_or(0, |span| span.start);
        fault(name, text, start, error.message())
    })
}

/// A fault of such a file at a byte offset of its text.
pub(super) fn fault(
    name: &str,
    text: &str,
    offset: usize,
    fault: impl Into<String>,
) -> MappingError {
    let before = text.get(..offset).unwrap_or_default();
    MappingError {
        file: format!("mappings/{name}"),
        line: before.matches('\n').count() + 1,
        fault: fault.into(),
    }
}
