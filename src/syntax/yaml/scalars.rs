//! Texts with and without quotes, and templates in them.

use super::{Form, Place, Reader, Scalar};
use torchada_text::TextRange;

/// How many bytes a template may have.
const LONGEST_TEMPLATE: usize = 4096;

impl Reader<'_> {
    /// A text in quotes; none where its quotes are not closed before a line that stands in the column `outside` or before.
    pub(super) fn quoted(&self, at: usize, outside: Option<usize>) -> Option<Scalar> {
        let quote = self.byte(at);
        if !matches!(quote, b'"' | b'\'') {
            return None;
        }
        let mut end = at + 1;
        while end < self.text.len() {
            match self.byte(end) {
                b'\\' if quote == b'"' => end += 2,
                b'\'' if quote == b'\'' && self.byte(end + 1) == b'\'' => end += 2,
                byte if byte == quote => {
                    return Some(Scalar {
                        value: TextRange::new(at + 1, end),
                        form: Form::Quoted,
                        end: end + 1,
                    });
                }
                b'\n' if self.is_outside(end + 1, outside) => return None,
                _ => end += 1,
            }
        }
        None
    }

    /// Whether a line has something in the column `outside` or before.
    pub(super) fn is_outside(&self, line: usize, outside: Option<usize>) -> bool {
        let first = self.behind_blanks(line);
        self.byte(first) != b'\n' && outside.is_some_and(|column| first - line <= column)
    }

    /// A text without quotes, with the lines behind the column `outside` that it goes on in.
    pub(super) fn plain(&self, at: usize, outside: Option<usize>) -> Scalar {
        let mut end = self.plain_end(at, Place::Value);
        let mut value = self.trimmed(at, end);
        // Nothing goes on behind a comment.
        while self.behind_blanks(end) == self.line_end(end) && end < self.text.len() {
            let line = self.line_end(end) + 1;
            let first = self.behind_blanks(line);
            let ends = matches!(self.byte(first), b'\n' | b'#')
                || first >= self.text.len()
                || self.is_outside(line, outside)
                || outside.is_none()
                || self.is_item(first)
                || self.starts(first, b"{%")
                || self.key(first).is_some();
            if ends {
                break;
            }
            end = self.plain_end(first, Place::Value);
            value.end = self.trimmed(first, end).end;
        }
        Scalar {
            value,
            form: Form::Plain,
            end,
        }
    }

    /// The end of a text without quotes in its line.
    pub(super) fn plain_end(&self, at: usize, place: Place) -> usize {
        let in_brackets = place == Place::Brackets;
        let line = self.line_end(at);
        let mut end = at;
        while end < line {
            if let Some(behind) = self.behind_template(end).filter(|&behind| behind <= line) {
                end = behind;
                continue;
            }
            let ends = match self.byte(end) {
                b':' if place != Place::Value => {
                    self.is_apart(end + 1)
                        || in_brackets && matches!(self.byte(end + 1), b',' | b'}' | b']')
                }
                b'#' => end > at && self.is_apart(end - 1),
                b',' | b'[' | b']' | b'{' | b'}' => in_brackets,
                _ => false,
            };
            if ends {
                break;
            }
            end += 1;
        }
        end
    }

    /// What follows a template that begins at a place: `{{ name }}`, `${{ name }}`, `{% if … %}`, `{# … #}`.
    pub(super) fn behind_template(&self, at: usize) -> Option<usize> {
        let (open, close): (usize, &[u8]) = match (self.byte(at), self.byte(at + 1)) {
            (b'$', b'{') if self.byte(at + 2) == b'{' => (at + 3, b"}}"),
            (b'{', b'{') => (at + 2, b"}}"),
            (b'{', b'%') => (at + 2, b"%}"),
            (b'{', b'#') => (at + 2, b"#}"),
            _ => return None,
        };
        let rest = self.text.get(open..)?;
        let rest = rest.get(..LONGEST_TEMPLATE).unwrap_or(rest);
        let len = memchr::memmem::find(rest, close)?;
        Some(open + len + close.len())
    }

    pub(super) fn trimmed(&self, start: usize, end: usize) -> TextRange {
        let text = self.text.get(start..end).unwrap_or_default();
        TextRange::new(start, start + text.trim_ascii_end().len())
    }
}
