//! The comment with the PTX, in the C++ that takes its place.

/// The C++ behind the comment of a translated statement.
pub(crate) fn without_comment(text: &str) -> &str {
    if text.starts_with("//") || text.starts_with("{  //") {
        return text.split_once('\n').map_or(text, |(_, code)| code);
    }
    text.split_once("/* ").map_or(text, |(code, _)| code)
}
