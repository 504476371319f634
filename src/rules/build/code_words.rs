//! Words of C++ in the texts of build files, which write them into files or hand them to compilers.

use super::unit::BuildUnit;
use torchada_mapping::{Row, Section};
use torchada_syntax::is_identifier_part;
use torchada_text::TextRange;

/// What has a file of code by itself.
const INCLUDE: &[u8] = b"#include";

/// What the tables have for a word of code.
pub struct CodeWord<'u> {
    /// The word, with the ending of a header.
    pub place: TextRange,
    /// Its counterpart.
    pub to: String,
    /// The row that has it.
    pub row: &'u Row,
}

/// Whether a text is code of C or C++: a line of it includes a header.
pub fn is_code(text: &[u8]) -> bool {
    let mut lines = text.split(|&byte| byte == b'\n');
    lines.any(|line| line.trim_ascii_start().starts_with(INCLUDE))
}

/// The words of CUDA's in a stretch of code, in which `#` begins no comment.
pub fn words(unit: &BuildUnit<'_>, within: TextRange) -> Vec<TextRange> {
    let stems = &unit.context.knowledge.builds.words;
    let mut start = within.start;
    let mut found = Vec::new();
    for word in within
        .of(unit.text)
        .split(|&byte| !is_identifier_part(byte))
    {
        if stems.is_cudas(word) {
            found.push(TextRange::new(start, start + word.len()));
        }
        start += word.len() + 1;
    }
    found
}

/// What the tables have for a word.
pub fn counterpart<'u>(unit: &BuildUnit<'u>, word: TextRange) -> Option<CodeWord<'u>> {
    let tables = unit.context.tables;
    let header = TextRange::new(word.start, word.end + 2);
    let (place, row, to) = if header.of(unit.text).ends_with(b".h") {
        let shown = unit.shown(header);
        let row = tables.header(&shown)?;
        (header, row, row.header_target(&shown)?)
    } else {
        let row = tables.get(Section::Names, word.of(unit.text))?;
        (word, row, row.to.as_deref()?.to_owned())
    };
    Some(CodeWord { place, to, row })
}
