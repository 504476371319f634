//! The CUDA headers of each MUSA header.

use std::collections::BTreeMap;

use super::counterpart;
use super::parts::WrapperHeader;
use crate::mapping::{Evidence, Section, Tables};

/// The wrappers of all rows whose evidence is `weakest` or better, sorted by path.
pub(super) fn wrappers(tables: &Tables, weakest: Evidence, known: &[String]) -> Vec<WrapperHeader> {
    let mut found: BTreeMap<String, Vec<(bool, String)>> = BTreeMap::new();
    for row in tables.rows(Section::Headers) {
        // A row for a folder names no header.
        if let Some(to) = counterpart(row, weakest).filter(|to| !to.ends_with('/')) {
            let headers = found.entry(to.to_owned()).or_default();
            headers.push((!row.primary, row.cuda.to_string()));
        }
    }
    for path in known {
        let row = tables.header(path).filter(|row| row.cuda.ends_with('/'));
        let row = row.filter(|row| counterpart(row, weakest).is_some());
        if let Some(to) = row.and_then(|row| row.header_target(path)) {
            found.entry(to).or_default().push((true, path.clone()));
        }
    }
    found
        .into_iter()
        .map(|(musa, mut headers)| {
            headers.sort();
            headers.dedup();
            WrapperHeader {
                musa,
                cuda: headers.into_iter().map(|(_, path)| path).collect(),
            }
        })
        .collect()
}
