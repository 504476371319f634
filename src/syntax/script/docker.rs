//! Instructions for an image.

use super::scanner::Scanner;
use super::{StatementKind, Word, WordPart};
use crate::identifier_at;
use torchada_text::{TextRange, contains};

impl Scanner<'_> {
    /// Read the stretch as instructions.
    pub(super) fn docker(&mut self) {
        let end = self.end;
        while self.at < end {
            let start = self.at;
            let mut stop = self.instruction_end(start);
            self.end = stop;
            self.skip_blanks();
            let rest = self.text.get(self.at..stop).unwrap_or_default();
            let len = rest.iter().take_while(|byte| byte.is_ascii_alphabetic());
            let keyword = TextRange::new(self.at, self.at + len.count());
            let behind = TextRange::new(keyword.end, stop);
            match keyword.of(self.text).to_ascii_uppercase().as_slice() {
                b"" => {}
                b"RUN" => {
                    // A document may follow, which ends the instruction.
                    self.end = end;
                    if !contains(behind.of(self.text), b"<<") {
                        self.end = stop;
                    }
                    let (from, until) = self.run(behind);
                    self.end = until;
                    self.at = from;
                    self.shell();
                    stop = until;
                }
                b"ENV" | b"ARG" => self.variables(behind),
                b"CMD" | b"ENTRYPOINT" => {
                    if behind.of(self.text).trim_ascii_start().starts_with(b"[") {
                        let words = self.values(behind, true);
                        self.push(StatementKind::Command, keyword, words);
                    } else {
                        self.inside(behind, false, Self::shell);
                    }
                }
                _ => {
                    let words = self.values(behind, false);
                    self.push(StatementKind::Instruction, keyword, words);
                }
            }
            self.end = end;
            self.at = (stop + 1).min(end);
        }
    }

    /// Lines that go on may have comments between them.
    fn instruction_end(&self, from: usize) -> usize {
        let first = self.text.get(from..self.line_end(from)).unwrap_or_default();
        if first.trim_ascii_start().starts_with(b"#") {
            return self.line_end(from);
        }
        let mut start = from;
        let mut goes_on = true;
        while goes_on && start < self.end {
            let stop = self.line_end(start);
            let line = self.text.get(start..stop).unwrap_or_default();
            let between = start > from && {
                let line = line.trim_ascii();
                line.is_empty() || line.starts_with(b"#")
            };
            goes_on = between || line.trim_ascii_end().ends_with(b"\\");
            if !goes_on || stop >= self.end {
                return stop;
            }
            start = stop + 1;
        }
        self.end
    }

    /// The script of a `RUN`, behind its options, with the documents that follow it.
    fn run(&mut self, behind: TextRange) -> (usize, usize) {
        self.at = behind.start;
        loop {
            self.skip_blanks();
            let rest = self.text.get(self.at..behind.end).unwrap_or_default();
            if !rest.starts_with(b"--") {
                break;
            }
            let word = self.word(b"");
            self.push(StatementKind::Instruction, word.range, Vec::new());
        }
        let from = self.at;
        let mut until = behind.end;
        let body = behind.of(self.text);
        for at in memchr::memmem::find_iter(body, b"<<") {
            let rest = body.get(at + 2..).unwrap_or_default();
            let rest = rest.strip_prefix(b"-").unwrap_or(rest);
            let marks = |byte: &u8| matches!(byte, b'"' | b'\'');
            let skip = rest.iter().take_while(|byte| marks(byte)).count();
            let name = identifier_at(rest, skip).of(rest);
            if name.is_empty() {
                continue;
            }
            let mut start = until + 1;
            while start < self.end {
                let stop = self.line_end(start);
                let line = self.text.get(start..stop).unwrap_or_default();
                until = stop;
                start = stop + 1;
                if line.trim_ascii() == name {
                    break;
                }
            }
        }
        (from, until)
    }

    /// `ENV A=b C=d`, `ENV A b`, `ARG A`
    fn variables(&mut self, behind: TextRange) {
        self.at = behind.start;
        self.skip_blanks();
        let mut words = Vec::new();
        while self.at < self.end {
            let before = self.at;
            words.push(self.word(b""));
            self.at = self.at.max(before + 1);
            self.skip_blanks();
            if self.peek() == Some(b'\n') {
                self.at += 1;
                self.skip_blanks();
            }
        }
        let Some(first) = words.first().cloned() else {
            return;
        };
        let is_pair = |word: &Word| {
            word.front()
                .is_some_and(|front| front.of(self.text).contains(&b'='))
        };
        if is_pair(&first) || words.len() == 1 {
            for word in words {
                let plain = word.plain().filter(|_| !is_pair_of(self.text, &word));
                match plain {
                    Some(name) => self.push(StatementKind::Assignment, name, Vec::new()),
                    None => self.finish(&mut vec![word]),
                }
            }
            return;
        }
        if let Some(WordPart::Text(name)) = first.parts.first().copied() {
            let values: Vec<Word> = words
                .iter()
                .skip(1)
                .flat_map(|word| word.split(self.text))
                .collect();
            self.push(StatementKind::Assignment, name, values);
        }
    }
}

fn is_pair_of(text: &[u8], word: &Word) -> bool {
    word.front()
        .is_some_and(|front| front.of(text).contains(&b'='))
}
