//! Recognises a text in a string by its form: lines of C++, a piece of C++, a template, or a sentence.

use torchada_mapping::Embedded as Table;
use torchada_mapping::has;
use torchada_syntax::python::HOLE;
use torchada_text::contains;

/// The form of C++ that a text has.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum TextForm {
    /// Lines of C++.
    Statements,
    /// A piece with brackets or operators of C++.
    Piece,
}

/// The form of C++ that a text has, if it looks like C++ at all.
pub(super) fn form_of(text: &[u8]) -> Option<TextForm> {
    let trimmed = text.trim_ascii();
    let directive = trimmed.starts_with(b"#include") || contains(text, b"\n#include");
    // `cuda:{}` is no C++.
    let calls = contains(trimmed, b"(") || contains(trimmed, b";");
    let ends =
        matches!(trimmed.last(), Some(b';' | b'{' | b'}')) && calls && !ends_with_field(trimmed);
    if directive || ends || contains(text, b";\n") || contains(text, b"{\n") {
        return Some(TextForm::Statements);
    }
    // `cudart{}*.dll` is a pattern for the names of files.
    if contains(text, b"*.") && !calls && !text.iter().any(u8::is_ascii_whitespace) {
        return None;
    }
    let marks: [&[u8]; 6] = [b"(", b"::", b"*", b";", b"<<<", b"&"];
    marks
        .iter()
        .any(|mark| contains(text, mark))
        .then_some(TextForm::Piece)
}

/// Whether a text without a statement of C++ ends with a place where `format` puts something in: `cuDNN version: {version}`.
fn ends_with_field(text: &[u8]) -> bool {
    let field = text
        .strip_suffix(b"}")
        .and_then(|front| front.rsplit(|&byte| byte == b'{').next())
        .filter(|field| field.len() + 2 <= text.len());
    let is_of_name = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'!');
    field.is_some_and(|field| !field.is_empty() && field.iter().all(is_of_name))
        && !contains(text, b";")
}

/// Whether a text has a line that only Python has: `from a import b`, `import a`, `def f(…):`, `>>> a = f()`.
pub(super) fn has_pythons_lines(text: &[u8]) -> bool {
    text.split(|&byte| byte == b'\n').any(|line| {
        let line = line.trim_ascii();
        // `>>> (in, out);` ends a launch.
        if line.starts_with(b">>> ") && !line.starts_with(b">>> (") {
            return true;
        }
        let is_name = |one: &u8| one.is_ascii_alphanumeric() || matches!(one, b'_' | b'.');
        let word_behind = |front: &[u8]| {
            let rest = line.strip_prefix(front)?.trim_ascii_start();
            let size = rest.iter().take_while(|one| is_name(one)).count();
            let (word, rest) = rest.split_at(size);
            (!word.is_empty()).then(|| rest.trim_ascii_start())
        };
        let imports = || {
            let rest = word_behind(b"import ")?;
            Some(rest.is_empty() || rest.starts_with(b"as ") || rest.starts_with(b","))
        };
        word_behind(b"from ").is_some_and(|rest| rest.starts_with(b"import "))
            || word_behind(b"def ")
                .is_some_and(|rest| rest.starts_with(b"(") && line.ends_with(b":"))
            || imports() == Some(true) && !line.ends_with(b";")
    })
}

/// Whether a piece with brackets is a sentence, or a line of a shell's.
pub(super) fn is_prose(table: &Table, text: &[u8]) -> bool {
    let prose = &table.prose;
    if prose.shell.iter().any(|mark| contains(text, mark)) {
        return true;
    }
    let code: [&[u8]; 4] = [b"::", b";", b"<<<", b"->"];
    if code.iter().any(|mark| contains(text, mark)) {
        return false;
    }
    let words = || text.split(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_');
    if words()
        .filter(|word| has(&prose.words, word))
        .nth(1)
        .is_some()
    {
        return true;
    }
    // `ncclInvalidUsage (5)`, `CUDA:{index} ({name})`
    text.windows(2).enumerate().any(|(at, two)| {
        let before = text.get(..at).unwrap_or_default();
        if two == b" (" && before.ends_with(HOLE.as_bytes()) {
            return true;
        }
        let last = before
            .rsplit(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_')
            .next();
        let last = last.filter(|word| !word.is_empty());
        two == b" (" && last.is_some_and(|word| !has(&prose.controls, word))
    })
}

/// Whether a text is a template: `{{ name }}`, `{% if … %}`, `${name}`.
pub(super) fn is_template(text: &[u8]) -> bool {
    if contains(text, b"{%") || contains(text, b"${") {
        return true;
    }
    text.split(|&byte| byte == b'\n').any(|line| {
        let start = line.windows(2).position(|two| two == b"{{");
        let rest = start.and_then(|at| line.get(at + 2..)).unwrap_or_default();
        let close = rest.windows(2).position(|two| two == b"}}");
        let inside = close.and_then(|end| rest.get(..end));
        inside.is_some_and(|inside| {
            let first = inside.trim_ascii().first();
            let plain = !inside.iter().any(|byte| matches!(byte, b',' | b';' | b'{'));
            plain && first.is_some_and(|&byte| byte.is_ascii_alphabetic() || byte == b'_')
        })
    })
}
