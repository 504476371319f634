//! Notebooks of Jupyter: the code of their cells as one text, with a map back to the file.
//!
//! The cells of a notebook share one namespace, so their code is one module. What is no Python in
//! them (`%magics`, `!commands`) becomes a statement and a comment of the same length: what stands
//! at a place of a cell stands at the same place of the text.

use std::borrow::Cow;
use std::sync::Arc;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::lines::Logical;
use crate::text::{Fragment, TextRange};

/// Magics whose rest is Python.
#[derive(Clone, Copy, Debug)]
pub struct Magics<'a> {
    /// Of a line: `time`.
    pub line: &'a [String],
    /// Of a whole cell: `timeit`.
    pub cell: &'a [String],
}

/// A code cell.
#[derive(Clone, Debug)]
pub struct Cell {
    /// Its 1-based place among all cells of the notebook.
    pub number: usize,
    /// Where its code begins in the text of all cells.
    pub start: usize,
    /// Its code as people see it.
    pub source: Arc<[u8]>,
    /// Whether the file keeps it line by line.
    pub is_list: bool,
    /// Whether its first line hands it to another program.
    pub is_foreign: bool,
}

/// The code of a notebook.
#[derive(Debug)]
pub struct Notebook {
    /// The code of all cells, one behind the other.
    pub code: Fragment,
    /// The code cells.
    pub cells: Vec<Cell>,
    /// Lines in the code that are no Python.
    pub foreign: Vec<TextRange>,
    /// The language that the notebook names, if it does.
    pub language: Option<String>,
}

#[derive(Deserialize)]
struct File<'t> {
    #[serde(borrow, default)]
    cells: Vec<RawCell<'t>>,
    #[serde(borrow, default)]
    worksheets: Vec<Sheet<'t>>,
    #[serde(borrow, default)]
    metadata: Option<Metadata<'t>>,
}

/// Notebooks of the third format keep their cells in sheets.
#[derive(Deserialize)]
struct Sheet<'t> {
    #[serde(borrow, default)]
    cells: Vec<RawCell<'t>>,
}

#[derive(Deserialize)]
struct RawCell<'t> {
    #[serde(borrow, default)]
    cell_type: Cow<'t, str>,
    #[serde(borrow, default)]
    source: Option<&'t RawValue>,
    #[serde(borrow, default)]
    input: Option<&'t RawValue>,
}

#[derive(Deserialize)]
struct Metadata<'t> {
    #[serde(borrow, default)]
    kernelspec: Option<Named<'t>>,
    #[serde(borrow, default)]
    language_info: Option<Named<'t>>,
}

#[derive(Deserialize)]
struct Named<'t> {
    #[serde(borrow, default)]
    language: Option<Cow<'t, str>>,
    #[serde(borrow, default)]
    name: Option<Cow<'t, str>>,
}

impl Notebook {
    /// Read a notebook.
    ///
    /// # Errors
    /// What is wrong with the file, where it is no notebook.
    pub fn read(text: &[u8], magics: Magics<'_>) -> Result<Self, String> {
        let text = std::str::from_utf8(text).map_err(|fault| fault.to_string())?;
        let file: File<'_> = serde_json::from_str(text).map_err(|fault| fault.to_string())?;
        let mut notebook = Self {
            code: Fragment::default(),
            cells: Vec::new(),
            foreign: Vec::new(),
            language: file.metadata.and_then(language),
        };
        let sheets = file.worksheets.into_iter().flat_map(|sheet| sheet.cells);
        for (at, cell) in file.cells.into_iter().chain(sheets).enumerate() {
            if let Some(source) = cell.source.or(cell.input)
                && cell.cell_type == "code"
            {
                notebook.push(text, source, at + 1, magics)?;
            }
        }
        Ok(notebook)
    }

    fn push(
        &mut self,
        text: &str,
        source: &RawValue,
        number: usize,
        magics: Magics<'_>,
    ) -> Result<(), String> {
        let raw = source.get();
        // The value is a part of the text.
        let at = (raw.as_ptr() as usize).wrapping_sub(text.as_ptr() as usize);
        if text.get(at..at + raw.len()) != Some(raw) {
            return Err("the place of a cell's source is not known".to_owned());
        }
        let mut decoded = Fragment::default();
        let is_list = raw.starts_with('[');
        if !is_list && !raw.starts_with('"') {
            return Err("the source of a cell is neither a text nor a list of texts".to_owned());
        }
        let bytes = text.as_bytes();
        let mut from = at;
        while from < at + raw.len() {
            if bytes.get(from) == Some(&b'"') {
                from = push_string(&mut decoded, bytes, from + 1);
            } else {
                from += 1;
            }
        }
        let start = self.code.text().len();
        let is_foreign = self.push_code(&decoded, magics);
        self.cells.push(Cell {
            number,
            start,
            source: decoded.text().into(),
            is_list,
            is_foreign,
        });
        self.code.push_decoded(b"\n");
        Ok(())
    }

    /// Append the code of a cell. Returns whether the cell is in another language.
    fn push_code(&mut self, cell: &Fragment, magics: Magics<'_>) -> bool {
        let text = cell.text();
        let mut lines = Logical { text, at: 0 };
        let mut first = true;
        while let Some((line, end)) = lines.next_start() {
            let body = TextRange::new(line, end).of(text);
            if body.trim_ascii().is_empty() {
                self.code.push_part(cell, TextRange::new(line, end));
                lines.at = end;
                continue;
            }
            let indent = body.len() - body.trim_ascii_start().len();
            let word = body.get(indent..).unwrap_or_default();
            if first
                && let Some(name) = word.strip_prefix(b"%%")
                && !is_named(name, magics.cell)
            {
                self.push_foreign_cell(cell, line);
                return true;
            }
            first = false;
            match magic(word, magics) {
                Magic::None => {
                    let end = lines.behind_logical(line);
                    self.code.push_part(cell, TextRange::new(line, end));
                    lines.at = end;
                }
                Magic::Front(len) => {
                    self.code
                        .push_part(cell, TextRange::new(line, line + indent));
                    let mut front = b"0;".to_vec();
                    front.resize(len, b' ');
                    self.code.push_decoded(&front);
                    let rest = line + indent + len;
                    let end = lines.behind_logical(rest);
                    self.code.push_part(cell, TextRange::new(rest, end));
                    lines.at = end;
                }
                Magic::At(offset) => {
                    let mark = line + indent + offset;
                    let base = self.code.text().len();
                    self.code.push_part(cell, TextRange::new(line, mark));
                    let hidden = end.min(mark + 2) - mark;
                    self.code
                        .push_decoded(b"0#".get(..hidden).unwrap_or_default());
                    self.code
                        .push_part(cell, TextRange::new(mark + hidden, end));
                    let long = TextRange::new(base + indent, base + body.trim_ascii_end().len());
                    self.foreign.push(long);
                    lines.at = end;
                }
            }
        }
        false
    }

    /// A cell in another language: comments.
    fn push_foreign_cell(&mut self, cell: &Fragment, from: usize) {
        let text = cell.text();
        let mut at = from;
        for line in text
            .get(from..)
            .unwrap_or_default()
            .split_inclusive(|&byte| byte == b'\n')
        {
            let end = at + line.len();
            let base = self.code.text().len();
            if line.trim_ascii().is_empty() {
                self.code.push_part(cell, TextRange::new(at, end));
            } else {
                self.code.push_decoded(b"#");
                self.code.push_part(cell, TextRange::new(at + 1, end));
                let shown = line.trim_ascii_end().len();
                self.foreign.push(TextRange::new(base, base + shown));
            }
            at = end;
        }
    }

    /// The cell that holds an offset of the code.
    pub fn cell_at(&self, offset: usize) -> Option<&Cell> {
        let behind = self.cells.partition_point(|cell| cell.start <= offset);
        self.cells.get(behind.checked_sub(1)?)
    }
}

fn language(metadata: Metadata<'_>) -> Option<String> {
    let spec = metadata.kernelspec.and_then(|spec| spec.language);
    let info = metadata.language_info.and_then(|info| info.name);
    spec.or(info).map(|name| name.to_ascii_lowercase())
}

/// Append the string of JSON whose content begins at `from`; returns the offset behind its quote.
fn push_string(into: &mut Fragment, bytes: &[u8], from: usize) -> usize {
    let (mut start, mut at) = (from, from);
    let byte = |offset: usize| bytes.get(offset).copied().unwrap_or(b'"');
    loop {
        match byte(at) {
            b'"' => {
                into.push_verbatim(bytes, TextRange::new(start, at));
                return at + 1;
            }
            b'\\' => {
                into.push_verbatim(bytes, TextRange::new(start, at));
                let (letter, len) = escape(bytes, at);
                let mut buffer = [0; 4];
                let letter = letter.encode_utf8(&mut buffer);
                into.push_escape(letter.as_bytes(), TextRange::new(at, at + len));
                at += len;
                start = at;
            }
            _ => at += 1,
        }
    }
}

/// What an escape stands for, and how long it is.
fn escape(bytes: &[u8], at: usize) -> (char, usize) {
    let unit = |at: usize| {
        let digits = bytes.get(at + 2..at + 6)?;
        (bytes.get(at..at + 2) == Some(b"\\u"))
            .then(|| u32::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok())?
    };
    let plain = match bytes.get(at + 1) {
        Some(b'n') => '\n',
        Some(b't') => '\t',
        Some(b'r') => '\r',
        Some(b'b') => '\u{8}',
        Some(b'f') => '\u{c}',
        Some(b'u') => {
            let high = unit(at).unwrap_or(0xfffd);
            let low = unit(at + 6);
            return match low {
                Some(low @ 0xdc00..0xe000) if (0xd800..0xdc00).contains(&high) => {
                    let both = 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00);
                    (char::from_u32(both).unwrap_or('\u{fffd}'), 12)
                }
                _ => (char::from_u32(high).unwrap_or('\u{fffd}'), 6),
            };
        }
        Some(&other) => char::from(other),
        None => '\\',
    };
    (plain, 2)
}

enum Magic {
    None,
    /// A magic of so many bytes, with Python behind it.
    Front(usize),
    /// No Python from there to the end of the line.
    At(usize),
}

fn magic(line: &[u8], magics: Magics<'_>) -> Magic {
    match line.first() {
        Some(b'%') => {
            let name = line.get(1..).unwrap_or_default();
            let len = name
                .iter()
                .take_while(|byte| byte.is_ascii_alphanumeric())
                .count()
                + 1;
            let rest = line.get(len..).unwrap_or_default().trim_ascii();
            // An option is no Python.
            if is_named(name, magics.line) && !rest.is_empty() && !rest.starts_with(b"-") {
                return Magic::Front(len);
            }
            return Magic::At(0);
        }
        Some(b'!' | b'?') => return Magic::At(0),
        _ => {}
    }
    let trimmed = line.trim_ascii_end();
    if trimmed.ends_with(b"?") && !trimmed.contains(&b'#') {
        return Magic::At(0);
    }
    // `files = !ls`
    let equals = line.iter().position(|&byte| byte == b'=');
    let behind = equals.map(|at| {
        let rest = line.get(at + 1..).unwrap_or_default();
        at + 1 + rest.len() - rest.trim_ascii_start().len()
    });
    match behind {
        Some(at)
            if matches!(line.get(at), Some(b'!' | b'%')) && line.get(at + 1) != Some(&b'=') =>
        {
            Magic::At(at)
        }
        _ => Magic::None,
    }
}

fn is_named(text: &[u8], names: &[String]) -> bool {
    let end = text
        .iter()
        .position(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_');
    let word = text.get(..end.unwrap_or(text.len())).unwrap_or_default();
    names.iter().any(|name| name.as_bytes() == word)
}

/// Text as it stands between the quotes of a string in JSON.
pub fn json_escaped(text: &[u8]) -> Vec<u8> {
    let text = String::from_utf8_lossy(text);
    let quoted = serde_json::to_string(&text).unwrap_or_default();
    let inside = quoted.get(1..quoted.len().saturating_sub(1));
    inside.unwrap_or_default().as_bytes().to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(cells: &str) -> (String, Vec<String>) {
        let (line, cell) = (["time".to_owned()], ["capture".to_owned()]);
        let magics = Magics {
            line: &line,
            cell: &cell,
        };
        let text = format!("{{\"cells\": [{cells}], \"metadata\": {{}}}}");
        let notebook = Notebook::read(text.as_bytes(), magics).expect("a notebook");
        let shown = |range: &TextRange| {
            String::from_utf8_lossy(range.of(notebook.code.text())).into_owned()
        };
        let foreign = notebook.foreign.iter().map(shown).collect();
        (
            String::from_utf8_lossy(notebook.code.text()).into_owned(),
            foreign,
        )
    }

    #[test]
    fn only_code_is_read_and_magics_keep_their_length() {
        let (text, foreign) = code(
            r#"{"cell_type": "markdown", "source": "x"},
               {"cell_type": "code", "source": ["%time a = \"\\n\"\n", "!ls\n", "b = (1\n", "% c)\n", "d = %pwd"]},
               {"cell_type": "code", "source": "%%bash\nls \u00e9"}"#,
        );
        assert_eq!(
            text,
            "0;    a = \"\\n\"\n0#s\nb = (1\n% c)\nd = 0#wd\n#%bash\n#s \u{e9}\n"
        );
        assert_eq!(foreign, ["0#s", "d = 0#wd", "#%bash", "#s \u{e9}"]);
    }
}
