//! A message with the source that it is about.

use std::io::{self, Write};
use std::ops::Range;

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};

use crate::diagnostic::Severity;

/// One message and the text that it points into.
#[derive(Clone, Debug)]
pub struct Excerpt<'a> {
    /// How much it weighs.
    pub severity: Severity,
    /// The code of a finding.
    pub code: Option<&'a str>,
    /// What is wrong.
    pub message: &'a str,
    /// The file, as messages name it.
    pub path: &'a str,
    /// Its whole text.
    pub text: &'a str,
    /// The bytes that are meant.
    pub span: Range<usize>,
    /// What to do about it.
    pub help: Option<&'a str>,
}

/// Write a message with the lines that it points at.
///
/// # Errors
/// When `out` can't take it.
pub fn full(excerpt: &Excerpt<'_>, out: &mut dyn Write) -> io::Result<()> {
    let level = match excerpt.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let mut title = level.primary_title(excerpt.message);
    if let Some(code) = excerpt.code {
        title = title.id(code);
    }
    let end = excerpt.text.len();
    let span = boundary(excerpt.text, excerpt.span.start.min(end))
        ..boundary(
            excerpt.text,
            excerpt.span.end.clamp(excerpt.span.start.min(end), end),
        );
    let snippet = Snippet::source(excerpt.text)
        .path(excerpt.path)
        .annotation(AnnotationKind::Primary.span(span));
    let mut group = title.element(snippet);
    if let Some(help) = excerpt.help {
        group = group.element(Level::HELP.message(help));
    }
    writeln!(out, "{}", Renderer::styled().render(&[group]))
}

/// The nearest offset at or before `at` that does not split a character.
fn boundary(text: &str, at: usize) -> usize {
    text.floor_char_boundary(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_source_line_is_shown_with_a_mark() {
        let excerpt = Excerpt {
            severity: Severity::Error,
            code: None,
            message: "unknown key `renmae`",
            path: "torchada.toml",
            text: "exclude = []\nrenmae = \"never\"\n",
            span: 13..19,
            help: Some("did you mean `rename`?"),
        };
        let mut out = anstream::StripStream::new(Vec::new());
        full(&excerpt, &mut out).expect("written");
        let text = String::from_utf8(out.into_inner()).expect("UTF-8");
        let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
        assert_eq!(lines[0], "error: unknown key `renmae`");
        assert!(lines[1].ends_with("torchada.toml:2:1"), "{text}");
        assert!(text.contains("renmae = \"never\""), "{text}");
        assert!(text.contains("^^^^^^"), "{text}");
        assert!(text.contains("help: did you mean `rename`?"), "{text}");
    }
}
