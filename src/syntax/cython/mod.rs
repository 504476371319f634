//! Reads Cython as Python: Cython's own constructs become Python that names the same things, with a
//! map back to the file. Where that fails the parser gives up locally, as on any broken text.

mod blocks;
mod definitions;
mod expressions;

use super::is_identifier_part;
use super::lines::Logical;
use super::python_strings;
use torchada_text::{Fragment, TextRange};

/// A Cython file taken apart.
#[derive(Clone, Debug, Default)]
pub struct Cython {
    /// Its Python.
    pub python: Fragment,
    /// Its blocks of C declarations, each with the include of its header before it. Where C has another name for what a
    /// block declares, in quotes, that one stands there.
    pub externs: Vec<Fragment>,
    /// The names of the headers of these blocks.
    headers: Vec<TextRange>,
    /// The names that Cython has for what C calls otherwise.
    pub own: Vec<TextRange>,
    /// The names that it takes from declarations of other modules, each behind the module's: `from a.b cimport c`.
    pub cimports: Vec<(TextRange, TextRange)>,
    /// The places of names in the rest of the file: no members, no keywords of calls, nothing in strings and comments.
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

    /// The places in the file of the strings that are values, and of the names of headers; `None` where the Python can't
    /// be parsed.
    pub fn strings(&self) -> Option<Vec<TextRange>> {
        let values = python_strings(self.python.text())?;
        let values = values.into_iter();
        let values = values.filter_map(|range| self.python.spread(range));
        let mut found: Vec<TextRange> = values.chain(self.headers.iter().copied()).collect();
        found.sort_unstable();
        Some(found)
    }
}

struct Reader<'t> {
    text: &'t [u8],
    whole: Fragment,
    out: Cython,
}

impl Reader<'_> {
    fn lines(&mut self) {
        let mut lines = Logical::new(self.text, 0);
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
            if is_block(code) {
                self.keep(start, at);
                lines.at = self.block(at, end, indent);
                continue;
            }
            self.names(start, end);
            if matches!(code, b"cdef:" | b"cdef nogil:" | b"cdef inline:") {
                inside = Some(indent);
                self.keep(start, at);
                self.out.python.push_decoded(b"if 1:\n");
            } else if code.starts_with(b"ctypedef ") || code.starts_with(b"include ") {
                self.keep(start, at);
                self.pass();
            } else if let Some(import) = word_at(code, b"cimport") {
                self.keep(start, at + import);
                self.cimports(at, at + import, end);
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

    /// Note the names that a line which begins at `start` takes from a module: those behind its `cimport`.
    fn cimports(&mut self, start: usize, cimport: usize, end: usize) {
        let front = TextRange::new(start, cimport);
        let words = |range| words_of(self.text, range);
        let [_, module] = *words(front).as_slice() else {
            return;
        };
        let behind = TextRange::new(cimport + b"cimport".len(), end);
        let comment = memchr::memchr(b'#', behind.of(self.text));
        let names = words(TextRange::new(
            behind.start,
            comment.map_or(end, |at| behind.start + at),
        ));
        let pairs = names.into_iter().map(|name| (module, name));
        self.out.cimports.extend(pairs);
    }

    fn keep(&mut self, from: usize, to: usize) {
        self.out
            .python
            .push_part(&self.whole, TextRange::new(from, to.max(from)));
    }

    /// A statement that says nothing in place of one.
    fn pass(&mut self) {
        self.out.python.push_decoded(b"pass\n");
    }
}

/// How many bytes of Cython's own stand before a definition.
fn front(code: &[u8]) -> Option<usize> {
    let words: [&[u8]; 4] = [b"cdef ", b"cpdef ", b"DEF ", b"cdef\t"];
    words
        .iter()
        .find(|word| code.starts_with(word))
        .map(|word| word.len())
}

/// The words of a stretch of a text, dotted names among them.
fn words_of(text: &[u8], within: TextRange) -> Vec<TextRange> {
    let part = |at: &usize| {
        let byte = text.get(*at);
        byte.is_some_and(|&byte| is_identifier_part(byte) || byte == b'.')
    };
    let mut found: Vec<TextRange> = Vec::new();
    for at in (within.start..within.end).filter(part) {
        match found.last_mut() {
            Some(last) if last.end == at => last.end += 1,
            _ => found.push(TextRange::new(at, at + 1)),
        }
    }
    found
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

/// A block that is C's throughout.
pub(super) fn is_block(code: &[u8]) -> bool {
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
            Some("#include <cuda_runtime.h>\n    typedef void* cudaStream_t  \n;\n\n;\n")
        );
    }

    #[test]
    fn what_c_calls_otherwise_stands_in_its_block_under_the_name_in_quotes() {
        let text = b"cdef extern from 'k.cuh':\n    \"\"\"\n#include <cuda.h>\n    \"\"\"\n    ctypedef struct Complex 'cuComplex':\n        float x  # a \"part\"\n    int start \"cuInit\"(int n,\n        str d=\"a b\")\n    ctypedef enum Kind 'cufftType_t'\nx = 1\n";
        let read = Cython::read(text);
        let code = read.externs.first();
        let code = code.map(|one| String::from_utf8_lossy(one.text()).into_owned());
        assert_eq!(
            code.as_deref(),
            Some(
                "#include <k.cuh>\n    \n#include <cuda.h>\n    \n;\n    typedef struct cuComplex:\n;\n        float x  \n;\n    int cuInit(int n,\n        str d=\"a b\")\n;\n    typedef enum cufftType_t\n;\n"
            )
        );
        let shown = |range: &TextRange| String::from_utf8_lossy(range.of(text)).into_owned();
        let own: Vec<String> = read.own.iter().map(shown).collect();
        assert_eq!(own, ["Complex", "start", "Kind"]);
        let strings: Vec<String> = read.strings().iter().flatten().map(shown).collect();
        assert_eq!(strings, ["k.cuh"]);
        assert_eq!(String::from_utf8_lossy(read.python.text()), "pass\nx = 1\n");
    }
}
