//! Strings and inline assembly.

use std::ops::Range;

use crate::align::{Scanned, align};
use crate::scan::Kind;

/// What a string that was changed holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Holds {
    /// What a call looks up by name.
    Lookup,
    /// Source code.
    Code,
    /// One name and nothing else.
    Name,
    /// Text for people.
    Text,
}

/// Calls whose strings are names of functions, libraries, variables or devices.
const LOOKUPS: [&str; 17] = [
    "dlopen",
    "dlsym",
    "dlvsym",
    "LoadLibrary",
    "LoadLibraryA",
    "LoadLibraryEx",
    "GetProcAddress",
    "getenv",
    "secure_getenv",
    "setenv",
    "unsetenv",
    "putenv",
    "GetEnvironmentVariable",
    "cuGetProcAddress",
    "cudaGetDriverEntryPoint",
    "cuModuleGetFunction",
    "Device",
];

/// What the string at token `at` holds, before it was changed.
pub(crate) fn holds(file: &Scanned, at: usize) -> Holds {
    if let Some(call) = enclosing_call(file, at) {
        let name = String::from_utf8_lossy(file.bytes(call));
        if LOOKUPS.contains(&name.as_ref()) {
            return Holds::Lookup;
        }
    }
    let signs: [&[u8]; 6] = [
        b"__global__",
        b"__device__",
        b"#include",
        b"extern \\\"C\\\"",
        b"extern \"C\"",
        b"#define",
    ];
    let group = neighbours(file, at);
    let is_code = |index: usize| {
        let bytes = file.bytes(index);
        let has = |sign: &&[u8]| bytes.windows(sign.len()).any(|window| window == *sign);
        signs.iter().any(has)
    };
    if group.into_iter().any(is_code) {
        return Holds::Code;
    }
    let body = content(file.bytes(at));
    let part_of_name = |byte: &u8| {
        byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b':' | b'.' | b'/' | b'-' | b'+')
    };
    if !body.is_empty() && body.iter().all(part_of_name) {
        Holds::Name
    } else {
        Holds::Text
    }
}

/// Whether two strings differ in more than identifiers, taken as source code.
pub(crate) fn differ_beyond_names(before: &[u8], after: &[u8]) -> bool {
    let before = Scanned::new(content(before).replace_escapes());
    let after = Scanned::new(content(after).replace_escapes());
    align(&before, &after).iter().any(|change| {
        let kind = before.kind(change.before.start);
        !change.is_single() || !matches!(kind, Some(Kind::Identifier | Kind::Header))
    })
}

/// Unescaping as far as a scan needs it.
trait ReplaceEscapes {
    fn replace_escapes(self) -> Vec<u8>;
}

impl ReplaceEscapes for &[u8] {
    fn replace_escapes(self) -> Vec<u8> {
        let mut plain = Vec::with_capacity(self.len());
        let mut bytes = self.iter();
        while let Some(byte) = bytes.next() {
            match (*byte == b'\\').then(|| bytes.next()).flatten() {
                Some(b'n') => plain.push(b'\n'),
                Some(b't') => plain.push(b'\t'),
                Some(escaped) => plain.push(*escaped),
                None => plain.push(*byte),
            }
        }
        plain
    }
}

/// A string literal without prefix and quotes.
fn content(literal: &[u8]) -> &[u8] {
    let open = literal.iter().position(|byte| *byte == b'"');
    let inner = open.map_or(literal, |open| &literal[open + 1..]);
    inner.strip_suffix(b"\"").unwrap_or(inner)
}

/// The string literals that the compiler joins with the one at `at`, itself included.
fn neighbours(file: &Scanned, at: usize) -> Vec<usize> {
    let is_string = |index: &usize| file.kind(*index) == Some(Kind::String);
    let mut group = vec![at];
    let mut before = file.previous(at).filter(is_string);
    while let Some(index) = before {
        group.push(index);
        before = file.previous(index).filter(is_string);
    }
    let mut after = file.next(at).filter(is_string);
    while let Some(index) = after {
        group.push(index);
        after = file.next(index).filter(is_string);
    }
    group
}

/// The name of the call whose argument the token is.
pub(crate) fn enclosing_call(file: &Scanned, at: usize) -> Option<usize> {
    let mut depth = 0_usize;
    let mut at = file.previous(at)?;
    loop {
        match file.bytes(at) {
            b";" | b"{" | b"}" => return None,
            b")" => depth += 1,
            b"(" if depth == 0 => {
                let name = file.previous(at)?;
                return (file.kind(name) == Some(Kind::Identifier)).then_some(name);
            }
            b"(" => depth -= 1,
            _ => {}
        }
        at = file.previous(at)?;
    }
}

/// Every `asm` statement, from its keyword to its closing parenthesis.
pub(crate) fn assembly(file: &Scanned) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < file.tokens.len() {
        if file.kind(at) == Some(Kind::Identifier)
            && matches!(file.bytes(at), b"asm" | b"__asm__" | b"__asm")
            && let Some(end) = statement_end(file, at)
        {
            found.push(at..end + 1);
            at = end;
        }
        at += 1;
    }
    found
}

fn statement_end(file: &Scanned, start: usize) -> Option<usize> {
    let mut at = file.next(start)?;
    while file.kind(at) == Some(Kind::Identifier) {
        at = file.next(at)?;
    }
    if file.bytes(at) != b"(" {
        return None;
    }
    let mut depth = 0_usize;
    loop {
        match file.bytes(at) {
            b"(" => depth += 1,
            b")" => {
                depth -= 1;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
        at = file.next(at)?;
    }
}
