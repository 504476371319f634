//! Makefiles and Ninja's lists, line by line.

use super::scanner::Scanner;
use super::{StatementKind, outside_references};
use torchada_text::TextRange;

/// Words in front of an assignment that are none of it.
const MODIFIERS: &[&[u8]] = &[b"export", b"unexport", b"override", b"private"];

impl Scanner<'_> {
    /// Read the stretch as a makefile.
    pub(super) fn make(&mut self, is_ninja: bool) {
        let end = self.end;
        let mut in_rule = false;
        while self.at < end {
            let start = self.at;
            let stop = self.whole_line_end(start);
            let line = TextRange::new(start, stop);
            self.end = stop;
            let is_recipe = line.of(self.text).starts_with(b"\t") && in_rule && !is_ninja;
            if is_recipe {
                self.recipe();
            } else if let Some(rule) = self.make_line(line, is_ninja) {
                in_rule = rule;
            }
            self.end = end;
            self.at = (stop + 1).min(end);
        }
    }

    /// A line that a shell runs.
    fn recipe(&mut self) {
        while matches!(self.peek(), Some(b'\t' | b' ' | b'@' | b'-' | b'+')) {
            self.at += 1;
        }
        self.shell();
    }

    /// Another line. Says whether recipes may follow, where it changes that.
    fn make_line(&mut self, line: TextRange, is_ninja: bool) -> Option<bool> {
        let line = TextRange::new(line.start, comment(self.text, line));
        self.end = line.end;
        self.at = line.start;
        self.skip_blanks();
        let mut word = self.first_word();
        while MODIFIERS.contains(&word.of(self.text)) && word.end < line.end {
            self.at = word.end;
            self.skip_blanks();
            word = self.first_word();
        }
        if word.start >= line.end {
            return None;
        }
        match word.of(self.text) {
            b"ifeq" | b"ifneq" | b"ifdef" | b"ifndef" => {
                self.branches.push((line, true));
                self.condition(word, line);
                return None;
            }
            b"else" => {
                if let Some((_, holds)) = self.branches.last_mut() {
                    *holds = false;
                }
                let behind = TextRange::new(word.end, line.end);
                if !behind.of(self.text).trim_ascii().is_empty() {
                    // The rest of the line is the condition of the new `if`.
                    if let Some(last) = self.branches.last_mut() {
                        *last = (behind, true);
                    }
                    self.condition(word, line);
                }
                return None;
            }
            b"endif" => {
                self.branches.pop();
                return None;
            }
            b"include" | b"-include" | b"sinclude" | b"subninja" | b"vpath" | b"rule" | b"pool"
            | b"default" | b"define" | b"endef" => {
                let words = self.values(TextRange::new(word.end, line.end), false);
                self.push(StatementKind::Instruction, word, words);
                return None;
            }
            _ => {}
        }
        let (name, value, colon) = split(self.text, TextRange::new(self.at, line.end))?;
        if let Some(value) = value {
            // `command = …` of Ninja, `X != …` of make: for a shell.
            let runs = (is_ninja && name.of(self.text) == b"command")
                || self.text.get(value.start.saturating_sub(2)) == Some(&b'!');
            if runs {
                self.inside(value, self.is_make, Self::shell);
            } else {
                let words = self.values(behind_silence(self.text, value), false);
                self.push(StatementKind::Assignment, name, words);
            }
            return None;
        }
        let words = self.values(TextRange::new(self.at, line.end), false);
        let kind = if colon {
            StatementKind::Rule
        } else {
            StatementKind::Call
        };
        let head = TextRange::new(self.at, self.at);
        self.push(kind, head, words);
        colon.then_some(true)
    }

    fn condition(&mut self, word: TextRange, line: TextRange) {
        let words = self.values(TextRange::new(word.end, line.end), true);
        self.push(StatementKind::Condition, word, words);
    }

    fn first_word(&self) -> TextRange {
        let rest = self.text.get(self.at..self.end).unwrap_or_default();
        let len = rest
            .iter()
            .take_while(|&&byte| byte.is_ascii_alphabetic() || byte == b'-');
        TextRange::new(self.at, self.at + len.count())
    }
}

/// A value without the sign that keeps make from printing the command which begins with it: `NVCC = @nvcc`, but neither
/// `CC = @CC@` nor `NAME = @`.
fn behind_silence(text: &[u8], value: TextRange) -> TextRange {
    let bytes = value.of(text);
    let blanks = bytes.len() - bytes.trim_ascii_start().len();
    let word = bytes.get(blanks..).unwrap_or_default();
    let mut parts = word.split(u8::is_ascii_whitespace);
    let command = parts.next().and_then(|word| word.strip_prefix(b"@"));
    let is_silenced = command.is_some_and(|rest| !rest.is_empty() && !rest.contains(&b'@'));
    let start = value.start + if is_silenced { blanks + 1 } else { 0 };
    TextRange::new(start, value.end)
}

/// Where the comment of a line starts, or the line's end.
fn comment(text: &[u8], line: TextRange) -> usize {
    let bytes = line.of(text);
    let found = memchr::memchr_iter(b'#', bytes).find(|&at| {
        let before = at.checked_sub(1).and_then(|at| bytes.get(at));
        before != Some(&b'\\')
    });
    found.map_or(line.end, |at| line.start + at)
}

/// A line's name and value around the sign that assigns; whether it has a colon of a rule's instead.
fn split(text: &[u8], line: TextRange) -> Option<(TextRange, Option<TextRange>, bool)> {
    let bytes = line.of(text);
    let mut colon = None;
    for (at, byte) in outside_references(bytes) {
        match byte {
            b':' if colon.is_none() && bytes.get(at + 1) != Some(&b'=') => {
                // `::=`, and the drive of a path of Windows'.
                let assigns = bytes.get(at + 1..at + 3) == Some(b":=");
                if !assigns && bytes.get(at + 1) != Some(&b'\\') {
                    colon = Some(at);
                }
            }
            b'=' => {
                let name = bytes.get(..at)?;
                let name = name.strip_suffix(b"::").or_else(|| name.strip_suffix(b":"));
                let name = name.unwrap_or(bytes.get(..at)?);
                let name = name
                    .strip_suffix(b"?")
                    .or_else(|| name.strip_suffix(b"+"))
                    .unwrap_or(name);
                let name = name.strip_suffix(b"!").unwrap_or(name);
                // `target: NAME = value`
                let start = colon.map_or(0, |colon| colon + 1);
                let name = name.get(start..)?;
                let blanks = name.len() - name.trim_ascii_start().len();
                let name_start = line.start + start + blanks;
                let name = TextRange::new(name_start, name_start + name.trim_ascii().len());
                if name.of(text).contains(&b' ') {
                    return Some((name, None, colon.is_some()));
                }
                return Some((
                    name,
                    Some(TextRange::new(line.start + at + 1, line.end)),
                    false,
                ));
            }
            _ => {}
        }
    }
    Some((
        TextRange::new(line.start, line.start),
        None,
        colon.is_some(),
    ))
}
