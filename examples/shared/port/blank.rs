//! C++ text without its comments and literals.

/// The text with a space for each byte of a comment, of a string and of a character; lines stay lines. Where the text
/// ends inside of one, all of the rest is blank.
pub(crate) fn blank(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = bytes.to_vec();
    let mut at = 0;
    while at < bytes.len() {
        let end = hidden(bytes, at);
        for byte in &mut out[at..end] {
            if *byte != b'\n' {
                *byte = b' ';
            }
        }
        at = end.max(at + 1);
    }
    // Only whole characters are replaced, because a comment or literal starts and ends with an ASCII one.
    String::from_utf8(out).unwrap_or_default()
}

/// Where the comment or literal ends that starts at a place; the place itself where none does.
fn hidden(bytes: &[u8], at: usize) -> usize {
    let rest = &bytes[at..];
    let until = |from: usize, mark: &[u8]| {
        let found = rest[from..]
            .windows(mark.len())
            .position(|part| part == mark);
        found.map_or(bytes.len(), |found| at + from + found + mark.len())
    };
    if rest.starts_with(b"//") {
        return until(2, b"\n");
    }
    if rest.starts_with(b"/*") {
        return until(2, b"*/");
    }
    if rest.starts_with(b"R\"") {
        let delimiter = rest[2..].iter().position(|byte| *byte == b'(');
        return delimiter.map_or(at, |length| {
            let mark = [b")", &rest[2..2 + length], b"\""].concat();
            until(3 + length, &mark)
        });
    }
    // Between digits an apostrophe separates them.
    let in_number = at > 0 && bytes[at - 1].is_ascii_hexdigit();
    match rest[0] {
        b'"' => quoted(bytes, at, b'"'),
        b'\'' if !in_number => quoted(bytes, at, b'\''),
        _ => at,
    }
}

/// Where a literal ends that starts with a quote.
fn quoted(bytes: &[u8], start: usize, quote: u8) -> usize {
    let mut at = start + 1;
    while at < bytes.len() && bytes[at] != quote && bytes[at] != b'\n' {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    (at + 1).min(bytes.len())
}

/// The words of blank text, each with its place.
pub(crate) fn words(blank: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_word = |one: char| one.is_ascii_alphanumeric() || one == '_';
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + blank[at..].find(is_word)?;
        let length = blank[start..].find(|one| !is_word(one));
        let end = length.map_or(blank.len(), |length| start + length);
        at = end;
        Some((start, &blank[start..end]))
    })
}
