//! Options of compilers that define macros: `-DNAME=1`.

use super::{identifier_at, is_identifier_part};
use torchada_text::TextRange;

/// The option.
const DEFINES: &str = "-D";

/// The names that options in a text define.
pub fn defined_names(text: &[u8]) -> impl Iterator<Item = TextRange> {
    memchr::memmem::find_iter(text, DEFINES).filter_map(|start| {
        let before = start.checked_sub(1).and_then(|at| text.get(at));
        if before.is_some_and(|&byte| is_identifier_part(byte) || byte == b'-') {
            return None;
        }
        Some(identifier_at(text, start + DEFINES.len()))
    })
}

/// The names that options in a text may define, whatever stands before them, those of MSVC's included: `/DNAME`.
pub fn perhaps_defined_names(text: &str) -> impl Iterator<Item = &str> {
    text.match_indices(['-', '/']).filter_map(|(at, mark)| {
        let name = text.get(at + mark.len()..)?.strip_prefix('D')?;
        let is_part = |one: char| one.is_ascii_alphanumeric() || one == '_';
        name.split(|one| !is_part(one)).next()
    })
}

/// The name that an argument defines which may do without the option: `-DNAME=1`, `NAME=1`.
pub fn defined_name(argument: &str) -> &str {
    let name = argument.trim_start_matches(DEFINES);
    name.split('=').next().unwrap_or_default()
}

/// Whether a text has a word as a whole: `-DNAME` has `NAME`.
pub fn has_word(text: &[u8], word: &[u8]) -> bool {
    memchr::memmem::find_iter(text, word).any(|at| {
        let front = text.get(..at).unwrap_or_default();
        let is_part = |byte: Option<&u8>| byte.is_some_and(|&byte| is_identifier_part(byte));
        let is_behind_option = front.ends_with(DEFINES.as_bytes());
        (is_behind_option || !is_part(front.last())) && !is_part(text.get(at + word.len()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_define_names_and_other_words_do_not() {
        let text = b"-DONE=1 \"-DTWO\" -Xcompiler=-DTHREE --DFOUR x86-DEBUG";
        let names: Vec<&[u8]> = defined_names(text).map(|name| name.of(text)).collect();
        assert_eq!(names, [&b"ONE"[..], b"TWO", b"THREE"]);
        assert!(has_word(text, b"ONE") && !has_word(text, b"EBUG1"));
    }
}
