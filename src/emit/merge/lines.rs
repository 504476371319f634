//! Line ends, apart from the lines, and how many lines a merge can do.

use std::collections::HashMap;

/// The most lines of a text that is merged: more than a source of a megabyte has.
const LINES: usize = 60_000;
/// The most that comparing two texts may cost, in lines times lines that differ: about a second.
const COST: usize = 500_000_000;

/// Whether two texts can be compared line by line in a time that nobody minds.
pub(super) fn are_comparable(one: &[u8], other: &[u8]) -> bool {
    let mut counts: HashMap<&[u8], isize> = HashMap::new();
    let mut all = 0;
    for (text, step) in [(one, 1), (other, -1)] {
        let mut lines = 0;
        for line in text.split_inclusive(|&byte| byte == b'\n') {
            *counts.entry(line.trim_ascii_end()).or_default() += step;
            lines += 1;
        }
        if lines > LINES {
            return false;
        }
        all += lines;
    }
    let differ: usize = counts.into_values().map(isize::unsigned_abs).sum();
    all.saturating_mul(differ) <= COST
}

/// The line ends of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ends {
    /// There is none.
    None,
    /// All with LF.
    Lf,
    /// All with CR LF.
    CrLf,
    /// Some with LF, some with CR LF.
    Mixed,
}

impl Ends {
    /// The line ends of a merge; `None` where one text mixes them.
    pub(super) fn merge(base: Self, yours: Self, port: Self) -> Option<Self> {
        if [base, yours, port].contains(&Self::Mixed) {
            return None;
        }
        let known = |one: Self, other: Self| if one == Self::None { other } else { one };
        let base = known(base, yours);
        Some(super::three_ways(
            base,
            known(yours, base),
            known(port, base),
        ))
    }
}

/// The line ends of a text, and how it ends.
pub(super) struct Style {
    /// How its lines end.
    pub(super) ends: Ends,
    /// Whether the last line has an end.
    pub(super) has_last: bool,
}

impl Style {
    pub(super) fn of(text: &[u8]) -> Self {
        let all = memchr::memchr_iter(b'\n', text).count();
        let crlf = memchr::memmem::find_iter(text, b"\r\n").count();
        Self {
            ends: match (all, crlf) {
                (0, _) => Ends::None,
                (_, 0) => Ends::Lf,
                _ if all == crlf => Ends::CrLf,
                _ => Ends::Mixed,
            },
            has_last: text.is_empty() || text.ends_with(b"\n"),
        }
    }
}

/// The text with an end behind its last line, and with LF for all of them where `is_pure` says that
/// it does not mix them.
pub(super) fn plain(text: &[u8], is_pure: bool) -> Vec<u8> {
    let mut plain = Vec::with_capacity(text.len() + 1);
    for line in text.split_inclusive(|&byte| byte == b'\n') {
        match line.strip_suffix(b"\r\n") {
            Some(line) if is_pure => {
                plain.extend_from_slice(line);
                plain.push(b'\n');
            }
            _ => plain.extend_from_slice(line),
        }
    }
    if !plain.is_empty() && !plain.ends_with(b"\n") {
        plain.push(b'\n');
    }
    plain
}

/// The reverse of [`plain`].
pub(super) fn dressed(mut text: Vec<u8>, ends: Option<Ends>, has_last: bool) -> Vec<u8> {
    if !has_last && text.ends_with(b"\n") {
        text.pop();
    }
    if ends != Some(Ends::CrLf) {
        return text;
    }
    let mut dressed = Vec::with_capacity(text.len() + text.len() / 16);
    for line in text.split_inclusive(|&byte| byte == b'\n') {
        match line.strip_suffix(b"\n") {
            Some(line) => {
                dressed.extend_from_slice(line);
                dressed.extend_from_slice(b"\r\n");
            }
            None => dressed.extend_from_slice(line),
        }
    }
    dressed
}

/// The side that changed; the port's where both did.
pub(super) fn three_ways<T: PartialEq + Copy>(base: T, yours: T, port: T) -> T {
    if port == base { yours } else { port }
}
