//! What stands around an identifier: qualifiers, accesses, pastes.

use crate::align::Scanned;
use crate::scan::Kind;

/// Whether an identifier says what a directive does, and is no name.
pub(crate) fn is_of_directive(file: &Scanned, at: usize) -> bool {
    let sign = file.previous(at).filter(|_| file.tokens[at].directive);
    let Some(sign) = sign.filter(|sign| file.bytes(*sign) == b"#") else {
        return false;
    };
    // In a definition a `#` makes a string; the one of a directive is the first token of its line.
    let before = (0..sign).rev().map(|at| (file.kind(at), file.bytes(at)));
    let mut before =
        before.take_while(|(kind, _)| matches!(kind, Some(Kind::Space | Kind::Comment)));
    let ends_line = |text: &[u8]| {
        let mut lines = text.split(|byte| *byte == b'\n');
        lines.next_back();
        lines.any(|line| line.trim_ascii_end().last() != Some(&b'\\'))
    };
    let first = file.previous(sign).is_none();
    first || before.any(|(kind, text)| kind == Some(Kind::Space) && ends_line(text))
}

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

/// Whether the token names a method where it is called: it follows `.` or `->`, and a parenthesis follows.
pub(crate) fn is_called_member(file: &Scanned, at: usize) -> bool {
    let called = file.next(at).is_some_and(|next| file.bytes(next) == b"(");
    called && is_member(file, at)
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
