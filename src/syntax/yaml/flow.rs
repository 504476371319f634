//! Lists and tables in brackets: `[a, b]`, `{a: b}`.

use super::{Form, Node, Place, Reader, Scalar};
use torchada_text::TextRange;

/// A pair of brackets that is open.
struct Brackets {
    /// The keys outside of it: the nearest, and the one around that.
    outer: (Option<TextRange>, Option<TextRange>),
    /// The key of the text that comes next, where it has one in these brackets.
    key: Option<TextRange>,
}

impl Brackets {
    /// The nearest key for what comes next, and the key around that.
    fn keys(&self) -> (Option<TextRange>, Option<TextRange>) {
        match self.key {
            Some(key) => (Some(key), self.outer.0),
            None => self.outer,
        }
    }
}

impl Reader<'_> {
    /// Read what stands in the brackets that open at a place; returns where they end. A line that stands in the column
    /// `outside` or before, and does not begin with a bracket, belongs to what stands around brackets that were not closed.
    pub(super) fn flow(&mut self, from: usize, outside: Option<usize>) -> usize {
        let mut keys = self.open.iter().rev().map(|(_, key)| *key);
        let mut open = vec![Brackets {
            outer: (keys.next(), keys.next()),
            key: None,
        }];
        let mut at = from + 1;
        while at < self.text.len()
            && let Some(last) = open.last_mut()
        {
            let is_template = self.behind_template(at).is_some();
            match self.byte(at) {
                b'[' | b'{' if !is_template => {
                    let outer = last.keys();
                    open.push(Brackets { outer, key: None });
                    at += 1;
                }
                b']' | b'}' => {
                    open.pop();
                    at += 1;
                }
                b',' => {
                    last.key = None;
                    at += 1;
                }
                b'\n' => {
                    let first = self.byte(self.behind_blanks(at + 1));
                    if !matches!(first, b']' | b'}' | b',') && self.is_outside(at + 1, outside) {
                        return at;
                    }
                    at += 1;
                }
                b'#' => at = self.line_end(at),
                b':' => at += 1,
                byte if byte.is_ascii_whitespace() => at += 1,
                _ => {
                    let start = self.behind_properties(at);
                    let text = self.scalar_in_brackets(start, outside);
                    let colon = self.behind_blanks(text.end);
                    let (nearest, around) = last.keys();
                    if self.byte(colon) == b':' && last.key.is_none() {
                        last.key = Some(text.value);
                    } else if !text.value.is_empty() {
                        self.found.push(Node {
                            key: nearest,
                            parent: around,
                            value: text.value,
                            form: text.form,
                            is_item: last.key.is_none(),
                        });
                    }
                    at = text.end.max(start).max(at + 1);
                }
            }
        }
        at
    }

    fn scalar_in_brackets(&self, at: usize, outside: Option<usize>) -> Scalar {
        self.quoted(at, outside).unwrap_or_else(|| {
            let end = self.plain_end(at, Place::Brackets);
            Scalar {
                value: self.trimmed(at, end),
                form: Form::Plain,
                end,
            }
        })
    }
}
