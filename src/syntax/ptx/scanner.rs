//! The words of a PTX template.

use super::Unreadable;

/// A word of PTX.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Word<'a> {
    /// A name, an instruction's name or a directive's, with the dots inside.
    Name(&'a str),
    /// `%0`
    Placeholder(usize),
    /// `%[name]`
    Named(&'a str),
    /// `%%name` or `%name`, without the `%`.
    Register(&'a str),
    /// A number as written.
    Number(&'a str),
    /// Any other character.
    Mark(char),
}

/// The words of a text with their byte offsets. Comments and white space are no words.
pub(super) fn scan(text: &str) -> Result<Vec<(usize, Word<'_>)>, Unreadable> {
    let bytes = text.as_bytes();
    let at = |index: usize| bytes.get(index).copied().unwrap_or(0);
    let slice = |from: usize, to: usize| text.get(from..to).unwrap_or_default();
    let mut found = Vec::new();
    let mut index = 0;
    while index < bytes.len() {
        if let Some(end) = end_of_gap(text, index)? {
            index = end;
            continue;
        }
        let start = index;
        let byte = at(index);
        let word = match byte {
            b'%' => {
                let (word, end) = behind_percent(text, index)?;
                index = end;
                word
            }
            _ if byte.is_ascii_digit() || byte == b'.' && at(index + 1).is_ascii_digit() => {
                index = end_of(bytes, index, |byte| {
                    byte.is_ascii_alphanumeric() || byte == b'.'
                });
                if matches!(at(index), b'+' | b'-') && ends_with_exponent(slice(start, index)) {
                    index = end_of(bytes, index + 1, |byte| byte.is_ascii_digit());
                }
                Word::Number(slice(start, index))
            }
            _ if is_name_part(byte) || byte == b'.' => {
                index = end_of_name(bytes, index);
                Word::Name(slice(start, index))
            }
            _ if byte.is_ascii() => {
                index += 1;
                Word::Mark(char::from(byte))
            }
            _ => {
                return Err(unreadable(start, "a character that PTX does not have"));
            }
        };
        found.push((start, word));
    }
    Ok(found)
}

/// Where the white space or the comment ends that begins at a place.
fn end_of_gap(text: &str, start: usize) -> Result<Option<usize>, Unreadable> {
    let rest = text.get(start..).unwrap_or_default();
    if rest.starts_with(|one: char| one.is_ascii_whitespace()) {
        return Ok(Some(start + 1));
    }
    if rest.starts_with("//") {
        return Ok(Some(start + rest.find('\n').unwrap_or(rest.len())));
    }
    let Some(comment) = rest.strip_prefix("/*") else {
        return Ok(None);
    };
    match comment.find("*/") {
        Some(length) => Ok(Some(start + length + 4)),
        None => Err(unreadable(start, "a comment has no end")),
    }
}

/// The word that begins with the `%` at a place, and its end.
fn behind_percent(text: &str, start: usize) -> Result<(Word<'_>, usize), Unreadable> {
    let bytes = text.as_bytes();
    let at = |index: usize| bytes.get(index).copied().unwrap_or(0);
    let slice = |from: usize, to: usize| text.get(from..to).unwrap_or_default();
    let first = at(start + 1);
    if first == b'[' {
        let end = end_of(bytes, start + 2, is_name_part);
        let name = slice(start + 2, end);
        if at(end) != b']' || name.is_empty() {
            return Err(unreadable(start, "an operand's name has no `]`"));
        }
        return Ok((Word::Named(name), end + 1));
    }
    if first.is_ascii_digit() {
        let end = end_of(bytes, start + 1, |byte| byte.is_ascii_digit());
        return match slice(start + 1, end).parse() {
            Ok(number) => Ok((Word::Placeholder(number), end)),
            Err(_) => Err(unreadable(start, "an operand's number is too large")),
        };
    }
    let from = start + 1 + usize::from(first == b'%');
    let end = end_of(bytes, from, |byte| is_name_part(byte) || byte == b'.');
    // Without a name it is the operator of a constant expression.
    let word = if end == from {
        Word::Mark('%')
    } else {
        Word::Register(slice(from, end))
    };
    Ok((word, end))
}

/// The end of the name that begins at `start`.
fn end_of_name(bytes: &[u8], start: usize) -> usize {
    let at = |index: usize| bytes.get(index).copied().unwrap_or(0);
    let part = |from| end_of(bytes, from, |byte| is_name_part(byte) || byte == b'.');
    let mut index = part(start);
    // `DONE_%=`: a number of the statement's own makes the name of a label.
    while at(index) == b'%' && at(index + 1) == b'=' {
        index = part(index + 2);
    }
    // `.L2::cache_hint`, `.L1::no_allocate`
    while at(index) == b':' && at(index + 1) == b':' && is_name_part(at(index + 2)) {
        index = part(index + 2);
    }
    index
}

fn unreadable(offset: usize, reason: &str) -> Unreadable {
    Unreadable {
        offset,
        reason: reason.to_owned(),
        opcode: None,
    }
}

fn is_name_part(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$')
}

fn end_of(bytes: &[u8], from: usize, is_part: impl Fn(u8) -> bool) -> usize {
    let rest = bytes.get(from..).unwrap_or_default();
    from + rest.iter().take_while(|byte| is_part(**byte)).count()
}

/// Whether a number ends with the `e` of an exponent, and is no hexadecimal one.
fn ends_with_exponent(text: &str) -> bool {
    let digits = text.strip_suffix(['e', 'E']);
    digits.is_some_and(|digits| {
        digits
            .bytes()
            .all(|byte| byte.is_ascii_digit() || byte == b'.')
    })
}
