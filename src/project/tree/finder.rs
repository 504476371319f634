//! Finds some names in all texts of a tree.

use aho_corasick::{AhoCorasick, AhoCorasickKind, BuildError};

/// How many bytes the names have for which the fastest automaton is not too large.
const BYTES: usize = 1 << 14;

/// What finds some names.
///
/// # Errors
/// When the names are too many for any automaton.
pub fn finder<N: AsRef<[u8]>>(names: &[N]) -> Result<AhoCorasick, BuildError> {
    let bytes: usize = names.iter().map(|name| name.as_ref().len()).sum();
    let mut builder = AhoCorasick::builder();
    if bytes <= BYTES {
        // Bytes that are rare among the names are frequent in texts, so looking for them first gains nothing.
        builder.kind(Some(AhoCorasickKind::DFA)).prefilter(false);
    }
    builder.build(names)
}
