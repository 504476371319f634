//! What stands around an identifier: qualifiers, accesses, pastes.

use crate::align::Scanned;
use crate::scan::Kind;

/// Whether `##` stands before the token.
pub(crate) fn is_pasted_on(file: &Scanned, at: usize) -> bool {
    let before = file
        .previous(at)
        .filter(|before| file.bytes(*before) == b"#");
    before
        .and_then(|before| file.previous(before))
        .is_some_and(|before| file.bytes(before) == b"#")
}

/// Whether the token follows `namespace` or `namespace NAME =`.
pub(crate) fn follows_namespace(file: &Scanned, at: usize) -> bool {
    let word = |at: Option<usize>| at.map_or(&b""[..], |at| file.bytes(at));
    let before = file.previous(at);
    if word(before) != b"=" {
        return word(before) == b"namespace";
    }
    let named = before.and_then(|before| file.previous(before));
    word(named.and_then(|named| file.previous(named))) == b"namespace"
}

/// Whether the token follows `.` or `->`.
pub(crate) fn is_member(file: &Scanned, at: usize) -> bool {
    let Some(before) = file.previous(at) else {
        return false;
    };
    match file.bytes(before) {
        b"." => true,
        b">" => before > 0 && file.bytes(before - 1) == b"-",
        _ => false,
    }
}

/// The identifiers of the qualified name that starts at `at`.
pub(crate) fn chain(file: &Scanned, at: usize) -> Vec<usize> {
    let mut chain = vec![at];
    let mut end = at;
    while let Some(next) = qualified_by(file, end) {
        chain.push(next);
        end = next;
    }
    chain
}

/// The identifier that follows the one at `at` and `::`.
fn qualified_by(file: &Scanned, at: usize) -> Option<usize> {
    let colon = file.next(at).filter(|next| file.bytes(*next) == b":")?;
    let name = (file.bytes(colon + 1) == b":").then(|| file.next(colon + 1))??;
    (file.kind(name) == Some(Kind::Identifier)).then_some(name)
}

/// The token that `##` joins to the one at `at`.
pub(crate) fn pasted(file: &Scanned, at: usize) -> Option<usize> {
    let first = file.next(at).filter(|next| file.bytes(*next) == b"#")?;
    let second = file.next(first).filter(|next| file.bytes(*next) == b"#")?;
    file.next(second)
}
