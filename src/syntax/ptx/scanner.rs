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
    let mut found = Vec::new();
    let mut index = 0;
    while index < bytes.len() {
        let start = index;
        let byte = at(index);
        let slice = |from: usize, to: usize| text.get(from..to).unwrap_or_default();
        let word = match byte {
            _ if byte.is_ascii_whitespace() => {
                index += 1;
                continue;
            }
            b'/' if at(index + 1) == b'/' => {
                index = text
                    .get(index..)
                    .and_then(|rest| rest.find('\n'))
                    .map_or(bytes.len(), |length| index + length);
                continue;
            }
            b'/' if at(index + 1) == b'*' => {
                let length = text.get(index + 2..).and_then(|rest| rest.find("*/"));
                let Some(length) = length else {
                    return Err(unreadable(start, "a comment has no end"));
                };
                index += length + 4;
                continue;
            }
            b'%' if at(index + 1) == b'[' => {
                let end = end_of(bytes, index + 2, is_name_part);
                let name = slice(index + 2, end);
                if at(end) != b']' || name.is_empty() {
                    return Err(unreadable(start, "an operand's name has no `]`"));
                }
                index = end + 1;
                Word::Named(name)
            }
            b'%' => {
                let from = if at(index + 1) == b'%' {
                    index + 2
                } else {
                    index + 1
                };
                if from == index + 1 && at(from).is_ascii_digit() {
                    index = end_of(bytes, from, |byte| byte.is_ascii_digit());
                    let Ok(number) = slice(from, index).parse() else {
                        return Err(unreadable(start, "an operand's number is too large"));
                    };
                    Word::Placeholder(number)
                } else {
                    index = end_of(bytes, from, |byte| is_name_part(byte) || byte == b'.');
                    // The operator of a constant expression.
                    if index == from {
                        found.push((start, Word::Mark('%')));
                        continue;
                    }
                    Word::Register(slice(from, index))
                }
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
