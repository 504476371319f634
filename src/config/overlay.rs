//! The user's mapping tables, as the mapping room reads them.

use std::ops::Range;
use std::path::{Path, PathBuf};

use toml::de::{DeTable, DeValue};

use super::reader::{Reader, suggest};
use super::{ConfigError, Fault};
use crate::files;
use crate::mapping::Overlay;
use crate::mapping::configuration::ConfigurationKeys;
use crate::mapping::safety;
use crate::text::LineIndex;

/// The table in which a built-in table says what it is.
const HEAD: &str = "table";

/// Whether a key of a configuration file is one that the loader of mapping tables reads.
pub(super) fn is_table(key: &str) -> bool {
    let mut tables = ConfigurationKeys::builtin().tables.iter();
    tables.any(|table| table.name == key)
}

/// Read table files, in order.
///
/// # Errors
/// When a file can't be read.
pub fn read_overlays(files: &[PathBuf]) -> Result<Vec<Overlay>, ConfigError> {
    files.iter().map(|file| read(file)).collect()
}

fn read(file: &Path) -> Result<Overlay, ConfigError> {
    let unreadable = |source| ConfigError::Unreadable {
        path: file.to_owned(),
        source,
    };
    let bytes = files::read_named(file, safety::BYTES_TABLE).map_err(unreadable)?;
    let text = String::from_utf8(bytes).map_err(|error| {
        unreadable(std::io::Error::new(
            std::io::ErrorKind::InvalidData,
            error.utf8_error(),
        ))
    })?;
    known_keys(file, &text).map_err(|fault| ConfigError::Fault(Box::new(fault)))?;
    Ok(Overlay {
        file: super::display_path(file),
        text,
    })
}

/// Whether every key at the top of a table file is one: a misspelt table would be left out in silence.
///
/// # Errors
/// The first that is none. What is no TOML is left to the loader of tables.
fn known_keys(file: &Path, text: &str) -> Result<(), Fault> {
    let Ok(document) = DeTable::parse(text) else {
        return Ok(());
    };
    let reader = Reader {
        file: super::display_path(file),
        lines: LineIndex::new(text.as_bytes()),
        text,
    };
    // A configuration with tables in it may be named as a table file, and a built-in table has a head.
    let keys = ConfigurationKeys::builtin();
    let is_setting = |key: &str| key == HEAD || keys.settings.iter().any(|one| one.name == key);
    for key in document.get_ref().keys() {
        let name = &**key.get_ref();
        if !is_table(name) && !is_setting(name) {
            let known: Vec<&str> = keys.tables.iter().map(|table| &*table.name).collect();
            let message = format!("`{name}` is no mapping table");
            return Err(reader.fault(key.span(), message, Some(suggest(name, &known))));
        }
    }
    Ok(())
}

/// The mapping tables under `[tool.torchada]` as a file of their own in which every row keeps its
/// line and column: everything else is blanked, and `tool.torchada.` goes from the headers.
///
/// # Errors
/// The place of a table that is not written with a header of its own.
pub(super) fn lift(text: &str, document: &DeTable<'_>) -> Result<String, Range<usize>> {
    let mut keys = Vec::new();
    collect(document, 0, false, &mut keys);
    keys.sort_unstable_by_key(|key| key.span.start);
    let mut keys = keys.into_iter().peekable();
    let mut out = String::with_capacity(text.len());
    let mut keep = false;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let end = at + line.len();
        let mut starts = None;
        while let Some(key) = keys.next_if(|key| key.span.start < end) {
            starts = Some(starts.unwrap_or(false) || key.keep);
            if key.is_table {
                let before = text.get(at..key.span.start).unwrap_or_default();
                if !before.trim().is_empty() && headless(before.trim_start()).is_none() {
                    return Err(key.span);
                }
            }
        }
        keep = starts.unwrap_or(keep);
        if !keep {
            out.extend(line.chars().map(blank));
        } else if let Some(rest) = headless(line.trim_start()) {
            // `[tool.torchada.names]` becomes `[              names]`, which TOML takes.
            let kept = line.len() - rest.len();
            out.push('[');
            out.extend(std::iter::repeat_n(' ', kept - 1));
            out.push_str(rest);
        } else {
            out.push_str(line);
        }
        at = end;
    }
    Ok(out)
}

struct KeySpan {
    span: Range<usize>,
    /// Whether it belongs to a mapping table.
    keep: bool,
    /// Whether it is the name of one.
    is_table: bool,
}

/// Every key of the document. The depth tells `tool`, `torchada` and the table's name apart.
fn collect(table: &DeTable<'_>, depth: usize, keep: bool, keys: &mut Vec<KeySpan>) {
    for (key, value) in table {
        let name = &**key.get_ref();
        let is_table = depth == 2 && is_table(name);
        let keep = keep || is_table;
        keys.push(KeySpan {
            span: key.span(),
            keep,
            is_table,
        });
        // Past `tool.torchada` and outside it, depth no longer means anything.
        let depth = match (depth, name) {
            (0, "tool") => 1,
            (1, "torchada") => 2,
            _ => usize::MAX,
        };
        descend(value.get_ref(), depth, keep, keys);
    }
}

fn descend(value: &DeValue<'_>, depth: usize, keep: bool, keys: &mut Vec<KeySpan>) {
    match value {
        DeValue::Table(inner) => collect(inner, depth, keep, keys),
        DeValue::Array(items) => {
            for item in items {
                descend(item.get_ref(), usize::MAX, keep, keys);
            }
        }
        _ => {}
    }
}

/// What follows `[tool.torchada.` on a header line; spaces around the dots don't matter.
fn headless(line: &str) -> Option<&str> {
    let mut rest = line.strip_prefix('[')?;
    for word in ["tool", "torchada"] {
        rest = rest.trim_start().strip_prefix(word)?;
        rest = rest.trim_start().strip_prefix('.')?;
    }
    Some(rest)
}

fn blank(letter: char) -> char {
    if letter == '\n' { '\n' } else { ' ' }
}
