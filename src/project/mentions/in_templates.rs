//! Names of source files in the statements of templates: `{% extends 'group.cu' %}`.

use memchr::memmem;

use super::line_words::is_path_byte;
use crate::facts::Mention;
use torchada_mapping::{ends_with_one, has};
use torchada_syntax::is_identifier_part;
use torchada_text::TextRange;

/// The names of files with one of `endings` in the statements of a template that begin with one of `words`.
pub fn in_templates(text: &[u8], endings: &[&str], words: &[String]) -> Vec<Mention> {
    let mut found = Vec::new();
    for open in memmem::find_iter(text, b"{%") {
        let start = open + b"{%".len();
        let inside = text.get(start..).unwrap_or_default();
        let Some(end) = memmem::find(inside, b"%}") else {
            break;
        };
        let statement = inside.get(..end).unwrap_or_default();
        let word = statement
            .iter()
            .skip_while(|&&byte| !is_identifier_part(byte));
        let word: Vec<u8> = word
            .copied()
            .take_while(|&byte| is_identifier_part(byte))
            .collect();
        if !has(words, word) {
            continue;
        }
        for range in quoted(statement) {
            let name = range.of(statement);
            let is_path = name.iter().all(|&byte| is_path_byte(byte));
            let Some(name) = std::str::from_utf8(name).ok().filter(|_| is_path) else {
                continue;
            };
            if !ends_with_one(name, endings) {
                continue;
            }
            let range = TextRange::new(start + range.start, start + range.end);
            found.push(Mention::in_text(text, range, name));
        }
    }
    found
}

/// What stands in quotes.
fn quoted(statement: &[u8]) -> Vec<TextRange> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(open) = memchr::memchr2(b'\'', b'"', statement.get(at..).unwrap_or_default()) {
        let start = at + open + 1;
        let mark = statement.get(at + open).copied().unwrap_or_default();
        let rest = statement.get(start..).unwrap_or_default();
        let Some(len) = memchr::memchr(mark, rest) else {
            break;
        };
        found.push(TextRange::new(start, start + len));
        at = start + len + 1;
    }
    found
}
