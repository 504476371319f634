//! The runtime stub: its tables are those of the translator.

use std::path::{Path, PathBuf};

use torchada::mapping::Tables;
use torchada::stub;

fn tables_file() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src/stub/torchada/_tables.py")
}

/// Written anew with `UPDATE_DOCS=1 cargo test --test stub`.
#[test]
fn the_tables_of_the_stub_are_not_stale() {
    let path = tables_file();
    let found = std::fs::read_to_string(&path).expect("the file of tables");
    let fresh = stub::with_region(&found, Tables::builtin())
        .expect("sound tables")
        .expect("the marks of the generated region");
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(&path, &fresh).expect("src/stub/ can be written");
        return;
    }
    assert!(
        found == fresh,
        "src/stub/torchada/_tables.py is stale: run `UPDATE_DOCS=1 cargo test --test stub`"
    );
}
