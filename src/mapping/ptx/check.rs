//! What has to hold for a row of the table.

use std::collections::BTreeMap;

use super::{Exactness, PtxHelper, PtxRow, helpers_in};

/// Check a row, whose code may call these functions.
///
/// # Errors
/// What is wrong with it.
pub(super) fn check(row: &PtxRow, helpers: &BTreeMap<String, PtxHelper>) -> Result<(), String> {
    let name = row.forms.first().map_or("", String::as_str);
    let ways = [
        row.cpp.is_some(),
        row.by.is_some(),
        row.nothing.is_some(),
        row.none.is_some(),
    ];
    if ways.iter().filter(|way| **way).count() != 1 {
        return Err(format!(
            "`{name}` needs exactly one of cpp, by, nothing, none"
        ));
    }
    if row.none.is_some() != row.advice.is_some() {
        return Err(format!("`{name}`: none and advice stand together"));
    }
    if row.none.is_none() && row.exactness.is_none() {
        return Err(format!("`{name}` does not say how exact it is"));
    }
    if row.emulated && row.exactness != Some(Exactness::Slower) {
        return Err(format!("`{name}` is emulated, and so slower"));
    }
    if row.none.is_some() && row.proof.is_some() {
        return Err(format!("`{name}` has no translation that could be proved"));
    }
    if row.source.is_empty() {
        return Err(format!("`{name}` has no source"));
    }
    for called in row.cpp.iter().flat_map(|cpp| helpers_in(cpp)) {
        if !helpers.contains_key(called) {
            return Err(format!("`{name}` calls `{called}`, which is not there"));
        }
    }
    Ok(())
}
