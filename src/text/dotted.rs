//! Dotted names, such as Python's.

/// The last part of a dotted name: `c` of `a.b.c`, and the whole name where it has no dot.
pub fn last_part(name: &str) -> &str {
    name.rsplit_once('.').map_or(name, |(_, last)| last)
}
