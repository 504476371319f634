//! A patch against a port to which git or an editor gave other line ends than the tree has.

use diffy::{ApplyError, Patch};

/// Apply the change of a file. Where it fits but for the kind of its line ends, the result has those of `old`.
///
/// # Errors
/// Where it does not fit.
pub(super) fn applied(old: &[u8], change: &Patch<'_, [u8]>) -> Result<Vec<u8>, ApplyError> {
    diffy::apply_bytes(old, change).or_else(|fault| {
        let other = with_other_ends(old);
        let new = other.and_then(|other| diffy::apply_bytes(&other, change).ok());
        new.and_then(|new| with_other_ends(&new)).ok_or(fault)
    })
}

/// A text with CR LF for each LF, or the reverse; `None` where it mixes them.
fn with_other_ends(text: &[u8]) -> Option<Vec<u8>> {
    let all = memchr::memchr_iter(b'\n', text).count();
    let with_return = memchr::memmem::find_iter(text, b"\r\n").count();
    let (from, to): (&[u8], &[u8]) = match with_return {
        0 => (b"\n", b"\r\n"),
        count if count == all => (b"\r\n", b"\n"),
        _ => return None,
    };
    let mut other = Vec::with_capacity(text.len() + all);
    let mut start = 0;
    for at in memchr::memmem::find_iter(text, from) {
        other.extend_from_slice(text.get(start..at)?);
        other.extend_from_slice(to);
        start = at + from.len();
    }
    other.extend_from_slice(text.get(start..)?);
    Some(other)
}
