//! Words in code that tell what it is about: the parts of its identifiers and of its texts.

use torchada_text::contains;

/// The names in a text, in lower case and with an underscore between their parts, around each of them, and on both sides:
/// `TrtLlmExperts` is `_trt_llm_experts_`.
pub(super) fn parts_of_names(text: &[u8]) -> Vec<u8> {
    let mut parts = vec![b'_'];
    let mut before = b' ';
    for (at, &byte) in text.iter().enumerate() {
        let is_word = byte.is_ascii_alphanumeric();
        let next_is_lower = text.get(at + 1).is_some_and(u8::is_ascii_lowercase);
        let begins = byte.is_ascii_uppercase()
            && (before.is_ascii_lowercase()
                || before.is_ascii_digit() && next_is_lower
                || before.is_ascii_uppercase() && next_is_lower);
        if (begins || !is_word) && parts.last() != Some(&b'_') {
            parts.push(b'_');
        }
        // What is no part of a name ends it.
        if !is_word && byte != b'_' && byte != b'-' && parts.last() == Some(&b'_') {
            parts.pop();
            parts.extend(b"_ _");
        }
        if is_word {
            parts.push(byte.to_ascii_lowercase());
        }
        before = byte;
    }
    parts.push(b'_');
    parts
}

/// The words, of some, that are parts of names.
pub(super) fn words_in<'w>(parts: &[u8], words: &'w [String]) -> impl Iterator<Item = &'w str> {
    let is_in = |word: &&String| contains(parts, format!("_{word}_"));
    words.iter().filter(is_in).map(String::as_str)
}

/// The first of some words that is a part of a name.
pub(super) fn first_word<'w>(parts: &[u8], words: &'w [String]) -> Option<&'w str> {
    words_in(parts, words).next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_taken_apart_however_they_are_written() {
        let shown = |text: &str| String::from_utf8(parts_of_names(text.as_bytes())).unwrap();
        assert_eq!(shown("TrtLlmBf16Experts"), "_trt_llm_bf16_experts_");
        assert_eq!(shown("softmax(deep-gemm)"), "_softmax_ _deep_gemm_ __");
    }
}
