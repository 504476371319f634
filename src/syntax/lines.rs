//! Logical lines of Python, found without a tree.

/// Goes through the logical lines of a text: those that brackets, long strings and backslashes
/// carry on count as one.
pub(super) struct Logical<'t> {
    text: &'t [u8],
    /// Where the next one begins.
    pub(super) at: usize,
}

impl<'t> Logical<'t> {
    /// The logical lines of `text`, from the line on that begins at `at`.
    pub(super) fn new(text: &'t [u8], at: usize) -> Self {
        Self { text, at }
    }

    /// The physical line at which the next logical one begins, its line end included.
    pub(super) fn next_start(&self) -> Option<(usize, usize)> {
        let end = line_end(self.text, self.at) + 1;
        (self.at < self.text.len()).then_some((self.at, end.min(self.text.len())))
    }

    /// Where the logical line ends that goes on at `from`, its line end included.
    pub(super) fn behind_logical(&self, from: usize) -> usize {
        let byte = |at: usize| self.text.get(at).copied();
        let (mut at, mut depth) = (from, 0usize);
        while let Some(one) = byte(at) {
            at += 1;
            match one {
                b'\n' if depth == 0 => return at,
                b'\\' if byte(at) == Some(b'\r') => at += 2,
                b'\\' => at += 1,
                b'(' | b'[' | b'{' => depth += 1,
                b')' | b']' | b'}' => depth = depth.saturating_sub(1),
                b'#' | b'"' | b'\'' => at = skip(self.text, at - 1),
                _ => {}
            }
        }
        self.text.len()
    }
}

/// The place behind the string, comment or byte at a place.
pub(super) fn skip(bytes: &[u8], at: usize) -> usize {
    match bytes.get(at) {
        Some(b'"' | b'\'') => behind_string(bytes, at),
        Some(b'#') => line_end(bytes, at),
        _ => at + 1,
    }
}

/// The end of the line that goes on at a place, its line end not included.
pub(super) fn line_end(bytes: &[u8], at: usize) -> usize {
    let rest = bytes.get(at..).unwrap_or_default();
    at + memchr::memchr(b'\n', rest).unwrap_or(rest.len())
}

/// The place behind the string whose first quote stands at a place. One that no quote closes ends with
/// its line.
pub(super) fn behind_string(bytes: &[u8], at: usize) -> usize {
    let rest = bytes.get(at..).unwrap_or_default();
    let Some(&quote) = rest.first() else {
        return at;
    };
    let triple = rest.starts_with(&[quote; 3]);
    let mut here = if triple { 3 } else { 1 };
    loop {
        let inside = rest.get(here..).unwrap_or_default();
        // A string with one quote at each end goes no further than its line.
        let last = if triple { quote } else { b'\n' };
        let Some(next) = memchr::memchr3(quote, b'\\', last, inside) else {
            return bytes.len();
        };
        here += next;
        match rest.get(here) {
            Some(b'\\') => here += 2,
            Some(b'\n') => return at + here,
            _ if !triple => return at + here + 1,
            _ if rest.get(here..here + 3) == Some(&[quote; 3][..]) => return at + here + 3,
            _ => here += 1,
        }
    }
}
