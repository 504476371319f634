//! A notebook as a file of JSON: its cells, and the values of their strings with a map to the places in the file.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

use torchada_text::{Fragment, TextRange};

/// The parts of a notebook that are read.
#[derive(Deserialize)]
pub(super) struct NotebookFile<'t> {
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
    kernelspec: Option<LanguageInfo<'t>>,
    #[serde(borrow, default)]
    language_info: Option<LanguageInfo<'t>>,
}

#[derive(Deserialize)]
struct LanguageInfo<'t> {
    #[serde(borrow, default)]
    language: Option<Cow<'t, str>>,
    #[serde(borrow, default)]
    name: Option<Cow<'t, str>>,
}

/// Read a file.
pub(super) fn file(text: &str) -> Result<NotebookFile<'_>, String> {
    serde_json::from_str(text).map_err(|fault| fault.to_string())
}

impl<'t> NotebookFile<'t> {
    /// The language that it names, in small letters.
    pub(super) fn language(&self) -> Option<String> {
        let metadata = self.metadata.as_ref()?;
        let spec = metadata.kernelspec.as_ref();
        let info = metadata.language_info.as_ref();
        let name = spec
            .and_then(|spec| spec.language.as_ref())
            .or(info.and_then(|info| info.name.as_ref()))?;
        Some(name.to_ascii_lowercase())
    }

    /// The sources of the code cells, each with the cell's 1-based place among all cells.
    pub(super) fn code(&self) -> impl Iterator<Item = (usize, &'t RawValue)> {
        let sheets = self.worksheets.iter().flat_map(|sheet| &sheet.cells);
        let cells = self.cells.iter().chain(sheets).enumerate();
        cells
            .filter(|(_, cell)| cell.cell_type == "code")
            .filter_map(|(at, cell)| Some((at + 1, cell.source.or(cell.input)?)))
    }
}

/// The text that a cell's source stands for, and whether the source is a list of texts. `text` is the whole file.
pub(super) fn decoded(text: &str, source: &RawValue) -> Result<(Fragment, bool), String> {
    let raw = source.get();
    // The value is a part of the text.
    let at = (raw.as_ptr() as usize).wrapping_sub(text.as_ptr() as usize);
    if text.get(at..at + raw.len()) != Some(raw) {
        return Err("the place of a cell's source is not known".to_owned());
    }
    let is_list = raw.starts_with('[');
    if !is_list && !raw.starts_with('"') {
        return Err("the source of a cell is neither a text nor a list of texts".to_owned());
    }
    let mut decoded = Fragment::default();
    let bytes = text.as_bytes();
    let mut from = at;
    while from < at + raw.len() {
        if bytes.get(from) == Some(&b'"') {
            from = push_string(&mut decoded, bytes, from + 1);
        } else {
            from += 1;
        }
    }
    Ok((decoded, is_list))
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

/// The letter that an escape stands for, and the length of the escape.
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

/// Text as it stands between the quotes of a string in JSON.
pub fn json_escaped(text: &[u8]) -> Vec<u8> {
    let text = String::from_utf8_lossy(text);
    let quoted = serde_json::to_string(&text).unwrap_or_default();
    let inside = quoted.get(1..quoted.len().saturating_sub(1));
    inside.unwrap_or_default().as_bytes().to_vec()
}
