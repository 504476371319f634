//! Parts of a table file, each taken out and read by itself.

use std::ops::Range;

use serde::de::DeserializeOwned;
use toml::Spanned;
use toml::de::{DeTable, ValueDeserializer};

use super::error::{MappingError, TableText};

/// Takes one part out of the file and reads it; `None` where it is not there.
///
/// # Errors
/// What can't be read, with its line.
pub(super) fn take<T: DeserializeOwned>(
    text: &TableText<'_>,
    parts: &mut DeTable<'_>,
    key: &str,
) -> Result<Option<T>, MappingError> {
    let Some(value) = parts.remove(key) else {
        return Ok(None);
    };
    let whole = value.span();
    match T::deserialize(ValueDeserializer::from(value)) {
        Ok(part) => Ok(Some(part)),
        Err(error) => {
            let mut error = text.toml_fault(&error, &whole);
            error.fault = format!("`{key}`: {}", error.fault);
            Err(error)
        }
    }
}

/// Takes a list of records out of the file and checks each.
///
/// # Errors
/// The first that can't be read or does not pass, with its line.
pub(super) fn take_list<T: DeserializeOwned>(
    text: &TableText<'_>,
    parts: &mut DeTable<'_>,
    key: &str,
    check: impl Fn(&T) -> Result<(), String>,
) -> Result<Vec<T>, MappingError> {
    let records: Vec<Spanned<T>> = take(text, parts, key)?.unwrap_or_default();
    let mut checked = Vec::with_capacity(records.len());
    for record in records {
        let span: Range<usize> = record.span();
        let record = record.into_inner();
        check(&record).map_err(|fault| text.fault(&span, fault))?;
        checked.push(record);
    }
    Ok(checked)
}
