//! The words of a line that may be paths, and where its comment begins.

use std::ops::Range;

use torchada_classify::{FileClass, FileKind};
use torchada_syntax::identifier_at;

/// The words of a line that may be paths. What a program fills in between braces belongs to its word, whatever it is.
pub(super) fn words(line: &[u8]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut at = 0;
    while let Some(&byte) = line.get(at) {
        if byte == b'{'
            && let Some(length) = filled_in(line.get(at..).unwrap_or_default())
        {
            at += length;
        } else if is_path_byte(byte) {
            at += 1;
        } else {
            found.push(without_closing(line, start..at));
            at += 1;
            start = at;
        }
    }
    found.push(without_closing(line, start..at));
    found
}

/// A word without the braces at its end that were opened before it: `${wildcard src/*.cu}`.
fn without_closing(line: &[u8], word: Range<usize>) -> Range<usize> {
    let text = line.get(word.clone()).unwrap_or_default();
    let count = |brace: u8| memchr::memchr_iter(brace, text).count();
    let at_end = text.iter().rev().take_while(|&&byte| byte == b'}').count();
    let unopened = count(b'}').saturating_sub(count(b'{'));
    word.start..word.end - unopened.min(at_end)
}

/// The default of a variable in a shell, the text that is cut off its value, and the ending that another takes the place
/// of: `${FILE:-k.cu}`, `${FILE%.cu}`, `${FILES:.cu=.o}`.
pub(super) fn in_references(line: &[u8]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    for at in memchr::memmem::find_iter(line, b"${") {
        let start = at + b"${".len();
        let rest = line.get(start..).unwrap_or_default();
        let name = identifier_at(rest, 0).end;
        let behind = rest.get(name..).unwrap_or_default();
        let signs: [&[u8]; 6] = [b":-", b":=", b"-", b"=", b"%%", b"%"];
        let sign = signs.iter().find(|sign| behind.starts_with(sign));
        // Make's `${SOURCES:.cu=.o}`, which stands in parentheses more often.
        let in_make: &[u8] = b":";
        let (sign, end) = match sign {
            Some(sign) => (sign, b'}'),
            None if behind.starts_with(b":.") => (&in_make, b'='),
            None => continue,
        };
        let word = behind.get(sign.len()..).unwrap_or_default();
        let Some(len) = memchr::memchr(end, word).filter(|_| name > 0) else {
            continue;
        };
        let is_path = word
            .iter()
            .take(len)
            .all(|&byte| is_path_byte(byte) && byte != b'$');
        if is_path {
            let from = start + name + sign.len();
            found.push(from..from + len);
        }
    }
    found
}

/// The length of the placeholder that a text starts with: `{short(name)}`. Placeholders with quotes or blanks don't
/// count, because they may contain names.
fn filled_in(text: &[u8]) -> Option<usize> {
    let end = text.iter().position(|&byte| byte == b'}')?;
    let inside = text.get(1..end)?;
    let is_one = inside
        .iter()
        .all(|byte| !b"{\"'".contains(byte) && !byte.is_ascii_whitespace());
    is_one.then_some(end + 1)
}

/// A line without the comment at its end.
pub(super) fn without_comment(line: &[u8], class: FileClass, has_slashes: bool) -> &[u8] {
    if has_slashes {
        // `//go:generate` is no comment, and neither is what stands behind `https:`.
        let mut places = memchr::memmem::find_iter(line, b"// ");
        let comment = places.find(|&at| {
            let before = at.checked_sub(1).and_then(|before| line.get(before));
            before.is_none_or(u8::is_ascii_whitespace)
        });
        return comment.and_then(|at| line.get(..at)).unwrap_or(line);
    }
    let comments = matches!(class.kind, FileKind::Python | FileKind::Build);
    if !comments {
        return line;
    }
    let hash = line.iter().enumerate().position(|(at, &byte)| {
        byte == b'#'
            && at
                .checked_sub(1)
                .is_none_or(|before| line.get(before).is_some_and(u8::is_ascii_whitespace))
    });
    hash.and_then(|at| line.get(..at)).unwrap_or(line)
}

/// Whether a byte may stand in the path of a file, or in a pattern for paths.
pub(super) fn is_path_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(
            byte,
            b'_' | b'.' | b'/' | b'-' | b'+' | b'*' | b'?' | b'{' | b'}' | b'$' | b'%' | b'@'
        )
        || byte >= 0x80
}
