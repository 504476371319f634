//! Arrays in shared memory whose size the launch says.

use crate::port::blank::{blank, words};

/// Where the stand-in has these arrays: all of them start there.
pub(crate) const DYNAMIC: &str = "ptx_check_dynamic_shared";

/// The source with `extern __shared__` arrays declared as ordinary ones, and their names. The stand-in's `__shared__` is
/// `static`, which does not go with `extern`, so the linker gives them their place.
pub(crate) fn declare(source: &str) -> Option<(String, Vec<String>)> {
    const WORD: &str = "__shared__";
    let text = blank(source);
    let mut changed = source.to_owned();
    let mut names = Vec::new();
    for (start, word) in words(&text) {
        let length = text[start..].find(';').unwrap_or(0);
        let statement = &text[start..start + length];
        let Some(at) = statement.find(WORD).filter(|_| word == "extern") else {
            continue;
        };
        let Some((_, name)) = statement
            .find('[')
            .and_then(|open| words(&statement[..open]).last())
        else {
            continue;
        };
        names.push(name.to_owned());
        changed.replace_range(start + at..start + at + WORD.len(), &" ".repeat(WORD.len()));
    }
    names.sort();
    names.dedup();
    (!names.is_empty()).then_some((changed, names))
}
