//! The statements of a shell.

use super::case_labels::CaseLabels;
use super::scanner::{Scanner, is_name_start};
use super::{StatementKind, Word, WordPart};
use crate::identifier_at;
use torchada_text::TextRange;

/// Words in front of a command that are none of it.
const RESERVED: &[&[u8]] = &[
    b"if", b"then", b"else", b"elif", b"do", b"while", b"until", b"!", b"{", b"time",
];

/// What gives values to variables that it names.
const DECLARING: &[&[u8]] = &[
    b"export",
    b"local",
    b"declare",
    b"typeset",
    b"readonly",
    b"env",
    b"setenv",
    // These give variables of their own values.
    b"make",
    b"gmake",
    b"configure",
];

/// What takes a script as an argument, behind `-c`.
const SHELLS: &[&[u8]] = &[b"bash", b"sh", b"zsh", b"dash"];

/// Where no file is written.
pub(super) const DEVICES: &[u8] = b"/dev/";

impl Scanner<'_> {
    /// Read the stretch as a script.
    pub(super) fn shell(&mut self) {
        let before = std::mem::replace(&mut self.is_script, true);
        let outer = self.into.take();
        let mut words: Vec<Word> = Vec::new();
        let mut documents: Vec<(TextRange, Vec<u8>)> = Vec::new();
        // A document's lines come behind the command that they are for.
        let mut fed = None;
        // The statements of the command that a pipe leads from begin here.
        let mut piped = None;
        let mut labels = CaseLabels::default();
        loop {
            self.skip_blanks();
            let Some(byte) = self.peek() else { break };
            match byte {
                b'\n' => {
                    let into = fed.take().or(self.into);
                    self.finish_behind(&mut piped, &mut words);
                    self.at += 1;
                    for (head, end) in documents.drain(..) {
                        self.document(head, &end, into);
                    }
                }
                b'#' => self.at = self.line_end(self.at),
                // `(cuda | rocm)`: the bracket in front may be missing.
                b'(' if labels.are_next() => self.at += 1,
                b'|' if labels.are_next() => {
                    labels.and(&mut words);
                    self.at += 1;
                }
                b')' if labels.are_next() => {
                    let found = labels.end(&mut words);
                    if let Some(head) = found.first().map(|first| first.range) {
                        self.push(StatementKind::Label, head, found);
                    }
                    self.at += 1;
                }
                b';' | b'&' | b'|' | b'(' | b')' => {
                    if self.text.get(self.at..self.at + 2) == Some(b";;") {
                        labels.next();
                    }
                    if !documents.is_empty() {
                        fed = fed.or(self.into);
                    }
                    let first = self.found.len();
                    self.finish_behind(&mut piped, &mut words);
                    piped = self.is_pipe().then_some(first);
                    self.at += 1;
                }
                b'<' | b'>' => {
                    let start = self.at;
                    if let Some(end) = self.redirection() {
                        let head = words.first().map(|one| one.range);
                        documents.push((head.unwrap_or(TextRange::new(start, start)), end));
                    }
                }
                _ => {
                    let before = self.at;
                    let word = self.word(b";&|()<>");
                    self.at = self.at.max(before + 1);
                    if self.peek() == Some(b'(') && is_assignment(self.text, &word).is_some() {
                        self.array(&word);
                    } else {
                        words.push(word);
                        if labels.begin(self.text, &words) {
                            self.finish(&mut words);
                        }
                    }
                }
            }
        }
        self.finish_behind(&mut piped, &mut words);
        self.is_script = before;
        self.into = outer;
    }

    /// Read `> file` or the like, and note the file that it writes. Returns the line that ends the document which it
    /// announces.
    fn redirection(&mut self) -> Option<Vec<u8>> {
        let start = self.at;
        while matches!(self.peek(), Some(b'<' | b'>' | b'&')) {
            self.at += 1;
        }
        let sign = self.text.get(start..self.at).unwrap_or_default();
        if sign == b"<<" {
            return Some(self.document_end());
        }
        if sign.contains(&b'>') && !sign.ends_with(b"&") {
            self.into = self.target(start).or(self.into);
        }
        None
    }

    /// The line that ends the document which is announced here: `EOF` of `<<-EOF`.
    fn document_end(&mut self) -> Vec<u8> {
        self.at += usize::from(self.peek() == Some(b'-'));
        self.skip_blanks();
        let end = self.word(b";&|()<>");
        end.texts()
            .flat_map(|one| one.of(self.text))
            .copied()
            .collect()
    }

    /// The file behind the sign that starts at a place, where what a command prints goes into one.
    fn target(&mut self, sign: usize) -> Option<TextRange> {
        let front = self.text.get(..sign).unwrap_or_default();
        // `2> errors.log`
        if let [.., before, digit] = front
            && digit.is_ascii_digit()
            && *digit != b'1'
            && before.is_ascii_whitespace()
        {
            return None;
        }
        self.skip_blanks();
        let rest = self.text.get(self.at..self.end).unwrap_or_default();
        let ends = |byte: &u8| byte.is_ascii_whitespace() || b";&|()<>".contains(byte);
        let len = rest.iter().position(ends).unwrap_or(rest.len());
        let name = rest.get(..len).unwrap_or_default();
        let quotes = usize::from(matches!(name.first(), Some(b'"' | b'\'')));
        let end = self.at + len - usize::from(matches!(name.last(), Some(b'"' | b'\'')));
        let range = TextRange::new(self.at + quotes, end.max(self.at + quotes));
        let name = range.of(self.text);
        (!name.is_empty() && !name.starts_with(DEVICES)).then_some(range)
    }

    /// `NAME=(a b c)`
    fn array(&mut self, word: &Word) {
        let Some(name) = is_assignment(self.text, word) else {
            return;
        };
        self.at += 1;
        let mut values = Vec::new();
        loop {
            self.skip_blanks();
            match self.peek() {
                None => break,
                Some(b')') => {
                    self.at += 1;
                    break;
                }
                Some(b'\n') => self.at += 1,
                Some(b'#') => self.at = self.line_end(self.at),
                Some(_) => {
                    let before = self.at;
                    let value = self.word(b")");
                    self.at = self.at.max(before + 1);
                    values.extend(value.split(self.text));
                }
            }
        }
        self.push(StatementKind::Assignment, name, values);
    }

    /// The lines up to the one that holds nothing but `end`.
    fn document(&mut self, head: TextRange, end: &[u8], into: Option<TextRange>) {
        let start = self.at;
        let mut stop = self.end;
        while self.at < self.end {
            let line_end = self.line_end(self.at);
            let line = self.text.get(self.at..line_end).unwrap_or_default();
            let line_start = self.at;
            self.at = (line_end + 1).min(self.end);
            if line.trim_ascii() == end {
                stop = line_start;
                break;
            }
        }
        let words = vec![Word {
            range: TextRange::new(start, stop),
            parts: vec![WordPart::Text(TextRange::new(start, stop))],
        }];
        self.push(StatementKind::Document, head, words);
        if let Some(last) = self.found.last_mut() {
            last.into = into;
        }
    }

    /// A command is complete.
    pub(super) fn finish(&mut self, words: &mut Vec<Word>) {
        let into = self.into.take();
        let first = self.found.len();
        self.command(words);
        for one in self.found.iter_mut().skip(first) {
            one.into = one.into.or(into);
        }
    }

    fn command(&mut self, words: &mut Vec<Word>) {
        let words = std::mem::take(words);
        let mut rest = words.as_slice();
        while let [first, more @ ..] = rest {
            let plain = first.plain().map(|range| range.of(self.text));
            if plain.is_some_and(|word| RESERVED.contains(&word)) {
                rest = more;
            } else if let Some(name) = is_assignment(self.text, first) {
                self.assign(name, first);
                rest = more;
            } else {
                break;
            }
        }
        let Some(first) = rest.first() else { return };
        let is = |word: &Word, known: &[&[u8]]| {
            let name = word.plain().map(|range| range.of(self.text));
            name.is_some_and(|name| {
                known.contains(&name.rsplit(|&byte| byte == b'/').next().unwrap_or(name))
            })
        };
        if is(first, DECLARING) {
            let mut left = vec![first.clone()];
            for word in rest.iter().skip(1) {
                match is_assignment(self.text, word) {
                    Some(name) => self.assign(name, word),
                    None => left.push(word.clone()),
                }
            }
            self.push(StatementKind::Command, first.range, left);
            return;
        }
        let shell = rest.iter().position(|word| is(word, SHELLS));
        let script = shell.and_then(|at| {
            let mut behind = rest.iter().skip(at + 1);
            behind.find(|word| {
                let option = word.plain().map_or(&b""[..], |range| range.of(self.text));
                option.starts_with(b"-") && option.ends_with(b"c")
            })?;
            behind.next().cloned()
        });
        if let Some(script) = script {
            // The quotes stay outside.
            if let (Some(WordPart::Text(first)), Some(WordPart::Text(last))) =
                (script.parts.first(), script.parts.last())
            {
                let range = TextRange::new(first.start, last.end);
                self.inside(range, self.is_make, Self::shell);
            }
            let outer: Vec<Word> = rest.iter().filter(|one| **one != script).cloned().collect();
            self.push(StatementKind::Command, first.range, outer);
            return;
        }
        self.push(StatementKind::Command, first.range, rest.to_vec());
    }

    fn assign(&mut self, name: TextRange, word: &Word) {
        let mut value = word.clone();
        let start = name.end
            + if self.text.get(name.end) == Some(&b'+') {
                2
            } else {
                1
            };
        if let Some(WordPart::Text(front)) = value.parts.first_mut() {
            front.start = start.min(front.end);
            if front.start == front.end {
                value.parts.remove(0);
            }
        }
        value.range.start = start.min(value.range.end);
        let words = value.split(self.text);
        self.push(StatementKind::Assignment, name, words);
    }
}

/// The name in `NAME=value`.
fn is_assignment(text: &[u8], word: &Word) -> Option<TextRange> {
    let front = word
        .front()
        .filter(|front| front.start == word.range.start)?;
    let bytes = front.of(text);
    let len = identifier_at(bytes, 0).end;
    let first = bytes.first().copied()?;
    let rest = bytes.get(len..)?;
    let assigns = rest.starts_with(b"=") && !rest.starts_with(b"==") || rest.starts_with(b"+=");
    (is_name_start(first) && assigns).then(|| TextRange::new(front.start, front.start + len))
}
