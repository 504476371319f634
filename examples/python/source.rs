//! The code of a Python file or of a notebook's cells, with a map back to the file's bytes.

/// Code, and where each of its bytes stands in the file.
pub(crate) struct Source {
    /// The code.
    pub(crate) text: Vec<u8>,
    /// The file's offset for each byte of the code and for its end; none where they are equal.
    map: Option<Vec<usize>>,
}

impl Source {
    /// The code in a file of this name; the whole of it unless it is a notebook.
    pub(crate) fn new(path: &str, bytes: Vec<u8>) -> Self {
        if path
            .rsplit_once('.')
            .is_some_and(|(_, ending)| ending == "ipynb")
        {
            cells(&bytes)
        } else {
            Self {
                text: bytes,
                map: None,
            }
        }
    }

    /// Where a byte of the code stands in the file.
    pub(crate) fn in_file(&self, at: usize) -> usize {
        match &self.map {
            None => at,
            Some(map) => map.get(at).or(map.last()).copied().unwrap_or_default(),
        }
    }
}

/// The code cells of a notebook as Jupyter writes it: a line of code is a line of the file.
fn cells(bytes: &[u8]) -> Source {
    let mut text = Vec::new();
    let mut map = Vec::new();
    let (mut code, mut inside) = (false, false);
    let mut offset = 0;
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        let shown = line.trim_ascii();
        if inside && matches!(shown, b"]" | b"],") {
            inside = false;
            text.push(b'\n');
            map.push(offset);
        } else if inside {
            cell_line(line, offset, &mut text, &mut map);
        } else if shown.starts_with(b"\"cell_type\"") {
            code = shown.windows(6).any(|word| word == b"\"code\"");
        } else if code && shown == b"\"source\": [" {
            inside = true;
        }
        offset += line.len();
    }
    map.push(offset);
    Source {
        text,
        map: Some(map),
    }
}

/// One JSON string of a cell. A line for the shell or for the notebook itself becomes
/// a comment.
fn cell_line(line: &[u8], offset: usize, text: &mut Vec<u8>, map: &mut Vec<usize>) {
    let Some(open) = line.iter().position(|byte| *byte == b'"') else {
        return;
    };
    let first = text.len();
    let mut at = open + 1;
    while let Some(byte) = line.get(at) {
        let (byte, length) = match (byte, line.get(at + 1)) {
            (b'"', _) => break,
            (b'\\', Some(b'n')) => (b'\n', 2),
            (b'\\', Some(b't')) => (b'\t', 2),
            (b'\\', Some(b'u')) => (b'?', 6),
            (b'\\', Some(other)) => (*other, 2),
            (other, _) => (*other, 1),
        };
        text.push(byte);
        map.push(offset + at);
        at += length;
    }
    if let Some(sign) = text.get_mut(first)
        && matches!(sign, b'%' | b'!' | b'?')
    {
        *sign = b'#';
    }
}
