//! Makefiles by their words: patterns, references, and the arguments of make's functions.

use torchada_syntax::script::outside_references;

/// A text with a value in place of a variable.
pub(super) fn replaced(text: &str, name: &str, value: &str) -> String {
    text.replace(&format!("$({name})"), value)
        .replace(&format!("${{{name}}}"), value)
}

/// `$(patsubst from,to,word)`.
pub(super) fn patsubst(from: &str, to: &str, word: &str) -> String {
    match stem(from, word) {
        Some(stem) if from.contains('%') => to.replacen('%', stem, 1),
        Some(_) => to.to_owned(),
        None => word.to_owned(),
    }
}

/// What stands for the `%` of a pattern in a word; `None` where the word is no such.
pub(super) fn stem<'w>(pattern: &str, word: &'w str) -> Option<&'w str> {
    match pattern.split_once('%') {
        Some((front, back)) => {
            let rest = word.strip_prefix(front)?;
            rest.strip_suffix(back)
        }
        None => (pattern == word).then_some(""),
    }
}

/// A reference at the front of a text: what stands in it, and what stands behind.
pub(super) fn reference(text: &str) -> Option<(&str, &str)> {
    let mut bytes = text.bytes().enumerate().skip(1);
    let (_, open) = bytes.next()?;
    let close = match open {
        b'(' => b')',
        b'{' => b'}',
        _ if open.is_ascii() => return Some((text.get(1..2)?, text.get(2..)?)),
        _ => return None,
    };
    let mut depth = 1_usize;
    for (at, byte) in bytes {
        if byte == open {
            depth += 1;
        } else if byte == close {
            depth -= 1;
            if depth == 0 {
                return Some((text.get(2..at)?, text.get(at + 1..)?));
            }
        }
    }
    None
}

/// The pieces of a text between blanks that stand in no reference.
pub(super) fn tokens(text: &str) -> Vec<&str> {
    pieces(text, |byte| byte.is_ascii_whitespace())
        .into_iter()
        .filter(|piece| !piece.is_empty() && *piece != "\\")
        .collect()
}

/// The arguments of a function.
pub(super) fn commas(text: &str) -> Vec<&str> {
    pieces(text, |byte| byte == b',')
}

fn pieces(text: &str, is_mark: impl Fn(u8) -> bool) -> Vec<&str> {
    let mut found = Vec::new();
    let mut start = 0;
    for (at, _) in outside_references(text.as_bytes()).filter(|(_, byte)| is_mark(*byte)) {
        found.extend(text.get(start..at));
        start = at + 1;
    }
    found.extend(text.get(start..));
    found
}
