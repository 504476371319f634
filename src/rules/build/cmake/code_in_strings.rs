//! Words of code in the strings of a command, which writes them to a file or has them compiled.

use super::pass::Pass;
use torchada_mapping::Section;
use torchada_syntax::cmake::Command;
use torchada_text::TextRange;

/// Whether a command writes code.
pub(super) fn is_written(pass: &Pass<'_, '_>, command: &Command) -> bool {
    command
        .arguments
        .iter()
        .any(|argument| pass.word(argument).contains("#include"))
}

/// Translate a word of code in a string. Returns whether the tables have it.
pub(super) fn translate(pass: &mut Pass<'_, '_>, range: TextRange) -> bool {
    let tables = pass.unit.context.tables;
    let word = pass.text_of(range);
    let header = TextRange::new(range.start, range.end + 2);
    let (place, to) = if header.of(pass.unit.text).ends_with(b".h") {
        let shown = pass.text_of(header);
        (
            header,
            tables
                .header(shown)
                .and_then(|row| row.header_target(shown)),
        )
    } else {
        let row = tables.get(Section::Names, word.as_bytes());
        (
            range,
            row.and_then(|row| row.to.as_deref().map(str::to_owned)),
        )
    };
    to.is_some_and(|to| pass.edit(place, &to))
}
