//! Endings without their dot in variables of makefiles: `EXT = cu`, where `%.$(EXT)` names sources.

use rustc_hash::FxHashMap;

use crate::facts::{Mention, Reach};
use torchada_mapping::has;
use torchada_syntax::identifier_at;
use torchada_text::TextRange;

/// The value of a variable that stands behind a dot somewhere in its file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BareEnding {
    /// The value.
    pub range: TextRange,
    /// 1-based line.
    pub line: usize,
    /// Whether the variable stands behind a dot wherever it is read.
    pub always: bool,
}

/// The values of a makefile's variables that stand behind a dot, of those that are one of `words`.
pub fn bare_endings(text: &[u8], words: &[&str]) -> Vec<BareEnding> {
    let mut found = Vec::new();
    let reads = reads(text);
    let mut start = 0;
    for (number, line) in text.split(|&byte| byte == b'\n').enumerate() {
        let from = start;
        start += line.len() + 1;
        let (name, rest) = line.split_at(identifier_at(line, 0).end);
        let Some(sign) = memchr::memchr(b'=', rest).filter(|_| !name.is_empty()) else {
            continue;
        };
        let before = rest.get(..sign).unwrap_or_default().trim_ascii();
        let behind = rest.get(sign + 1..).unwrap_or_default();
        let value = behind.trim_ascii();
        let is_ending = has(words, value);
        if !is_ending || !matches!(before, b"" | b":" | b"::" | b"?") {
            continue;
        }
        let blank = behind.len() - behind.trim_ascii_start().len();
        let at = from + name.len() + sign + 1 + blank;
        let Some(reads) = reads.get(name) else {
            continue;
        };
        if reads.behind_dot {
            found.push(BareEnding {
                range: TextRange::new(at, at + value.len()),
                line: number + 1,
                always: !reads.elsewhere,
            });
        }
    }
    found
}

/// The endings without their dot that a makefile's variables hold, and that stand behind a dot wherever they are read.
pub(super) fn mentions(text: &[u8], endings: &[&str]) -> Vec<Mention> {
    let bare: Vec<&str> = endings
        .iter()
        .filter_map(|ending| ending.strip_prefix('.'))
        .collect();
    let found = bare_endings(text, &bare).into_iter();
    found
        .filter(|one| one.always)
        .map(|one| Mention {
            range: one.range,
            binds: true,
            text: format!("*.{}", String::from_utf8_lossy(one.range.of(text))),
            line: one.line,
            reach: Reach::Open,
        })
        .collect()
}

/// Where a variable is read.
#[derive(Clone, Copy, Default)]
struct Reads {
    /// Behind a dot.
    behind_dot: bool,
    /// Anywhere else.
    elsewhere: bool,
}

/// Where each variable is read: `$(NAME)`, `${NAME}`.
fn reads(text: &[u8]) -> FxHashMap<&[u8], Reads> {
    let mut found: FxHashMap<&[u8], Reads> = FxHashMap::default();
    for at in memchr::memchr_iter(b'$', text) {
        let behind = text.get(at + 1..).unwrap_or_default();
        let close = match behind.first() {
            Some(b'(') => b')',
            Some(b'{') => b'}',
            _ => continue,
        };
        let rest = behind.get(1..).unwrap_or_default();
        let (name, rest) = rest.split_at(identifier_at(rest, 0).end);
        if rest.first() != Some(&close) {
            continue;
        }
        let reads = found.entry(name).or_default();
        let is_behind_dot = text.get(..at).is_some_and(|one| one.ends_with(b"."));
        reads.behind_dot |= is_behind_dot;
        reads.elsewhere |= !is_behind_dot;
    }
    found
}
