//! YAML, and JSON, which is a part of it: texts with the keys that they stand under.
//!
//! The one reader of YAML: pipelines, conda's lists and files of settings are read by it. It is the project's own because
//! such files are often templates. Parsers of YAML (`granit-parser` has offsets in bytes, `saphyr-parser` in letters) stop
//! at the first `{% if … %}`, `{{ name }}-1.0` or `[a, ${{ b }}]`, and give nothing of what stands behind it. This reader
//! takes a template as text, and where a text is broken it goes on with the next line. Nothing is found that does not
//! stand there. No alias is followed, no text is copied, and each byte is looked at a bounded number of times.

mod flow;
mod scalars;

use torchada_text::TextRange;

/// How a text is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// Nothing stands behind the key, or what it holds stands below it, key by key and item by item.
    Open,
    /// Without quotes, perhaps over several lines.
    Plain,
    /// In quotes.
    Quoted,
    /// The lines below `|` or `>`.
    Block,
    /// The name of a kind of value, without the `!` in front of it: `!name value`.
    Tag,
}

/// A text, or a key without one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Node {
    /// The nearest key, without quotes, where there is one.
    pub key: Option<TextRange>,
    /// The key around that one.
    pub parent: Option<TextRange>,
    /// The text, without quotes.
    pub value: TextRange,
    /// How it is written.
    pub form: Form,
    /// Whether it is an item of a list, or a text by itself; otherwise it stands behind its key.
    pub is_item: bool,
}

/// The texts and keys in a stretch of a text, by place.
pub fn nodes(text: &[u8], range: TextRange) -> Vec<Node> {
    let mut reader = Reader {
        text: text.get(..range.end).unwrap_or(text),
        at: range.start,
        open: Vec::new(),
        found: Vec::new(),
    };
    if reader
        .text
        .get(reader.at..)
        .unwrap_or_default()
        .starts_with(b"\xef\xbb\xbf")
    {
        reader.at += 3;
    }
    while reader.at < reader.text.len() {
        reader.line();
    }
    reader.found
}

struct Reader<'t> {
    text: &'t [u8],
    /// Where the next line starts.
    at: usize,
    /// The keys that are open, with the columns at which they stand.
    open: Vec<(usize, TextRange)>,
    found: Vec<Node>,
}

/// Where a text without quotes stands, which decides what ends it besides a comment.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// A colon ends it.
    Key,
    /// Nothing else does: texts with a colon and a blank are no YAML, but people write them.
    Value,
    /// A colon, a comma or a bracket ends it.
    Brackets,
}

/// A text that begins at a place.
struct Scalar {
    value: TextRange,
    form: Form,
    /// Where the text ends, quotes included.
    end: usize,
}

impl Reader<'_> {
    /// The byte at a place; behind the end, the end of a line.
    fn byte(&self, at: usize) -> u8 {
        self.text.get(at).copied().unwrap_or(b'\n')
    }

    fn starts(&self, at: usize, front: &[u8]) -> bool {
        self.text
            .get(at..)
            .is_some_and(|rest| rest.starts_with(front))
    }

    fn line_end(&self, from: usize) -> usize {
        let rest = self.text.get(from..).unwrap_or_default();
        memchr::memchr(b'\n', rest).map_or(self.text.len(), |len| from + len)
    }

    fn behind_blanks(&self, mut at: usize) -> usize {
        while matches!(self.byte(at), b' ' | b'\t' | b'\r') {
            at += 1;
        }
        at
    }

    /// Whether a byte parts words, or ends a line.
    fn is_apart(&self, at: usize) -> bool {
        self.byte(at).is_ascii_whitespace()
    }

    /// Whether nothing but a comment stands in the line from a place on.
    fn is_done(&self, at: usize) -> bool {
        matches!(self.byte(self.behind_blanks(at)), b'\n' | b'#')
    }

    /// Read the line at hand, and those that its text goes on in.
    fn line(&mut self) {
        let start = self.at;
        let mut at = self.behind_blanks(start);
        self.at = self.line_end(at) + 1;
        if matches!(self.byte(at), b'#' | b'\n') {
            return;
        }
        if at == start
            && (self.starts(at, b"---") || self.starts(at, b"..."))
            && self.is_apart(at + 3)
        {
            self.open.clear();
            return;
        }
        if self.starts(at, b"{%") || self.starts(at, b"{#") {
            let end = self
                .behind_template(at)
                .unwrap_or_else(|| self.line_end(at));
            self.push(TextRange::new(at, end), Form::Plain, true);
            self.at = self.line_end(end) + 1;
            return;
        }
        // A list may stand in the column of its key.
        let mut item = None;
        self.close(at - start + usize::from(self.is_item(at)));
        while self.is_item(at) {
            item = Some(at - start);
            at = self.behind_blanks(at + 1);
            self.close(at - start);
        }
        let column = at - start;
        if self.is_done(at) {
            return;
        }
        let Some((key, behind)) = self.key(at) else {
            // The text stands deeper than its dash, or than the key above.
            let outside = item.or_else(|| self.open.last().map(|(column, _)| *column));
            self.value(at, outside, true);
            return;
        };
        let parent = self.open.last().map(|(_, key)| *key);
        self.open.push((column, key));
        self.tag(behind, false);
        let place = self.behind_properties(behind);
        if self.is_done(place) {
            self.found.push(Node {
                key: Some(key),
                parent,
                value: TextRange::new(behind, behind),
                form: Form::Open,
                is_item: false,
            });
        } else {
            self.value(place, Some(column), false);
        }
    }

    /// Close the keys that do not stand before a column.
    fn close(&mut self, column: usize) {
        while self.open.last().is_some_and(|(other, _)| *other >= column) {
            self.open.pop();
        }
    }

    fn is_item(&self, at: usize) -> bool {
        self.byte(at) == b'-' && self.is_apart(at + 1)
    }

    /// The key at a place, and what follows its colon.
    fn key(&self, from: usize) -> Option<(TextRange, usize)> {
        let at = self.behind_properties(from);
        if matches!(self.byte(at), b'[' | b'|' | b'>' | b'\n')
            || self.byte(at) == b'{' && !self.starts(at, b"{{")
        {
            return None;
        }
        let (key, end) = if let Some(text) = self.quoted(at, Some(usize::MAX)) {
            (text.value, text.end)
        } else {
            let end = self.plain_end(at, Place::Key);
            (self.trimmed(at, end), end)
        };
        let colon = self.behind_blanks(end);
        let is_key = self.byte(colon) == b':' && self.is_apart(colon + 1) && !key.is_empty();
        is_key.then_some((key, colon + 1))
    }

    /// What follows the anchors and tags at a place: `&name`, `!tag`.
    fn behind_properties(&self, from: usize) -> usize {
        let mut at = self.behind_blanks(from);
        while matches!(self.byte(at), b'&' | b'!') {
            while !self.is_apart(at) {
                at += 1;
            }
            at = self.behind_blanks(at);
        }
        at
    }

    /// Read the tag at a place. Those of YAML's own have a second `!`.
    fn tag(&mut self, from: usize, is_item: bool) {
        let start = self.behind_blanks(from) + 1;
        if self.byte(start - 1) == b'!' && self.byte(start) != b'!' {
            let mut end = start;
            while !self.is_apart(end) {
                end += 1;
            }
            self.push(TextRange::new(start, end), Form::Tag, is_item);
        }
    }

    /// Read the text at a place, whose lines stand behind the column `outside`.
    fn value(&mut self, from: usize, outside: Option<usize>, is_item: bool) {
        let at = self.behind_properties(from);
        self.tag(from, is_item);
        if self.is_done(at) || self.is_alias(at) {
            return;
        }
        if self.is_block(at) {
            let start = self.line_end(at) + 1;
            let end = self.block_end(start, outside);
            let value = TextRange::new(start.min(end), end);
            self.push(value, Form::Block, is_item);
            return;
        }
        let is_template = self.starts(at, b"{{");
        if matches!(self.byte(at), b'[' | b'{') && !is_template {
            let end = self.flow(at, outside);
            self.at = self.at.max(self.line_end(end) + 1);
            return;
        }
        let quoted = self.quoted(at, outside);
        let text = match quoted.filter(|text| self.is_done(text.end)) {
            Some(text) => text,
            None => self.plain(at, outside),
        };
        self.at = self.line_end(text.end) + 1;
        self.push(text.value, text.form, is_item);
    }

    fn push(&mut self, value: TextRange, form: Form, is_item: bool) {
        let mut open = self.open.iter().rev().map(|(_, key)| *key);
        let (key, parent) = (open.next(), open.next());
        self.found.push(Node {
            key,
            parent,
            value,
            form,
            is_item,
        });
    }

    /// Whether nothing but the name of another text stands in the line: `*name`.
    fn is_alias(&self, at: usize) -> bool {
        let is_part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
        let mut end = at + 1;
        while is_part(self.byte(end)) {
            end += 1;
        }
        self.byte(at) == b'*' && end > at + 1 && self.is_done(end)
    }

    /// Whether `|` or `>` begins a block of lines.
    fn is_block(&self, at: usize) -> bool {
        if !matches!(self.byte(at), b'|' | b'>') {
            return false;
        }
        let mut end = at + 1;
        while matches!(self.byte(end), b'+' | b'-' | b'1'..=b'9') {
            end += 1;
        }
        self.is_done(end) && self.is_apart(end)
    }

    /// The end of the lines that stand behind a column, from a line on; the reader goes on behind them.
    fn block_end(&mut self, start: usize, outside: Option<usize>) -> usize {
        self.at = start;
        let mut end = start.min(self.text.len());
        while self.at < self.text.len() {
            let first = self.behind_blanks(self.at);
            let stop = self.line_end(first);
            if self.byte(first) != b'\n' {
                if outside.is_some_and(|column| first - self.at <= column) {
                    break;
                }
                end = stop;
            }
            self.at = stop + 1;
        }
        end
    }
}

#[cfg(test)]
mod tests;
