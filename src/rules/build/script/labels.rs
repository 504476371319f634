//! Lines for people among what a script writes into files.

use torchada_text::TextRange;

/// The text of a word between the quotes around it.
pub(super) fn without_quotes(text: &[u8], word: TextRange) -> TextRange {
    let bytes = word.of(text);
    let quote = bytes
        .first()
        .filter(|byte| matches!(byte, b'"' | b'\'') && bytes.last() == Some(byte));
    let quotes = usize::from(quote.is_some() && bytes.len() > 1);
    TextRange::new(word.start + quotes, word.end - quotes)
}

/// Whether words for people and a colon stand at the front of a text: `nvcc version: $(NVCC_VERSION)`.
pub(super) fn is_labelled(text: &[u8]) -> bool {
    let label = memchr::memchr(b':', text).map(|at| text.split_at(at));
    label.is_some_and(|(label, behind)| {
        let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || b" _-.".contains(byte);
        label.iter().all(is_word) && behind.get(1).is_none_or(u8::is_ascii_whitespace)
    })
}
