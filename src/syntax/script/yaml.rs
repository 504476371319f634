//! Pipelines in YAML: scripts, variables, and texts under keys.

use super::StatementKind;
use super::scanner::Scanner;
use crate::text::TextRange;

/// Keys whose texts a shell runs.
const SCRIPTS: &[&[u8]] = &[
    b"run",
    b"script",
    b"before_script",
    b"after_script",
    b"bash",
    b"command",
];

/// Keys that hold variables.
const VARIABLES: &[&[u8]] = &[b"env", b"variables", b"environment"];

/// A key that is open, with its column.
struct Open {
    column: usize,
    key: TextRange,
}

impl Scanner<'_> {
    /// Read the stretch as YAML.
    pub(super) fn yaml(&mut self) {
        let mut open: Vec<Open> = Vec::new();
        while self.at < self.end {
            let start = self.at;
            let stop = self.line_end(start);
            self.at = (stop + 1).min(self.end);
            let line = TextRange::new(start, without_comment(self.text, start, stop));
            let bytes = line.of(self.text);
            let mut column = bytes.iter().take_while(|&&byte| byte == b' ').count();
            if bytes
                .get(column..)
                .unwrap_or_default()
                .trim_ascii()
                .is_empty()
            {
                continue;
            }
            open.retain(|one| {
                one.column < column || is_item(bytes, column) && one.column == column
            });
            while is_item(bytes, column) {
                column += 1;
                column += bytes
                    .iter()
                    .skip(column)
                    .take_while(|&&byte| byte == b' ')
                    .count();
                open.retain(|one| one.column < column);
            }
            let rest = TextRange::new(line.start + column.min(bytes.len()), line.end);
            let Some((key, value)) = key(self.text, rest) else {
                let head = open
                    .last()
                    .map_or(TextRange::new(rest.start, rest.start), |one| one.key);
                self.text_under(head, rest);
                continue;
            };
            let shown = value.of(self.text).trim_ascii();
            let parent = open.last().map(|one| one.key);
            if matches!(shown.first(), Some(b'|' | b'>')) {
                let body = self.block(column);
                self.value(parent, key, body);
            } else {
                self.value(parent, key, value);
            }
            open.push(Open { column, key });
        }
    }

    /// The lines below that stand further in than a column.
    fn block(&mut self, column: usize) -> TextRange {
        let start = self.at;
        let mut end = start;
        while self.at < self.end {
            let stop = self.line_end(self.at);
            let line = self.text.get(self.at..stop).unwrap_or_default();
            let blanks = line.iter().take_while(|&&byte| byte == b' ').count();
            if !line.trim_ascii().is_empty() {
                if blanks <= column {
                    break;
                }
                end = stop;
            }
            self.at = (stop + 1).min(self.end);
        }
        TextRange::new(start, end.max(start))
    }

    fn value(&mut self, parent: Option<TextRange>, key: TextRange, value: TextRange) {
        let is = |range: TextRange, known: &[&[u8]]| known.contains(&range.of(self.text));
        if is(key, SCRIPTS) {
            self.text_under(key, value);
        } else if parent.is_some_and(|parent| is(parent, VARIABLES)) {
            let words = self.values(value, false);
            self.push(StatementKind::Assignment, key, words);
        } else {
            self.text_under(key, value);
        }
    }

    fn text_under(&mut self, key: TextRange, value: TextRange) {
        if SCRIPTS.contains(&key.of(self.text)) {
            let shown = value.of(self.text);
            let blanks = shown.len() - shown.trim_ascii_start().len();
            let inner = shown.trim_ascii();
            let quoted = inner.len() > 1
                && matches!(inner.first(), Some(b'"' | b'\''))
                && inner.first() == inner.last();
            let skip = usize::from(quoted);
            let start = value.start + blanks + skip;
            let range = TextRange::new(start, start + inner.len() - 2 * skip);
            self.inside(range, false, Self::shell);
            return;
        }
        let words = self.values(value, true);
        self.push(StatementKind::Entry, key, words);
    }
}

fn is_item(line: &[u8], column: usize) -> bool {
    line.get(column) == Some(&b'-') && matches!(line.get(column + 1), None | Some(b' ' | b'\r'))
}

/// A key and the stretch behind its colon.
fn key(text: &[u8], rest: TextRange) -> Option<(TextRange, TextRange)> {
    let bytes = rest.of(text);
    let colon = memchr::memchr_iter(b':', bytes)
        .find(|&at| matches!(bytes.get(at + 1), None | Some(b' ' | b'\r')))?;
    let name = bytes.get(..colon)?;
    let plain = |byte: &u8| {
        byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'"' | b'\'')
    };
    let is_key = !name.is_empty() && name.iter().all(plain);
    is_key.then(|| {
        let quotes = usize::from(matches!(name.first(), Some(b'"' | b'\'')) && name.len() > 1);
        let key = TextRange::new(rest.start + quotes, rest.start + colon - quotes);
        (key, TextRange::new(rest.start + colon + 1, rest.end))
    })
}

/// Where the comment of a line starts, or the line's end.
fn without_comment(text: &[u8], start: usize, stop: usize) -> usize {
    let bytes = text.get(start..stop).unwrap_or_default();
    let mut quote = None;
    let mut before = b' ';
    for (at, &byte) in bytes.iter().enumerate() {
        match byte {
            b'#' if quote.is_none() && before.is_ascii_whitespace() => return start + at,
            b'"' | b'\'' if quote == Some(byte) => quote = None,
            b'"' | b'\'' if quote.is_none() && !before.is_ascii_alphanumeric() => {
                quote = Some(byte);
            }
            _ => {}
        }
        before = byte;
    }
    stop
}
