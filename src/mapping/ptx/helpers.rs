//! The functions of the header that a port writes, `torchada/ptx.muh`.

use serde::{Deserialize, Serialize};

/// A function of `torchada/ptx.muh`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PtxHelper {
    /// What it does, with the form of PTX that it stands for.
    pub doc: String,
    /// Its definition, inside the namespace.
    pub code: String,
    /// Where its meaning comes from.
    pub source: String,
}

/// The namespace of the header's functions.
pub const NAMESPACE: &str = "torchada::ptx::";

/// The names of the header's functions that code calls.
pub fn helpers_in(code: &str) -> impl Iterator<Item = &str> {
    code.split(NAMESPACE).skip(1).map(|rest| {
        let end = rest.find(|c: char| !is_of_word(c));
        rest.get(..end.unwrap_or(rest.len())).unwrap_or_default()
    })
}

/// The names in code that are called, or instances of templates: those with a bracket right behind them.
pub(super) fn called(code: &str) -> impl Iterator<Item = &str> {
    let without_comments = code
        .lines()
        .map(|line| line.split_once("//").map_or(line, |(code, _)| code));
    without_comments
        .flat_map(|line| line.split_inclusive(['(', '<']))
        .filter_map(|part| {
            let front = part.strip_suffix(['(', '<'])?;
            let start = front
                .rfind(|c: char| !is_of_word(c))
                .map_or(0, |before| before + 1);
            front.get(start..).filter(|name| !name.is_empty())
        })
}

fn is_of_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}
