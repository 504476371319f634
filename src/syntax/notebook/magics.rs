//! Lines of a cell that are not Python: magics, shell commands and help queries, and cells in other languages.

use super::{ForeignLine, Notebook};
use crate::lines::Logical;
use torchada_text::{Fragment, TextRange};

/// Magics whose rest is Python.
#[derive(Clone, Copy, Debug)]
pub struct Magics<'a> {
    /// Magics of a line: `time`.
    pub line: &'a [String],
    /// Magics of a whole cell: `timeit`.
    pub cell: &'a [String],
    /// Magics of a whole cell, which they write to the file that they name: `writefile`.
    pub writing: &'a [String],
    /// How names of files end that hold Python.
    pub endings: &'a [String],
}

impl Magics<'_> {
    /// Whether the rest of a cell is Python, by its first line without the marks: `time`, `writefile train.py`.
    fn is_python(self, line: &[u8]) -> bool {
        let is_pythons = |ending: &String| line.trim_ascii_end().ends_with(ending.as_bytes());
        is_named(line, self.cell)
            || is_named(line, self.writing) && self.endings.iter().any(is_pythons)
    }
}

impl Notebook {
    /// Append the code of a cell. Returns whether the cell is in another language.
    pub(super) fn push_code(&mut self, cell: &Fragment, magics: Magics<'_>) -> bool {
        let text = cell.text();
        let mut lines = Logical::new(text, 0);
        let mut first = true;
        while let Some((line, end)) = lines.next_start() {
            let body = TextRange::new(line, end).of(text);
            lines.at = end;
            if body.trim_ascii().is_empty() {
                self.keep(cell, line, end);
                continue;
            }
            let indent = body.len() - body.trim_ascii_start().len();
            let word = body.get(indent..).unwrap_or_default();
            if first
                && let Some(name) = word.strip_prefix(b"%%")
                && !magics.is_python(name)
            {
                self.push_foreign_cell(cell, line);
                return true;
            }
            first = false;
            let at = line + indent;
            match magic(word, magics) {
                Magic::None => {
                    lines.at = lines.behind_logical(line);
                    self.keep(cell, line, lines.at);
                }
                Magic::Front(len) => {
                    self.push_front(cell, TextRange::new(line, at), len);
                    lines.at = lines.behind_logical(at + len);
                    self.keep(cell, at + len, lines.at);
                }
                Magic::At { front, mark } => {
                    let base = self.code.text().len();
                    let mark = at + mark;
                    self.push_front(cell, TextRange::new(line, at), front);
                    self.keep(cell, at + front, mark);
                    // In a block there has to be a statement; elsewhere a comment has all but the mark of the command.
                    let hides: &[u8] = if mark == line { b"#" } else { b"0#" };
                    let hidden = end.min(mark + hides.len());
                    self.hide(cell, TextRange::new(mark, hidden), hides);
                    self.keep(cell, hidden, end);
                    self.foreign.push(ForeignLine {
                        range: TextRange::new(base + indent, base + body.trim_ascii_end().len()),
                        mark: base + mark - line,
                    });
                }
            }
        }
        false
    }

    /// A cell in another language: comments.
    fn push_foreign_cell(&mut self, cell: &Fragment, from: usize) {
        let text = cell.text();
        let mut at = from;
        for line in text
            .get(from..)
            .unwrap_or_default()
            .split_inclusive(|&byte| byte == b'\n')
        {
            let end = at + line.len();
            let base = self.code.text().len();
            if line.trim_ascii().is_empty() {
                self.keep(cell, at, end);
            } else {
                self.hide(cell, TextRange::new(at, at + 1), b"#");
                self.keep(cell, at + 1, end);
                let shown = line.trim_ascii_end().len();
                self.foreign.push(ForeignLine {
                    range: TextRange::new(base, base + shown),
                    mark: base,
                });
            }
            at = end;
        }
    }

    /// Append white space of a cell, and a statement in place of the magic of `len` bytes behind it.
    fn push_front(&mut self, cell: &Fragment, space: TextRange, len: usize) {
        self.keep(cell, space.start, space.end);
        let mut front = if len > 0 { b"0;".to_vec() } else { Vec::new() };
        front.resize(len, b' ');
        self.code.push_decoded(&front);
    }

    /// Append the beginning of `hides` in place of a mark.
    fn hide(&mut self, cell: &Fragment, mark: TextRange, hides: &[u8]) {
        let shown = hides.get(..mark.len()).unwrap_or_default();
        self.code.push_in_place_of(cell, mark, shown);
    }

    fn keep(&mut self, cell: &Fragment, from: usize, to: usize) {
        self.code.push_part(cell, TextRange::new(from, to));
    }
}

enum Magic {
    None,
    /// A magic of so many bytes, with Python behind it.
    Front(usize),
    /// A magic of `front` bytes, if any, and no Python from a mark behind it to the end of the line.
    At {
        front: usize,
        mark: usize,
    },
}

fn magic(line: &[u8], magics: Magics<'_>) -> Magic {
    let from = |mark| Magic::At { front: 0, mark };
    match line.first() {
        Some(b'%') => {
            let name = line.get(1..).unwrap_or_default();
            let len = name
                .iter()
                .take_while(|byte| byte.is_ascii_alphanumeric())
                .count()
                + 1;
            let behind = line.get(len..).unwrap_or_default();
            let rest = behind.trim_ascii_start();
            // An option is no Python.
            if !is_named(name, magics.line) || rest.is_empty() || rest.starts_with(b"-") {
                return from(0);
            }
            return match rest.first() {
                Some(b'!') => Magic::At {
                    front: len,
                    mark: len + behind.len() - rest.len(),
                },
                _ => Magic::Front(len),
            };
        }
        Some(b'!' | b'?') => return from(0),
        _ => {}
    }
    let trimmed = line.trim_ascii_end();
    if trimmed.ends_with(b"?") && !trimmed.contains(&b'#') {
        return from(0);
    }
    // `files = !ls`
    let equals = line.iter().position(|&byte| byte == b'=');
    let behind = equals.map(|at| {
        let rest = line.get(at + 1..).unwrap_or_default();
        at + 1 + rest.len() - rest.trim_ascii_start().len()
    });
    match behind {
        Some(at)
            if matches!(line.get(at), Some(b'!' | b'%')) && line.get(at + 1) != Some(&b'=') =>
        {
            from(at)
        }
        _ => Magic::None,
    }
}

fn is_named(text: &[u8], names: &[String]) -> bool {
    let end = text
        .iter()
        .position(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_');
    let word = text.get(..end.unwrap_or(text.len())).unwrap_or_default();
    names.iter().any(|name| name.as_bytes() == word)
}
