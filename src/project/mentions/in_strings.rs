//! Names of source files in strings of C++, for a program that opens or compiles them when it runs.

use super::line_words::is_path_byte;
use super::meaning::is_pattern;
use crate::facts::Mention;
use crate::tree::paths;
use torchada_classify::FileClass;
use torchada_mapping::ends_with_one;
use torchada_syntax::{LexOptions, lex};
use torchada_text::{TextRange, contains, line_start};

/// The word in front of a header's name in code.
const INCLUDE: &[u8] = b"include";

/// The names of files with one of `endings` in strings: those that are whole strings, and those that code in a string
/// includes. What fills a whole string in at run time makes files of its own, and code that is filled in (`<kernels/{}.cuh>`)
/// includes headers that are there.
pub fn in_strings(text: &[u8], class: FileClass, endings: &[&str]) -> Vec<Mention> {
    // Elsewhere than in a raw string an `#include` at the start of a line is a directive.
    let has_raw = contains(text, b"R\"");
    let closes = |end: &&str| {
        memchr::memmem::find_iter(text, end.as_bytes()).any(|at| {
            matches!(text.get(at + end.len()), Some(b'"' | b'>' | b'\\'))
                && (has_raw || !is_in_directive(text, at))
        })
    };
    if !endings.iter().any(closes) {
        return Vec::new();
    }
    let mut found = Vec::new();
    let options = LexOptions {
        template: class.template,
    };
    for token in lex(text, options).tokens {
        if !token.is_literal() {
            continue;
        }
        let string = token.text(text);
        let start = token.range().start;
        let whole = string
            .strip_prefix(b"\"")
            .and_then(|rest| rest.strip_suffix(b"\""))
            .filter(|name| name.iter().all(|&one| is_path_byte(one)));
        let is_code = whole.is_none();
        let names = match whole {
            Some(name) => vec![TextRange::new(start + 1, start + 1 + name.len())],
            None => included(string, start),
        };
        for range in names {
            let Ok(name) = std::str::from_utf8(range.of(text)) else {
                continue;
            };
            let is_source = ends_with_one(name, endings);
            if !is_source || !is_code && is_pattern(paths::file_name(name), endings) {
                continue;
            }
            found.push(Mention::in_text(text, range, name));
        }
    }
    found
}

/// Whether a line that is a directive of its own holds the byte at `at`.
fn is_in_directive(text: &[u8], at: usize) -> bool {
    let before = text.get(..at).unwrap_or_default();
    let (above, line) = before.split_at(line_start(text, at));
    line.trim_ascii_start().starts_with(b"#") && !above.trim_ascii_end().ends_with(b"\\")
}

/// The headers that the code in a string includes: `R"(#include <scale.cuh>)"`, `"#include \"scale.cuh\"\n"`.
fn included(string: &[u8], start: usize) -> Vec<TextRange> {
    let blank = |byte: &&u8| matches!(byte, b' ' | b'\t');
    let hashes = memchr::memchr_iter(b'#', string);
    let names = hashes.filter_map(|hash| {
        let mut at = hash + 1;
        at += string.get(at..)?.iter().take_while(blank).count();
        string.get(at..)?.strip_prefix(INCLUDE)?;
        at += INCLUDE.len();
        at += string.get(at..)?.iter().take_while(blank).count();
        at += match string.get(at..)? {
            [b'\\', b'"', ..] => 2,
            [b'<' | b'"', ..] => 1,
            _ => return None,
        };
        let rest = string.get(at..)?;
        let len = rest.iter().take_while(|&&byte| is_path_byte(byte)).count();
        let closed = matches!(rest.get(len), Some(b'>' | b'"' | b'\\'));
        closed.then(|| TextRange::new(start + at, start + at + len))
    });
    names.collect()
}
