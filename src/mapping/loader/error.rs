//! The fault of a table, with its place.

use std::ops::Range;

/// A fault in a mapping table.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{file}:{line}: {fault}")]
pub struct MappingError {
    /// The file as the caller named it.
    pub file: String,
    /// The 1-based line on which the fault starts.
    pub line: usize,
    /// The fault, and the remedy.
    pub fault: String,
}

/// A table's text, for turning the parser's offsets into lines.
pub(super) struct TableText<'a> {
    file: &'a str,
    /// Offsets at which lines start.
    starts: Vec<usize>,
}

impl<'a> TableText<'a> {
    pub(super) fn new(file: &'a str, text: &str) -> Self {
        let breaks = text.bytes().enumerate().filter(|&(_, byte)| byte == b'\n');
        let starts = std::iter::once(0)
            .chain(breaks.map(|(at, _)| at + 1))
            .collect();
        Self { file, starts }
    }

    /// The 1-based line of a byte offset.
    pub(super) fn line(&self, offset: usize) -> usize {
        self.starts.partition_point(|&start| start <= offset)
    }

    pub(super) fn fault(&self, span: &Range<usize>, fault: impl Into<String>) -> MappingError {
        MappingError {
            file: self.file.to_owned(),
            line: self.line(span.start),
            fault: fault.into(),
        }
    }

    /// The error that the TOML parser raised; `whole` is where the offending value stands, for
    /// errors that carry no place of their own.
    pub(super) fn toml_fault(&self, error: &toml::de::Error, whole: &Range<usize>) -> MappingError {
        let span = error.span().unwrap_or_else(|| whole.clone());
        let message = error.message().replace('\n', "; ");
        self.fault(&span, suggested(message))
    }
}

/// A parser's message with the word that was meant, where it says which ones there are.
fn suggested(message: String) -> String {
    let is_unknown = ["unknown field", "unknown variant"];
    if !is_unknown.iter().any(|start| message.contains(start)) {
        return message;
    }
    // "unknown field `too`, expected one of `to`, `relation`"
    let mut words = message.split('`').skip(1).step_by(2);
    let wrong = words.next().unwrap_or_default();
    match closest_word(wrong, words) {
        Some(word) => format!("{message}; did you mean `{word}`?"),
        None => message,
    }
}

/// The known word that somebody meant, if one is near enough: a letter in three may be wrong.
pub fn closest_word<'w>(wrong: &str, known: impl IntoIterator<Item = &'w str>) -> Option<&'w str> {
    let known = known.into_iter();
    let nearest = known
        .map(|word| (strsim::damerau_levenshtein(wrong, word), word))
        .min()?;
    let (distance, word) = nearest;
    (distance <= (wrong.len() / 3).max(1)).then_some(word)
}
