//! The package for run time: Python that a port writes beside Python sources, for code that only run time can
//! translate.
//!
//! Its Python stands in `src/stub/torchada/` as ordinary files. One of them has a region that is
//! made from the mapping tables, so that the stub and the translator can't disagree.
//!
//! Architecture invariant: the same tables give the same bytes. The file with the region stands in the sources as the
//! built-in tables make it, and `tests/stub.rs` holds it there.

mod flags;
mod python;
mod tables;

use crate::mapping::Tables;

pub use crate::mapping::stub::FOLDER;

/// A module that would be taken for the package.
pub const MODULE: &str = "torchada.py";

/// The file of the package that holds the tables.
pub const TABLES: &str = "_tables.py";

/// Starts the line before the generated region.
pub const BEGIN: &str = "# --- made from mappings/ by torchada: begin ---";

/// Starts the line behind it.
pub const END: &str = "# --- made from mappings/ by torchada: end ---";

/// The folder of the package with the commands of `python -m torchada`, which no port needs.
const TOOLS: &str = "tools/";

/// The folder that a Python has to have on its path for the package to be in place before the first import of torch:
/// Python imports the `sitecustomize.py` in it at its start.
pub const STARTUP: &str = "torchada/tools/run/startup";

/// The program of Python's, in that folder, that runs a command of the package.
pub const COMMAND: &str = "torchada/tools/run/startup/torchada_command.py";

/// The program of Python's, in that folder, that runs another one and reports what was redirected in it.
pub const SUPERVISOR: &str = "torchada/tools/run/startup/torchada_supervise.py";

/// What a report of that program begins with, as text, and a key that it has as JSON.
pub const REPORT_BEGINS: &[u8] = b"torchada: ";
/// See [`REPORT_BEGINS`].
pub const REPORT_KEY: &str = "processes_cut_off";

/// The package's files as they stand in `src/stub/`, by path in the package, sorted.
pub const SOURCES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/stub_files.rs"));

/// One file of the package.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StubFile {
    /// Its path in the output: `torchada/_tables.py`.
    pub path: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// The package with its commands, as the wheel has it, sorted by path.
pub fn whole() -> impl Iterator<Item = (String, &'static [u8])> {
    let sources = SOURCES.iter();
    sources.map(|&(path, bytes)| (format!("{FOLDER}/{path}"), bytes))
}

/// The package that a port gets, for `tables`, sorted by path.
pub fn files(tables: &Tables) -> Vec<StubFile> {
    let file = |&(path, bytes): &(&str, &[u8])| {
        let fresh = match std::str::from_utf8(bytes) {
            Ok(text) if path == TABLES && !tables.are_builtin() => {
                with_region(text, tables).map(String::into_bytes)
            }
            _ => None,
        };
        StubFile {
            path: format!("{FOLDER}/{path}"),
            bytes: fresh.unwrap_or_else(|| bytes.to_vec()),
        }
    };
    let sources = SOURCES.iter();
    sources
        .filter(|(path, _)| !path.starts_with(TOOLS))
        .map(file)
        .collect()
}

/// Whether these are the bytes of a file of tables, of whatever version of the program.
pub fn is_ours(bytes: &[u8]) -> bool {
    let mut lines = bytes.split(|&byte| byte == b'\n');
    lines.any(|line| line == BEGIN.as_bytes())
}

/// The file of tables with its region made from `tables`: what stands before [`BEGIN`] and behind
/// [`END`] stays. `None` where `text` has no region.
pub fn with_region(text: &str, tables: &Tables) -> Option<String> {
    let (before, rest) = text.split_once(BEGIN)?;
    let (_, behind) = rest.split_once(END)?;
    let region = tables::region(tables);
    Some(format!("{before}{BEGIN}\n{region}{END}{behind}"))
}
