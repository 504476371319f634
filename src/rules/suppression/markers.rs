//! Parses the markers in comments.

use std::sync::LazyLock;

use memchr::memmem::Finder;

use torchada_text::TextRange;

/// The word that opens a marker of this program.
const OURS: &str = "torchada:";
/// The one word that follows.
const IGNORE: &str = "ignore";
/// The vendor tool's markers.
const EXCLUSIONS: [(&str, Exclusion); 3] = [
    ("MUSIFY_EXCL_LINE", Exclusion::Line),
    ("MUSIFY_EXCL_START", Exclusion::Start),
    ("MUSIFY_EXCL_STOP", Exclusion::Stop),
];

/// A marker and where it stands.
#[derive(Debug)]
pub(super) struct Marker {
    /// The comment.
    pub(super) comment: TextRange,
    /// The marker itself.
    pub(super) range: TextRange,
    /// Its meaning.
    pub(super) what: MarkerKind,
}

/// The meaning of a marker.
#[derive(Debug)]
pub(super) enum MarkerKind {
    /// Hide findings.
    Ignore(Ignore),
    /// Keep lines as they are.
    Exclusion(Exclusion),
    /// The marker is meant for this program, but can't be read.
    Fault {
        /// The fault, as a sentence.
        message: String,
        /// Advice on what to write instead.
        help: String,
    },
}

/// The findings that a marker hides.
#[derive(Debug)]
pub(super) struct Ignore {
    /// Codes or fronts of codes; empty for all.
    pub(super) codes: Vec<String>,
}

/// The lines that a marker protects from edits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Exclusion {
    /// The lines of the comment.
    Line,
    /// From here on.
    Start,
    /// Up to here.
    Stop,
}

/// Whether a text may hold a marker.
pub(super) fn may_be_in(text: &[u8]) -> bool {
    static WORDS: LazyLock<[Finder<'static>; 2]> =
        LazyLock::new(|| [OURS, "MUSIFY_EXCL_"].map(Finder::new));
    WORDS.iter().any(|word| word.find(text).is_some())
}

/// The markers of a comment, by place.
pub(super) fn of_comment(text: &[u8], comment: TextRange) -> Vec<Marker> {
    let bytes = comment.of(text);
    if !may_be_in(bytes) {
        return Vec::new();
    }
    let at = |start: usize, end: usize| TextRange::new(comment.start + start, comment.start + end);
    let mut found = Vec::new();
    for (word, exclusion) in EXCLUSIONS {
        for start in places(bytes, word.as_bytes()) {
            let end = start + word.len();
            if !bytes.get(end).copied().is_some_and(is_word) {
                found.push(Marker {
                    comment,
                    range: at(start, end),
                    what: MarkerKind::Exclusion(exclusion),
                });
            }
        }
    }
    for start in places(bytes, OURS.as_bytes()) {
        // A marker ends with its line, or with the comment.
        let line = bytes.get(start..).unwrap_or_default();
        let line = line.split(|byte| *byte == b'\n').next().unwrap_or_default();
        let line = String::from_utf8_lossy(line);
        let line = line.split("*/").next().unwrap_or_default().trim_end();
        if let Some((length, what)) = own_marker(line) {
            let end = (start + length).min(bytes.len());
            found.push(Marker {
                comment,
                range: at(start, end),
                what,
            });
        }
    }
    found.sort_by_key(|marker| marker.range);
    found
}

/// The places where a word begins.
fn places<'t>(text: &'t [u8], word: &'t [u8]) -> impl Iterator<Item = usize> + 't {
    let windows = text.windows(word.len()).enumerate();
    windows
        .filter(move |(_, window)| *window == word)
        .map(|(at, _)| at)
        .filter(|&at| {
            let before = at.checked_sub(1).and_then(|at| text.get(at)).copied();
            !before.is_some_and(is_word)
        })
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Read a marker that starts with `torchada:`. Returns its length and what it says; `None` for
/// prose.
fn own_marker(line: &str) -> Option<(usize, MarkerKind)> {
    let rest = line.get(OURS.len()..)?;
    let word = rest.trim_start();
    let word_at = line.len() - word.len();
    let word_end = word
        .bytes()
        .position(|byte| !byte.is_ascii_alphabetic())
        .unwrap_or(word.len());
    let (name, after) = word.split_at(word_end);
    let fault = |length: usize, message: String| {
        let help = "write `torchada: ignore[CPP001]`, with one code or more, or `torchada: ignore`";
        Some((
            length,
            MarkerKind::Fault {
                message,
                help: help.to_owned(),
            },
        ))
    };
    if name != IGNORE {
        // `torchada: see below` is prose, and `torchada: ignroe[CPP001]` is not.
        let bracket = after.trim_start().starts_with('[');
        let meant = strsim::damerau_levenshtein(&name.to_ascii_lowercase(), IGNORE) <= 2;
        return if bracket || meant {
            fault(word_at + word_end, format!("`{OURS} {name}` means nothing"))
        } else {
            None
        };
    }
    let list = after.trim_start();
    let list_at = line.len() - list.len();
    if let Some(inside) = list.strip_prefix('[') {
        let Some(close) = inside.find(']') else {
            return fault(line.len(), "the bracket is not closed".to_owned());
        };
        let length = list_at + close + 2;
        let codes: Vec<String> = inside
            .get(..close)?
            .split(',')
            .map(|code| code.trim().to_owned())
            .collect();
        return if codes.iter().any(String::is_empty) {
            fault(length, "a code is missing between the brackets".to_owned())
        } else {
            Some((length, MarkerKind::Ignore(Ignore { codes })))
        };
    }
    if after.starts_with(|next: char| !next.is_whitespace()) {
        let shown = after.split_whitespace().next().unwrap_or_default();
        return fault(
            word_at + word_end + shown.len(),
            format!("`{shown}` is no list of codes"),
        );
    }
    Some((
        word_at + word_end,
        MarkerKind::Ignore(Ignore { codes: Vec::new() }),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn markers_in(comment: &str) -> Vec<String> {
        let range = TextRange::new(0, comment.len());
        let markers = of_comment(comment.as_bytes(), range);
        markers
            .into_iter()
            .map(|marker| {
                let text = &comment[marker.range.start..marker.range.end];
                match marker.what {
                    MarkerKind::Ignore(ignore) => format!("{text} -> {}", ignore.codes.join("+")),
                    MarkerKind::Exclusion(exclusion) => format!("{text} -> {exclusion:?}"),
                    MarkerKind::Fault { message, .. } => format!("{text}: {message}"),
                }
            })
            .collect()
    }

    #[test]
    fn markers_are_read_wherever_they_stand_in_a_comment() {
        for (comment, expected) in [
            ("// torchada: ignore", vec!["torchada: ignore -> "]),
            (
                "/* why. torchada:ignore[CPP001, PRJ] because */",
                vec!["torchada:ignore[CPP001, PRJ] -> CPP001+PRJ"],
            ),
            (
                "// torchada: ignore until 4.3",
                vec!["torchada: ignore -> "],
            ),
            (
                "// MUSIFY_EXCL_START MUSIFY_EXCL_STOP",
                vec!["MUSIFY_EXCL_START -> Start", "MUSIFY_EXCL_STOP -> Stop"],
            ),
        ] {
            assert_eq!(markers_in(comment), expected, "{comment}");
        }
    }

    #[test]
    fn what_is_meant_for_us_and_wrong_is_told_from_prose() {
        for (comment, expected) in [
            ("// ported with torchada: see the notes", ""),
            ("// mytorchada: ignore, MUSIFY_EXCL_LINES", ""),
            ("// torchada: ignroe", "means nothing"),
            ("// torchada: skip[CPP001]", "means nothing"),
            ("// torchada: ignore[CPP001", "not closed"),
            ("/* torchada: ignore[] */", "missing"),
            ("// torchada: ignore(CPP001)", "no list"),
        ] {
            let markers_in = markers_in(comment).join("; ");
            assert!(markers_in.contains(expected), "{comment}: {markers_in}");
            assert_eq!(
                markers_in.is_empty(),
                expected.is_empty(),
                "{comment}: {markers_in}"
            );
        }
    }
}
