//! Blocks that hold nothing but C: declarations from a header, structs, enums and unions.

use super::Reader;
use crate::is_identifier_part;
use crate::lines::{Logical, skip};
use torchada_text::{Fragment, TextRange};

impl Reader<'_> {
    /// A block of C's: a statement that says nothing. Returns where it ends.
    pub(super) fn block(&mut self, at: usize, end: usize, indent: usize) -> usize {
        let behind = self.behind_block(end, indent);
        if TextRange::new(at, end)
            .of(self.text)
            .starts_with(b"cdef extern")
        {
            self.declarations(at, end, behind);
        } else {
            self.names(at, behind);
        }
        self.pass();
        behind
    }

    /// Where the lines end that stand deeper than `indent`.
    fn behind_block(&self, from: usize, indent: usize) -> usize {
        let mut lines = Logical::new(self.text, from);
        while let Some((start, end)) = lines.next_start() {
            let line = TextRange::new(start, end).of(self.text);
            let deeper = line.len() - line.trim_ascii_start().len() > indent;
            if !line.trim_ascii().is_empty() && !deeper {
                return start;
            }
            lines.at = lines.behind_logical(start);
        }
        self.text.len()
    }

    /// `cdef extern from "header":` and the declarations below it.
    fn declarations(&mut self, at: usize, end: usize, behind: usize) {
        let mut code = Fragment::default();
        let head = TextRange::new(at, end).of(self.text);
        let quote = head.iter().position(|byte| matches!(byte, b'"' | b'\''));
        let name = quote.and_then(|open| {
            let rest = head.get(open + 1..)?;
            let close = rest.iter().position(|byte| matches!(byte, b'"' | b'\''))?;
            Some(TextRange::new(at + open + 1, at + open + 1 + close))
        });
        if let Some(name) = name {
            self.out.headers.push(name);
            let angled = name.of(self.text).starts_with(b"<");
            code.push_decoded(if angled { b"#include " } else { b"#include <" });
            code.push_verbatim(self.text, name);
            code.push_decoded(if angled { b"\n" } else { b">\n" });
        }
        let mut lines = Logical::new(self.text, end);
        while let Some((from, _)) = lines.next_start()
            && from < behind
        {
            let to = lines.behind_logical(from).min(behind);
            self.declaration(&mut code, from, to);
            lines.at = to;
        }
        self.out.externs.push(code);
    }

    /// A line of a block. A long string in it is C itself, and what stands in quotes behind a name is what C calls it.
    fn declaration(&mut self, code: &mut Fragment, from: usize, to: usize) {
        let line = TextRange::new(from, to).of(self.text);
        let (mut at, mut done) = (from, from);
        let keyword = from + line.len() - line.trim_ascii_start().len();
        if line.trim_ascii_start().starts_with(b"ctypedef ") {
            code.push_verbatim(self.text, TextRange::new(from, keyword));
            code.push_decoded(b"typedef");
            (at, done) = (keyword + b"ctypedef".len(), keyword + b"ctypedef".len());
        }
        // The name that ends right before `at`, apart from blanks.
        let mut name: Option<TextRange> = None;
        while at < to {
            let next = skip(self.text, at).min(to);
            match self.text.get(at) {
                Some(b'#') => {
                    code.push_verbatim(self.text, TextRange::new(done, at));
                    done = next;
                }
                Some(quote @ (b'"' | b'\'')) => {
                    let triple =
                        TextRange::new(at, (at + 3).min(next)).of(self.text) == [*quote; 3];
                    let marks = if triple { 3 } else { 1 };
                    // Nothing may close the quote.
                    let start = at + marks;
                    let inner = TextRange::new(start, next.saturating_sub(marks).max(start));
                    let is_c = triple || name.is_some();
                    if is_c && inner.start < inner.end {
                        self.out.own.extend(name);
                        let before = name.map_or(at, |name| name.start);
                        code.push_verbatim(self.text, TextRange::new(done, before));
                        code.push_verbatim(self.text, inner);
                        done = next;
                    }
                    name = None;
                }
                Some(byte) if is_identifier_part(*byte) => {
                    let start = name.filter(|name| name.end == at);
                    name = Some(TextRange::new(start.map_or(at, |name| name.start), next));
                }
                Some(b' ' | b'\t') => {}
                _ => name = None,
            }
            at = next;
        }
        code.push_verbatim(self.text, TextRange::new(done, to));
        code.push_decoded(b";\n");
    }
}
