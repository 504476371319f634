//! Blocks that hold nothing but C: declarations from a header, structs, enums and unions.

use super::Reader;
use crate::syntax::lines::Logical;
use crate::text::{Fragment, TextRange};

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
            lines.at = end;
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
            let angled = name.of(self.text).starts_with(b"<");
            code.push_decoded(if angled { b"#include " } else { b"#include <" });
            code.push_verbatim(self.text, name);
            code.push_decoded(if angled { b"\n" } else { b">\n" });
        }
        let mut lines = Logical::new(self.text, end);
        while let Some((from, to)) = lines.next_start()
            && from < behind
        {
            let comment = TextRange::new(from, to).of(self.text);
            let comment = comment.iter().position(|&byte| byte == b'#');
            code.push_verbatim(
                self.text,
                TextRange::new(from, comment.map_or(to, |at| from + at)),
            );
            code.push_decoded(b";\n");
            lines.at = to;
        }
        self.out.externs.push(code);
    }
}
