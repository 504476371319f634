//! Lines of Python, told without a tree.

/// Goes through the logical lines of a text: those that brackets, long strings and backslashes
/// carry on count as one.
pub(super) struct Logical<'t> {
    pub(super) text: &'t [u8],
    pub(super) at: usize,
}

impl Logical<'_> {
    /// The physical line at which the next logical one begins.
    pub(super) fn next_start(&self) -> Option<(usize, usize)> {
        let rest = self.text.get(self.at..).filter(|rest| !rest.is_empty())?;
        let len = rest.iter().position(|&byte| byte == b'\n');
        Some((self.at, self.at + len.map_or(rest.len(), |at| at + 1)))
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
                b'#' => {
                    while byte(at).is_some_and(|one| one != b'\n') {
                        at += 1;
                    }
                }
                b'"' | b'\'' => at = self.behind_string(at - 1, one),
                _ => {}
            }
        }
        self.text.len()
    }

    pub(super) fn behind_string(&self, from: usize, quote: u8) -> usize {
        let long = [quote; 3];
        let starts = |at: usize, with: &[u8]| {
            self.text
                .get(at..)
                .is_some_and(|rest| rest.starts_with(with))
        };
        let is_long = starts(from, &long);
        let close: &[u8] = if is_long { &long } else { &long[..1] };
        let mut at = from + close.len();
        while at < self.text.len() {
            if starts(at, close) {
                return at + close.len();
            }
            match self.text.get(at) {
                Some(b'\\') => at += 2,
                Some(b'\n') if !is_long => return at,
                _ => at += 1,
            }
        }
        self.text.len()
    }
}
