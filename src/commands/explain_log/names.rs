//! Names in messages, and the words of what a port replaced.

use crate::edit::Replaced;
use crate::syntax::is_identifier_part;

/// The words of a text.
pub(super) fn words(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let words = text.split(|byte| !is_identifier_part(*byte));
    words.filter(|word| !word.is_empty())
}

/// What the original has for a word that a replacement wrote.
pub(super) fn before(replaced: &Replaced, word: &str) -> String {
    let (old, new): (Vec<&[u8]>, Vec<&[u8]>) = (
        words(&replaced.old).collect(),
        words(&replaced.new).collect(),
    );
    let at = new.iter().position(|one| *one == word.as_bytes());
    let same = old.len() == new.len();
    let old = match at.filter(|_| same).and_then(|at| old.get(at)) {
        Some(old) => String::from_utf8_lossy(old),
        None => String::from_utf8_lossy(&replaced.old),
    };
    shown(&old)
}

/// The first line of what an edit wrote or replaced, without quotes.
pub(super) fn shown(text: &str) -> String {
    let is_mark = |letter: char| matches!(letter, '<' | '>' | '"' | '\'') || letter.is_whitespace();
    let line = text
        .trim_matches(is_mark)
        .lines()
        .next()
        .unwrap_or_default();
    line.chars().take(80).collect()
}

/// The name that a message is about, without result, arguments and those of a template.
pub(super) fn plain(name: &str) -> String {
    let name = name.trim();
    if let Some(own) = mangled(name) {
        return own;
    }
    let front = name.split(['(', '<']).next().unwrap_or(name).trim_end();
    let front = front.rsplit([' ', '*', '&']).next().unwrap_or(front);
    if front.is_empty() { name } else { front }.to_owned()
}

/// The last part of a qualified name.
pub(super) fn last(name: &str) -> &str {
    name.rsplit("::").next().unwrap_or(name)
}

/// The name in a symbol of C++, with its namespaces; `None` for other symbols.
fn mangled(symbol: &str) -> Option<String> {
    let mut rest = symbol.strip_prefix("_Z")?;
    rest = rest.trim_start_matches(['N', 'K', 'L', 'S', 't']);
    let mut parts: Vec<&str> = Vec::new();
    loop {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let Some(length) = rest.get(..digits).and_then(|one| one.parse::<usize>().ok()) else {
            break;
        };
        let Some(part) = rest.get(digits..digits + length) else {
            break;
        };
        parts.push(part);
        rest = rest.get(digits + length..)?;
        // Arguments of a template, and an own end, end the name.
        if !rest.starts_with(|letter: char| letter.is_ascii_digit())
            || symbol.starts_with("_Z") && !symbol.starts_with("_ZN")
        {
            break;
        }
    }
    (!parts.is_empty()).then(|| parts.join("::"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_told_from_what_stands_around_it() {
        for (name, expected) in [
            ("musaMalloc", "musaMalloc"),
            ("foo(int, float)", "foo"),
            ("musaError_t musaMalloc(void**, size_t)", "musaMalloc"),
            ("at::musa::getStream<int>(x)", "at::musa::getStream"),
            ("_Z10musaMallocPPvm", "musaMalloc"),
            ("_ZN2at4musa9getStreamEv", "at::musa::getStream"),
            ("_Zx", "_Zx"),
        ] {
            assert_eq!(plain(name), expected);
        }
    }
}
