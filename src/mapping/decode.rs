//! How the program decodes its own tables.

use erased_serde::Deserializer as Erased;
use serde::de::{DeserializeOwned, Error as _};
use toml::de::{Deserializer, Error};

/// Decodes a table. What reads a type from TOML is compiled once for each type, where `toml` alone has it compiled
/// three times. That hides the place of a fault, so the build script, which reads a table first, decodes with `toml`.
pub(super) fn decode<T: DeserializeOwned>(text: &str) -> Result<T, Error> {
    let deserializer = Deserializer::parse(text)?;
    let mut erased = <dyn Erased<'_>>::erase(deserializer);
    erased_serde::deserialize(&mut erased).map_err(Error::custom)
}
