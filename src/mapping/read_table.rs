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
    super::decode(text).map_err(|fault| {
        let start = fault.span().map_or(0, |span| span.start);
        MappingError {
            file: format!("mappings/{name}"),
            line: text.get(..start).unwrap_or_default().matches('\n').count() + 1,
            fault: fault.message().to_owned(),
        }
    })
}
