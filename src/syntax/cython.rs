//! Cython as far as it is Python: what is its own becomes Python that names the same things, with a
//! map back to the file. Where that fails the parser gives up locally, as on any broken text.

use super::is_identifier_part;
use super::lines::Logical;
use crate::text::{Fragment, TextRange};

/// A Cython file taken apart.
#[derive(Debug, Default)]
pub struct Cython {
    /// Its Python.
    pub python: Fragment,
    /// Its blocks of C declarations, each with the include of its header before it.
    pub externs: Vec<Fragment>,
    /// Where names stand in the rest of the file: no members, no keywords of calls, nothing in
    /// strings and comments.
    pub names: Vec<TextRange>,
}

impl Cython {
    /// Take a text apart.
    pub fn read(text: &[u8]) -> Self {
        let mut whole = Fragment::default();
        whole.push_verbatim(text, TextRange::new(0, text.len()));
        let mut reader = Reader {
            text,
            whole,
            out: Self::default(),
        };
        reader.lines();
        reader.out
    }
}

struct Reader<'t> {
    text: &'t [u8],
    whole: Fragment,
    out: Cython,
}

impl Reader<'_> {
    fn lines(&mut self) {
        let mut lines = Logical {
            text: self.text,
            at: 0,
        };
        // The indentation of the block of C definitions that is open.
        let mut inside: Option<usize> = None;
        while let Some((start, _)) = lines.next_start() {
            let end = lines.behind_logical(start);
            lines.at = end;
            let line = TextRange::new(start, end).of(self.text);
            let indent = line.len() - line.trim_ascii_start().len();
            let code = line.trim_ascii();
            if code.is_empty() || code.starts_with(b"#") {
                self.keep(start, end);
                continue;
            }
            if inside.is_some_and(|outer| indent <= outer) {
                inside = None;
            }
            let at = start + indent;
            if !is_block(code) {
                self.names(start, end);
            }
            if is_block(code) {
                let behind = self.behind_block(end, indent);
                if code.starts_with(b"cdef extern") {
                    self.declarations(at, end, behind);
                } else {
                    self.names(start, behind);
                }
                self.blank(start, at);
                lines.at = behind;
            } else if matches!(code, b"cdef:" | b"cdef nogil:" | b"cdef inline:") {
                inside = Some(indent);
                self.keep(start, at);
                self.out.python.push_decoded(b"if 1:\n");
            } else if code.starts_with(b"ctypedef ") || code.starts_with(b"include ") {
                self.blank(start, at);
            } else if let Some(import) = word_at(code, b"cimport") {
                self.keep(start, at + import);
                self.out.python.push_decoded(b"import");
                self.keep(at + import + b"cimport".len(), end);
            } else if let Some(skip) = front(code) {
                self.keep(start, at);
                self.definition(at + skip, end);
            } else if inside.is_some()
                || code.starts_with(b"def ")
                || code.starts_with(b"async def ")
            {
                self.keep(start, at);
                self.definition(at, end);
            } else {
                self.expressions(start, end);
            }
        }
    }

    /// Note the names between two places.
    fn names(&mut self, from: usize, to: usize) {
        let lines = Logical {
            text: self.text,
            at: from,
        };
        let byte = |at: usize| self.text.get(at).copied().unwrap_or(b'\n');
        let (mut at, mut before) = (from, b'\n');
        while at < to {
            let one = byte(at);
            if one == b'"' || one == b'\'' {
                at = lines.behind_string(at, one);
            } else if one == b'#' {
                while at < to && byte(at) != b'\n' {
                    at += 1;
                }
            } else if is_identifier_part(one) {
                let start = at;
                while is_identifier_part(byte(at)) {
                    at += 1;
                }
                let next = (at..to).find(|&at| !byte(at).is_ascii_whitespace());
                let equals = next.is_some_and(|at| byte(at) == b'=' && byte(at + 1) != b'=');
                let keyword = equals && matches!(before, b'(' | b',');
                if before != b'.' && !keyword && !one.is_ascii_digit() {
                    self.out.names.push(TextRange::new(start, at));
                }
            } else {
                at += 1;
            }
            if !one.is_ascii_whitespace() {
                before = one;
            }
        }
    }

    fn keep(&mut self, from: usize, to: usize) {
        self.out
            .python
            .push_part(&self.whole, TextRange::new(from, to.max(from)));
    }

    /// A statement that says nothing in place of the line that begins at `start`.
    fn blank(&mut self, start: usize, at: usize) {
        self.keep(start, at);
        self.out.python.push_decoded(b"pass\n");
    }

    /// Where the lines end that stand deeper than `indent`.
    fn behind_block(&self, from: usize, indent: usize) -> usize {
        let mut lines = Logical {
            text: self.text,
            at: from,
        };
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

    /// `cdef extern from "header":` and what is below it.
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
        let mut from = end;
        while from < behind {
            let rest = TextRange::new(from, behind).of(self.text);
            let line = rest.iter().position(|&byte| byte == b'\n');
            let to = line.map_or(behind, |at| from + at + 1);
            let comment = TextRange::new(from, to).of(self.text);
            let comment = comment.iter().position(|&byte| byte == b'#');
            code.push_verbatim(
                self.text,
                TextRange::new(from, comment.map_or(to, |at| from + at)),
            );
            code.push_decoded(b";\n");
            from = to;
        }
        self.out.externs.push(code);
    }

    /// A class, a function or variables with types of C.
    fn definition(&mut self, at: usize, end: usize) {
        let line = TextRange::new(at, end).of(self.text);
        if line.starts_with(b"class ") {
            self.keep(at, end);
            return;
        }
        let open = line.iter().position(|&byte| byte == b'(');
        let equals = line.iter().position(|&byte| byte == b'=');
        match (open, equals) {
            (Some(open), equals) if equals.is_none_or(|equals| open < equals) => {
                self.function(at, open, end);
            }
            (_, Some(equals)) => {
                let (name, _) = last_word(line.get(..equals).unwrap_or_default());
                let several = line.get(..equals).unwrap_or_default().contains(&b',');
                if several || name.is_empty() {
                    self.out.python.push_decoded(b"pass\n");
                } else {
                    self.keep(at + name.start, at + name.end);
                    self.out.python.push_decoded(b" ");
                    self.expressions(at + equals, end);
                }
            }
            _ => self.out.python.push_decoded(b"pass\n"),
        }
    }

    fn function(&mut self, at: usize, open: usize, end: usize) {
        let line = TextRange::new(at, end).of(self.text);
        let (name, _) = last_word(line.get(..open).unwrap_or_default());
        let close = closing(line, open);
        let (Some(close), false) = (close, name.is_empty()) else {
            self.out.python.push_decoded(b"pass\n");
            return;
        };
        let tail = line.get(close + 1..).unwrap_or_default();
        let Some(colon) = tail.iter().rposition(|&byte| byte == b':') else {
            // A declaration without a body.
            self.out.python.push_decoded(b"pass\n");
            return;
        };
        self.out.python.push_decoded(b"def ");
        self.keep(at + name.start, at + name.end);
        self.out.python.push_decoded(b"(");
        let mut from = open + 1;
        while from < close {
            let to = comma(line, from, close);
            self.parameter(at, from, to);
            if to < close {
                self.out.python.push_decoded(b",");
            }
            from = to + 1;
        }
        self.out.python.push_decoded(b")");
        self.keep(at + close + 1 + colon, end);
    }

    /// `float* x=1`: the name, and what stands behind it.
    fn parameter(&mut self, at: usize, from: usize, to: usize) {
        let line = TextRange::new(at, at + to).of(self.text);
        let one = line.get(from..to).unwrap_or_default();
        let end = one.iter().position(|byte| matches!(byte, b'=' | b':'));
        // `int[:, :] x`: the colon is the type's.
        let end = match end {
            Some(end)
                if one.get(end) == Some(&b':')
                    && one.get(..end).unwrap_or_default().contains(&b'[') =>
            {
                one.iter().position(|&byte| byte == b'=')
            }
            end => end,
        };
        let head = one.get(..end.unwrap_or(one.len())).unwrap_or_default();
        let (name, stars) = last_word(head);
        if name.is_empty() {
            // `*`, `/`
            self.keep(at + from, at + to);
            return;
        }
        self.out.python.push_decoded(&b"**"[..stars.min(2)]);
        self.keep(at + from + name.start, at + from + name.end);
        if let Some(end) = end {
            self.keep(at + from + end, at + to);
        }
    }

    /// Code without casts and addresses.
    fn expressions(&mut self, start: usize, end: usize) {
        let lines = Logical {
            text: self.text,
            at: start,
        };
        let (mut from, mut at) = (start, start);
        let mut before = b'(';
        while at < end {
            let byte = self.text.get(at).copied().unwrap_or(b'\n');
            match byte {
                b'"' | b'\'' => {
                    at = lines.behind_string(at, byte).min(end);
                    before = byte;
                    continue;
                }
                b'#' => {
                    while at < end && self.text.get(at) != Some(&b'\n') {
                        at += 1;
                    }
                    continue;
                }
                b'<' if opens(before)
                    && let Some(len) = self.cast(at, end) =>
                {
                    self.keep(from, at);
                    at += len;
                    from = at;
                    continue;
                }
                b'&' if opens(before) => {
                    self.keep(from, at);
                    at += 1;
                    from = at;
                    continue;
                }
                _ => {}
            }
            if !byte.is_ascii_whitespace() {
                before = byte;
            }
            at += 1;
        }
        self.keep(from, end);
    }

    /// How long the cast is that begins here.
    fn cast(&self, at: usize, end: usize) -> Option<usize> {
        let rest = TextRange::new(at, end).of(self.text);
        let close = rest.iter().position(|&byte| byte == b'>')?;
        let inside = rest.get(1..close)?;
        let part = |&byte: &u8| {
            is_identifier_part(byte)
                || matches!(byte, b' ' | b'*' | b'.' | b'[' | b']' | b':' | b',' | b'?')
        };
        (!inside.is_empty() && inside.iter().all(part)).then_some(close + 1)
    }
}

/// Whether an expression begins behind this byte.
fn opens(before: u8) -> bool {
    matches!(
        before,
        b'(' | b'=' | b',' | b'+' | b'-' | b'*' | b'/' | b'[' | b'{' | b':' | b'|' | b'%'
    )
}

/// A block that is C's throughout.
fn is_block(code: &[u8]) -> bool {
    let kinds: [&[u8]; 10] = [
        b"cdef extern ",
        b"cdef enum",
        b"cpdef enum",
        b"cdef struct ",
        b"cdef packed struct ",
        b"cdef union ",
        b"ctypedef struct ",
        b"ctypedef enum",
        b"ctypedef union ",
        b"ctypedef fused ",
    ];
    code.ends_with(b":") && kinds.iter().any(|kind| code.starts_with(kind))
}

/// How many bytes of Cython's own stand before a definition.
fn front(code: &[u8]) -> Option<usize> {
    let words: [&[u8]; 4] = [b"cdef ", b"cpdef ", b"DEF ", b"cdef\t"];
    words
        .iter()
        .find(|word| code.starts_with(word))
        .map(|word| word.len())
}

/// Where a word stands by itself in a line of import.
fn word_at(code: &[u8], word: &[u8]) -> Option<usize> {
    let import = code.starts_with(word) || code.starts_with(b"from ");
    let at = code.windows(word.len()).position(|window| window == word)?;
    let ends = code
        .get(at + word.len())
        .is_some_and(u8::is_ascii_whitespace);
    let begins = at == 0 || code.get(at - 1).is_some_and(u8::is_ascii_whitespace);
    (import && begins && ends).then_some(at)
}

/// The last identifier of a text, and how many stars stand right before it.
fn last_word(text: &[u8]) -> (TextRange, usize) {
    let end = text.trim_ascii_end().len();
    let bytes = text.get(..end).unwrap_or_default();
    let len = bytes
        .iter()
        .rev()
        .take_while(|byte| is_identifier_part(**byte))
        .count();
    let start = end - len;
    let before = text.get(..start).unwrap_or_default();
    let stars = before
        .iter()
        .rev()
        .take_while(|&&byte| byte == b'*')
        .count();
    let typed = before.trim_ascii_start().len() > stars;
    (TextRange::new(start, end), if typed { 0 } else { stars })
}

/// The bracket that closes the one at `open`.
fn closing(line: &[u8], open: usize) -> Option<usize> {
    let mut depth = 0usize;
    line.iter().enumerate().skip(open).find_map(|(at, byte)| {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        (depth == 0).then_some(at)
    })
}

/// The next comma that is in no bracket or string, or the end.
fn comma(line: &[u8], from: usize, end: usize) -> usize {
    let (mut depth, mut quote) = (0usize, None);
    for (at, &byte) in line.iter().enumerate().take(end).skip(from) {
        match (byte, quote) {
            (_, Some(open)) if byte == open => quote = None,
            (b'"' | b'\'', None) => quote = Some(byte),
            (b'(' | b'[' | b'{', None) => depth += 1,
            (b')' | b']' | b'}', None) => depth = depth.saturating_sub(1),
            (b',', None) if depth == 0 => return at,
            _ => {}
        }
    }
    end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_cythons_own_becomes_python() {
        let text = b"from libc.stdint cimport int64_t\ncdef extern from \"cuda_runtime.h\" nogil:\n    ctypedef void* cudaStream_t  # a stream\n\ncdef class A(B):\n    cdef int n\n    cdef float* p = <float*>malloc(n)\n    cpdef int f(self, float[:, ::1] x, int n=1, str d=\"a, b\", *args) except -1:\n        return g(&x[0], <int> n < 2)\n";
        let read = Cython::read(text);
        assert_eq!(
            String::from_utf8_lossy(read.python.text()),
            "from libc.stdint import int64_t\npass\nclass A(B):\n    pass\n    p = malloc(n)\n    def f(self,x,n=1,d=\"a, b\",*args):\n        return g(x[0],  n < 2)\n"
        );
        let code = read
            .externs
            .first()
            .map(|one| String::from_utf8_lossy(one.text()).into_owned());
        assert_eq!(
            code.as_deref(),
            Some("#include <cuda_runtime.h>\n    ctypedef void* cudaStream_t  ;\n\n;\n")
        );
    }
}
