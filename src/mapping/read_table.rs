//! How a table of the program's own is read: out of the image that the build script made of it.
//!
//! The build script has a module of its own in the place of this file. It reads the same tables as TOML, with
//! their faults and places, and writes the images. So a run reads no TOML, and what reads a type from TOML is compiled
//! into the build script alone.

mod shared;

use serde::de::DeserializeOwned;

use super::MappingError;

pub(super) use shared::{RowAt, builtin, builtin_table, fault};

/// A table by its path below `mappings/`: its type, which is inferred, derives serde's both traits.
macro_rules! table {
    ($name:literal) => {
        $crate::read_table::from_image(
            $name,
            include_bytes!(concat!(env!("OUT_DIR"), "/mappings/", $name)),
        )
    };
}
pub(super) use table;

/// Reads the image of a table.
///
/// # Errors
/// When it is not what this type's build script wrote.
pub(super) fn from_image<T: DeserializeOwned>(name: &str, image: &[u8]) -> Result<T, MappingError> {
    postcard::from_bytes(image).map_err(|error| fault(name, "", 0, error.to_string()))
}
