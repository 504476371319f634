//! Code inside another file: in a string literal, a template or a notebook's cell.

use super::TextRange;

/// A run of bytes of which it is known where they stand in the file.
#[derive(Clone, Copy, Debug)]
struct Segment {
    /// Offset in the fragment.
    at: usize,
    len: usize,
    /// Offset in the file.
    file: usize,
    file_len: usize,
    /// Whether they stand there exactly as in the fragment.
    verbatim: bool,
}

impl Segment {
    fn end(&self) -> usize {
        self.at + self.len
    }

    fn file_end(&self) -> usize {
        self.file + self.file_len
    }
}

/// Code taken out of a file, with a map back to it. Bytes that stand in the file in another form
/// (an escape, a closing and an opening quote between two literals) belong to no verbatim segment: an
/// edit can't reach them one by one.
#[derive(Clone, Default, Debug)]
pub struct Fragment {
    text: Vec<u8>,
    segments: Vec<Segment>,
}

impl Fragment {
    /// Append the bytes of `file` at `range` as they are.
    pub fn push_verbatim(&mut self, file: &[u8], range: TextRange) {
        self.push(range.of(file), range, true);
    }

    /// Append what an escape at `range` of the file stands for.
    pub fn push_escape(&mut self, bytes: &[u8], range: TextRange) {
        self.push(bytes, range, false);
    }

    fn push(&mut self, bytes: &[u8], range: TextRange, verbatim: bool) {
        if bytes.is_empty() {
            return;
        }
        self.segments.push(Segment {
            at: self.text.len(),
            len: bytes.len(),
            file: range.start,
            file_len: range.len(),
            verbatim,
        });
        self.text.extend_from_slice(bytes);
    }

    /// Append a part of another fragment of the same file.
    pub fn push_part(&mut self, of: &Self, range: TextRange) {
        let base = self.text.len();
        let first = of
            .segments
            .partition_point(|segment| segment.end() <= range.start);
        for segment in of.segments.iter().skip(first) {
            if segment.at >= range.end {
                break;
            }
            let start = segment.at.max(range.start);
            let end = segment.end().min(range.end);
            let mut part = *segment;
            if segment.verbatim {
                part.file += start - segment.at;
                part.file_len = end - start;
            } else if end - start != segment.len {
                continue;
            }
            part.at = base + start - range.start;
            part.len = end - start;
            self.segments.push(part);
        }
        self.text.extend_from_slice(range.of(&of.text));
    }

    /// Append other bytes in place of a part of another fragment of the same file, as many as it has: an edit of them
    /// reaches the part.
    pub fn push_in_place_of(&mut self, of: &Self, range: TextRange, shown: &[u8]) {
        let base = self.text.len();
        self.push_part(of, range);
        if let Some(place) = self.text.get_mut(base..)
            && place.len() == shown.len()
        {
            place.copy_from_slice(shown);
        }
    }

    /// Append bytes that stand in the file in another form.
    pub fn push_decoded(&mut self, bytes: &[u8]) {
        self.text.extend_from_slice(bytes);
    }

    /// Append the body of a C string literal: `body` is the range between its quotes.
    pub fn push_c_string(&mut self, file: &[u8], body: TextRange) {
        let mut from = body.start;
        let mut at = body.start;
        let byte = |offset: usize| file.get(offset).copied().unwrap_or(0);
        while at < body.end {
            if byte(at) != b'\\' {
                at += 1;
                continue;
            }
            self.push_verbatim(file, TextRange::new(from, at));
            let (decoded, len): (&[u8], usize) = match byte(at + 1) {
                b'n' => (b"\n", 2),
                b't' => (b"\t", 2),
                b'r' => (b"\r", 2),
                b'"' => (b"\"", 2),
                b'\'' => (b"'", 2),
                b'\\' => (b"\\", 2),
                b'\n' => (b"", 2),
                b'\r' => (b"", 3),
                _ => (b"?", 2),
            };
            self.push_decoded(decoded);
            at = (at + len).min(body.end);
            from = at;
        }
        self.push_verbatim(file, TextRange::new(from, body.end));
    }

    /// The code.
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// The range of the file that holds exactly these bytes of the fragment; `None` where an
    /// escape or a seam lies in between.
    pub fn to_file(&self, range: TextRange) -> Option<TextRange> {
        let behind = self
            .segments
            .partition_point(|segment| segment.at <= range.start);
        let segment = self.segments.get(behind.checked_sub(1)?)?;
        let start = range.start - segment.at;
        (segment.verbatim && start + range.len() <= segment.len)
            .then(|| TextRange::new(segment.file + start, segment.file + start + range.len()))
    }

    /// The range of the file that these bytes of the fragment come from, whole escapes among them;
    /// `None` where the range cuts an escape, or where something else stands in between.
    pub fn spread(&self, range: TextRange) -> Option<TextRange> {
        let first = self
            .segments
            .partition_point(|segment| segment.end() <= range.start);
        let Some(head) = self.segments.get(first) else {
            // The end of the text.
            let last = self.segments.last()?;
            let at_end = range.is_empty() && range.start == last.end();
            return at_end.then(|| TextRange::new(last.file_end(), last.file_end()));
        };
        let inside = range.start.checked_sub(head.at)?;
        if !head.verbatim && inside > 0 {
            return None;
        }
        let start = head.file + inside;
        if range.is_empty() {
            return Some(TextRange::new(start, start));
        }
        let mut before = head;
        for segment in self.segments.iter().skip(first) {
            let (at_seam, in_file) = (
                before.end() == segment.at,
                before.file_end() == segment.file,
            );
            if segment.at != head.at && !(at_seam && in_file) {
                return None;
            }
            if segment.end() >= range.end {
                let len = range.end - segment.at;
                if !segment.verbatim && len != segment.len {
                    return None;
                }
                let end = if segment.verbatim {
                    segment.file + len
                } else {
                    segment.file_end()
                };
                return Some(TextRange::new(start, end));
            }
            before = segment;
        }
        None
    }

    /// A range of the file for showing where these bytes of the fragment come from.
    pub fn near(&self, range: TextRange) -> TextRange {
        if let Some(exact) = self.to_file(range) {
            return exact;
        }
        let offset = |at: usize| {
            let behind = self.segments.partition_point(|segment| segment.at <= at);
            behind
                .checked_sub(1)
                .and_then(|last| self.segments.get(last))
                .or_else(|| self.segments.first())
                .map_or(0, |segment| {
                    segment.file + at.saturating_sub(segment.at).min(segment.file_len)
                })
        };
        let start = offset(range.start);
        TextRange::new(start, offset(range.end).max(start))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_string_is_decoded_and_its_names_are_mapped_back() {
        let file = br#"s = "int x;\n" "cudaMalloc(\"a\")";"#;
        let mut fragment = Fragment::default();
        fragment.push_c_string(file, TextRange::new(5, 13));
        fragment.push_c_string(file, TextRange::new(16, 33));
        assert_eq!(fragment.text(), b"int x;\ncudaMalloc(\"a\")");
        let name = TextRange::new(7, 17);
        assert_eq!(
            fragment.to_file(name).map(|r| r.of(file)),
            Some(&b"cudaMalloc"[..])
        );
        assert_eq!(fragment.to_file(TextRange::new(5, 8)), None);
    }
}
