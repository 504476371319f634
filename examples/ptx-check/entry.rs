//! The function of a case.

use crate::port::blank::{blank, words};

/// The name of the function that a source defines for the check: one from two pointers to nothing. Where several are
/// there, it is the one that is called as the case is, or the last one, which can call the others.
pub(crate) fn name(source: &str, case: &str) -> Option<String> {
    let text = blank(source);
    let found: Vec<&str> = words(&text)
        .zip(words(&text).skip(1))
        .filter(|((_, first), (at, name))| {
            *first == "void" && takes_pointers(&text[at + name.len()..])
        })
        .map(|(_, (_, name))| name)
        .collect();
    let named = found.iter().find(|name| **name == case);
    named.or(found.last()).map(|name| (*name).to_owned())
}

/// Whether text starts with the parameters `(const void *, void *)`, whatever they are called, and a body follows.
fn takes_pointers(text: &str) -> bool {
    let Some(rest) = text.trim_start().strip_prefix('(') else {
        return false;
    };
    let Some((parameters, rest)) = rest.split_once(')') else {
        return false;
    };
    let Some((first, second)) = parameters.split_once(',') else {
        return false;
    };
    let is_pointer = |text: &str| {
        let is_plain = words(text).any(|(_, word)| word == "void");
        is_plain && text.matches('*').count() == 1
    };
    is_pointer(first) && is_pointer(second) && rest.trim_start().starts_with('{')
}
