//! Names of source files in the symbols of objects that hold their texts: `ld -r -b binary kernels/k.cu` makes
//! `_binary_kernels_k_cu_start`, which code may also name through a macro. The build makes the symbol of the file's name, so
//! the file keeps it.

use crate::facts::{Mention, Reach};
use torchada_mapping::files::EmbeddingTable;
use torchada_syntax::identifier_at;
use torchada_text::{LineIndex, TextRange};

/// The mentions of files with one of `endings` in such symbols.
pub(super) fn embedded_symbols(
    text: &[u8],
    endings: &[&str],
    tables: &[EmbeddingTable],
) -> Vec<Mention> {
    let mut lines = None;
    let found = tables
        .iter()
        .map(|table| spelled_as(table, text, endings, &mut lines));
    found.flatten().collect()
}

/// The mentions in symbols that are written in one way.
fn spelled_as(
    table: &EmbeddingTable,
    text: &[u8],
    endings: &[&str],
    lines: &mut Option<LineIndex>,
) -> Vec<Mention> {
    let mut found = Vec::new();
    let finder = memchr::memmem::Finder::new(&table.front);
    let mut from = 0;
    while let Some(at) = finder.find(text.get(from..).unwrap_or_default()) {
        let start = from + at;
        let symbol = identifier_at(text, start + table.front.len());
        from = symbol.end;
        let Ok(name) = std::str::from_utf8(symbol.of(text)) else {
            continue;
        };
        let mut tails = table.tails.iter();
        let Some(path) = tails.find_map(|tail| name.strip_suffix(tail.as_str())) else {
            continue;
        };
        let mut endings = endings.iter();
        if !endings.any(|ending| path.ends_with(&spelled(ending))) {
            continue;
        }
        let lines = lines.get_or_insert_with(|| LineIndex::new(text));
        found.push(Mention {
            range: TextRange::new(symbol.start, symbol.start + path.len()),
            binds: true,
            text: path.to_owned(),
            line: lines.position(text, symbol.start).line,
            reach: Reach::Spelled,
        });
    }
    found
}

/// A path as such symbols spell it: an underscore stands for each sign that no identifier can have.
pub(super) fn spelled(path: &str) -> String {
    let spelled = path.chars().map(|one| match one {
        letter if letter.is_ascii_alphanumeric() => letter,
        _ => '_',
    });
    spelled.collect()
}
