//! Comments that start with `#` and end with their line, as in build files and scripts.

use torchada_text::TextRange;

/// The comments of a text. A `#` inside quotes or a word starts none.
pub fn hash_comments(text: &[u8]) -> Vec<TextRange> {
    let mut found = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive(|&byte| byte == b'\n') {
        if let Some(at) = comment_start(line) {
            let end = line.trim_ascii_end().len().max(at);
            found.push(TextRange::new(start + at, start + end));
        }
        start += line.len();
    }
    found
}

fn comment_start(line: &[u8]) -> Option<usize> {
    let mut quote = None;
    let mut before = b' ';
    for (at, &byte) in line.iter().enumerate() {
        match byte {
            b'#' if quote.is_none() && before.is_ascii_whitespace() => return Some(at),
            b'"' | b'\'' if quote == Some(byte) => quote = None,
            b'"' | b'\'' if quote.is_none() && before != b'\\' => quote = Some(byte),
            _ => {}
        }
        before = byte;
    }
    // An apostrophe without another one opens nothing.
    quote.and_then(|_| {
        let pairs = line.windows(2).enumerate();
        let mut ends = pairs.filter(|(_, two)| two[0].is_ascii_whitespace() && two[1] == b'#');
        ends.next_back().map(|(at, _)| at + 1)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_in_quotes_or_in_a_word_is_no_comment() {
        let comments = |text: &str| -> Vec<String> {
            let found = hash_comments(text.as_bytes());
            let shown = found.iter().map(|one| one.of(text.as_bytes()));
            shown
                .map(|one| String::from_utf8_lossy(one).into_owned())
                .collect()
        };
        assert_eq!(comments("a # b\n# c\n"), ["# b", "# c"]);
        assert!(comments("echo \"# no\" a#b ${#x}\n").is_empty());
        assert_eq!(comments("don't # yes\n"), ["# yes"]);
    }
}
