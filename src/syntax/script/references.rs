//! References behind `$`: variables, functions, commands.

use super::scanner::{Scanner, is_name_start};
use super::{StatementKind, WordPart};
use crate::{identifier_at, is_identifier_part};
use torchada_text::TextRange;

/// The functions of make's whose last argument goes on behind further commas, and how many commas part their arguments.
const LAST_TAKES_COMMAS: &[(&[u8], usize)] = &[
    (b"error", 0),
    (b"eval", 0),
    (b"filter", 1),
    (b"filter-out", 1),
    (b"foreach", 2),
    (b"if", 2),
    (b"info", 0),
    (b"let", 2),
    (b"patsubst", 2),
    (b"sort", 0),
    (b"strip", 0),
    (b"subst", 2),
    (b"warning", 0),
];

impl Scanner<'_> {
    /// What stands behind `$`.
    pub(super) fn dollar(&mut self, parts: &mut Vec<WordPart>) {
        let start = self.at;
        let name = self.reference();
        let whole = TextRange::new(start, self.at.min(self.end));
        parts.push(match name {
            Some(name) => WordPart::Variable { name, whole },
            None => WordPart::Result(whole),
        });
    }

    /// Go over a reference. Returns the variable's name, where it is one's.
    fn reference(&mut self) -> Option<TextRange> {
        self.at += 1;
        let mut make = self.is_make;
        if make && self.peek() == Some(b'$') {
            self.at += 1;
            make = false;
        }
        match self.peek() {
            Some(open @ (b'(' | b'{')) => {
                let close = self.closing(open);
                let inner = TextRange::new((self.at + 1).min(close), close);
                let name = if !self.may_go_deeper() {
                    None
                } else if make {
                    self.make_reference(inner)
                } else if open == b'(' {
                    self.inside(inner, self.is_make, Self::shell);
                    None
                } else {
                    self.shell_reference(inner)
                };
                self.come_back();
                self.at = (close + 1).min(self.end);
                name
            }
            Some(byte) if is_name_start(byte) && !make => {
                let name = self.identifier(self.at, self.end);
                self.at = name.end;
                Some(name)
            }
            Some(byte) if !byte.is_ascii_whitespace() && !matches!(byte, b'"' | b'\'') => {
                self.at += 1;
                None
            }
            _ => None,
        }
    }

    /// Where the bracket that opens here closes.
    fn closing(&self, open: u8) -> usize {
        let close = if open == b'(' { b')' } else { b'}' };
        let mut depth = 0_usize;
        let mut at = self.at;
        while let Some(byte) = self.byte(at) {
            if byte == b'\\' {
                at += 1;
            } else if byte == open {
                depth += 1;
            } else if byte == close {
                depth -= 1;
                if depth == 0 {
                    return at;
                }
            }
            at += 1;
        }
        self.end
    }

    fn identifier(&self, from: usize, end: usize) -> TextRange {
        identifier_at(self.text.get(..end).unwrap_or_default(), from)
    }

    /// `${NAME:-default}`; `${{ … }}` is for whoever makes the script.
    fn shell_reference(&mut self, inner: TextRange) -> Option<TextRange> {
        let skip = inner.of(self.text).iter();
        let skip = skip.take_while(|byte| matches!(byte, b'#' | b'!')).count();
        let name = self.identifier(inner.start + skip, inner.end);
        if name.start == name.end {
            return None;
        }
        let rest = TextRange::new(name.end, inner.end);
        if let Some(b'%' | b'#' | b'/') = rest.of(self.text).first() {
            self.cut_off(name, rest);
            return Some(name);
        }
        let operator = rest.of(self.text).iter();
        let operator = operator.take_while(|byte| matches!(byte, b':' | b'-' | b'=' | b'+' | b'?'));
        let start = rest.start + operator.count();
        if start > rest.start && start < rest.end {
            let words = self.values(TextRange::new(start, rest.end), false);
            // `${NAME:?what is missing}`
            let asks = rest.of(self.text).trim_ascii_start().first() == Some(&b'?')
                || rest.of(self.text).starts_with(b":?");
            let kind = if asks {
                StatementKind::Document
            } else {
                StatementKind::Default
            };
            self.push(kind, name, words);
        }
        Some(name)
    }

    /// `${NAME%/bin/nvcc}`, `${NAME/old/new}`: a call whose arguments are the removed and the inserted text.
    fn cut_off(&mut self, name: TextRange, rest: TextRange) {
        let bytes = rest.of(self.text);
        let sign = bytes.first().copied().unwrap_or_default();
        let signs = bytes.iter().take_while(|&&byte| byte == sign).count();
        // A path's own slash is no sign.
        let signs = if sign == b'/' { signs.min(2) } else { signs };
        let pattern = TextRange::new(rest.start + signs, rest.end);
        let parts = (sign == b'/').then(|| {
            let mut slashes = memchr::memchr_iter(b'/', pattern.of(self.text));
            slashes.find(|&at| self.byte(pattern.start + at - usize::from(at > 0)) != Some(b'\\'))
        });
        let end = parts.flatten().map_or(pattern.end, |at| pattern.start + at);
        let mut words = self.values(TextRange::new(pattern.start, end), false);
        let behind = TextRange::new((end + 1).min(rest.end), rest.end);
        words.extend(self.values(behind, false));
        self.push(StatementKind::Call, name, words);
    }

    /// `$(NAME)`, `$(NAME:%=-l%)`, `$(shell …)`, `$(info …)`.
    fn make_reference(&mut self, inner: TextRange) -> Option<TextRange> {
        let head = inner.of(self.text).iter();
        let head =
            head.take_while(|&&byte| is_identifier_part(byte) || byte == b'-' || byte == b'.');
        let name = TextRange::new(inner.start, inner.start + head.count());
        let rest = TextRange::new(name.end, inner.end);
        match self.text.get(name.end).filter(|_| rest.start < rest.end) {
            None => Some(name),
            Some(b' ' | b'\t') => {
                if name.of(self.text) == b"shell" {
                    self.inside(rest, true, Self::shell);
                } else {
                    let mut known = LAST_TAKES_COMMAS.iter();
                    let known = known.find(|(function, _)| *function == name.of(self.text));
                    let commas = known.map_or(usize::MAX, |&(_, commas)| commas);
                    let words = self.arguments(rest, commas);
                    self.push(StatementKind::Call, name, words);
                }
                None
            }
            Some(b':') => {
                let words = self.values(TextRange::new(rest.start + 1, rest.end), true);
                self.push(StatementKind::Call, name, words);
                Some(name)
            }
            Some(_) => {
                let words = self.values(inner, true);
                let head = TextRange::new(inner.start, inner.start);
                self.push(StatementKind::Call, head, words);
                None
            }
        }
    }
}
