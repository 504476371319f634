//! Dotted names, such as Python's.

/// The last part of a dotted name: `c` of `a.b.c`, and the whole name where it has no dot.
pub fn last_part(name: &str) -> &str {
    name.rsplit_once('.').map_or(name, |(_, last)| last)
}

/// The first part of a dotted name: `a` of `a.b.c`, and the whole name where it has no dot.
pub fn first_part(name: &str) -> &str {
    name.split_once('.').map_or(name, |(first, _)| first)
}

/// Whether a dotted name is that of something, or of something inside it: `a.b` and `a.b.c` are within `a.b`.
pub fn is_within(name: &str, outer: &str) -> bool {
    let rest = name.strip_prefix(outer);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}
