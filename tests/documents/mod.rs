//! Documents that are made from tables and definitions, so that they can't go stale.

use std::fs;
use std::path::Path;

pub(crate) mod command_line;
pub(crate) mod mappings;
pub(crate) mod ptx;
pub(crate) mod rules;

/// Whether `UPDATE_DOCS` asks for the documents to be written anew.
pub(crate) fn update() -> bool {
    std::env::var_os("UPDATE_DOCS").is_some()
}

/// That a file of this repository says what `fresh` says; `tests` are those that write it.
#[track_caller]
pub(crate) fn is_fresh(document: &str, fresh: &str, tests: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(document);
    if update() {
        fs::write(&path, fresh).expect("the document can be written");
    }
    let kept = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        kept == fresh,
        "{document} is stale: run `UPDATE_DOCS=1 cargo test --test suite {tests}`"
    );
}
