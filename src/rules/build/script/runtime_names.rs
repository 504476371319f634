//! What names the runtime's library: words, and the variables that hold such.

use std::collections::BTreeSet;

use super::variable_flow::holding;
use torchada_syntax::script::Statement;
use torchada_text::contains;

/// Whether a text names one of some libraries. An option that is called after one chooses between its kinds: `-cudart
/// shared`.
pub(super) fn names(text: &[u8], libraries: &[String]) -> bool {
    let names = |word: &[u8], library: &String| {
        let dashes = word.iter().take_while(|&&byte| byte == b'-').count();
        let is_option = dashes > 0
            && word
                .get(dashes..)
                .is_some_and(|rest| rest.starts_with(library.as_bytes()));
        !is_option && contains(word, library)
    };
    let mut words = text.split(u8::is_ascii_whitespace);
    words.any(|word| libraries.iter().any(|library| names(word, library)))
}

/// The variables whose values name the runtime's library, by themselves or through other variables. `known` are some that
/// do so, of statements elsewhere.
pub(super) fn naming_runtime<'t>(
    all: &[(&'t [u8], &'t Statement)],
    known: impl Iterator<Item = &'t [u8]>,
    runtimes: &[String],
) -> BTreeSet<Vec<u8>> {
    holding(
        all,
        known,
        |text, word| names(word.range.of(text), runtimes),
        |text, word| references(word.range.of(text)),
    )
}

/// The names of the variables that a text refers to, also inside of calls: `$(addprefix -l,$(LIBRARIES))`.
pub(super) fn references(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(|&byte| byte == b'$').skip(1).filter_map(|rest| {
        let inside = rest.strip_prefix(b"(").or_else(|| rest.strip_prefix(b"{"));
        let name = inside.unwrap_or(rest);
        let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.');
        let len = name.iter().take_while(|byte| is_part(byte)).count();
        let (name, behind) = name.split_at(len);
        // `$(subst …)` calls a function, and `${LIBS:-…}` and `$(LIBS:%=-l%)` change what a variable holds.
        let ends = inside.is_none() || matches!(behind.first(), Some(b')' | b'}' | b':'));
        (!name.is_empty() && ends).then_some(name)
    })
}
