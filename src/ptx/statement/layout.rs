//! The C++ of a statement as text: operands put in, locals declared, indented as the code around it.

use std::collections::BTreeMap;

use super::placement::{PlacedOperands, Placement, put_in};
use super::source_file::SourceFile;
use crate::lowerer::{Line, Lowered, Lowerer};
use torchada_syntax::ptx::AsmStatement;
use torchada_text::TextRange;

/// The C++ of a statement. `spelling` gives the text of an operand that is no longer what it was in the source.
pub(crate) fn text(
    file: &SourceFile<'_>,
    statement: &AsmStatement,
    spelling: &dyn Fn(TextRange) -> Option<String>,
    mut lowerer: Lowerer<'_>,
) -> Lowered<String> {
    let (source, tokens) = (file.source, file.tokens);
    let lines = std::mem::take(&mut lowerer.lines);
    // In a macro a name may be a parameter, which stands for any expression.
    let in_macro = tokens
        .get(statement.keyword)
        .is_some_and(|token| token.in_directive);
    let placement = Placement::of(file, statement, &lines, in_macro, lowerer.locals.is_empty());
    let PlacedOperands {
        operands,
        mut opening,
    } = placement.operands(spelling, &mut lowerer)?;
    let mut by_type: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (kind, name) in &lowerer.locals {
        by_type.entry(kind).or_default().push(name);
    }
    for (kind, names) in by_type {
        opening.push(format!("{kind} {};", names.join(", ")));
    }
    let mut body: Vec<Line> = opening.into_iter().map(|text| (0, text)).collect();
    body.extend(
        lines
            .into_iter()
            .map(|(depth, line)| (depth, put_in(&line, &operands))),
    );
    let keyword = tokens
        .get(statement.keyword)
        .map_or(0, |token| token.range().start);
    let last = tokens
        .get(statement.end.saturating_sub(1))
        .map_or(0, |token| token.range().end);
    let comment = comment(source, TextRange::new(keyword, last));
    let has_end = tokens.is(statement.end, source, ";");
    let behind = statement.end + usize::from(has_end);
    let is_last = tokens
        .directive_of(statement.keyword)
        .is_some_and(|directive| directive.tokens.end == behind);
    Ok(if in_macro {
        one_line(is_last.then_some(comment.as_str()), &body, has_end)
    } else {
        several(source, keyword, &comment, &body)
    })
}

/// The statement as it was, on one line and without its own comments.
fn comment(source: &[u8], range: TextRange) -> String {
    let text = String::from_utf8_lossy(range.of(source));
    let mut line = String::new();
    for part in text.lines() {
        let part = part.trim().trim_end_matches('\\').trim_end();
        let part = without_line_comment(part);
        if !line.is_empty() && !part.is_empty() {
            line.push(' ');
        }
        line.push_str(part);
    }
    line.replace("/*", "/ *").replace("*/", "* /")
}

/// A line of C++ up to a `//` that stands in no string.
fn without_line_comment(line: &str) -> &str {
    let mut in_string = false;
    let mut bytes = line.bytes().enumerate().peekable();
    while let Some((at, byte)) = bytes.next() {
        match byte {
            b'\\' if in_string => {
                bytes.next();
            }
            b'"' => in_string = !in_string,
            b'/' if !in_string && bytes.peek().is_some_and(|(_, next)| *next == b'/') => {
                return line.get(..at).unwrap_or(line).trim_end();
            }
            _ => {}
        }
    }
    line
}

/// Whether what stands before a place ends a statement or opens a block.
fn is_between_statements(source: &[u8], place: usize) -> bool {
    let front = source.get(..place).unwrap_or_default().trim_ascii_end();
    matches!(front.last(), Some(b';' | b'{' | b'}'))
}

/// The C++ in the body of a macro. Where no `;` follows the statement there, the macro's use brings one. The comment
/// stands at the macro's end: parsers of C++ have none before that.
fn one_line(comment: Option<&str>, body: &[Line], has_end: bool) -> String {
    let lines: Vec<&str> = body.iter().map(|(_, line)| line.as_str()).collect();
    let end = if has_end { ";" } else { "" };
    let code = match lines.as_slice() {
        [] => format!("((void)0){end}"),
        [only] if only.ends_with(';') && !only.starts_with("if ") => {
            format!("{}{end}", only.trim_end_matches(';'))
        }
        several => format!("do {{ {} }} while (0){end}", several.join(" ")),
    };
    match comment {
        Some(comment) => format!("{code} /* {comment}; */"),
        None => code,
    }
}

fn several(source: &[u8], keyword: usize, comment: &str, body: &[Line]) -> String {
    let start = source
        .get(..keyword)
        .and_then(|front| front.iter().rposition(|byte| *byte == b'\n'));
    let line = source
        .get(start.map_or(0, |at| at + 1)..keyword)
        .unwrap_or_default();
    let blank = line
        .iter()
        .take_while(|byte| byte.is_ascii_whitespace())
        .count();
    let indent = String::from_utf8_lossy(line.get(..blank).unwrap_or_default()).into_owned();
    let step = if indent.contains('\t') {
        "\t"
    } else if !indent.len().is_multiple_of(4) {
        "  "
    } else {
        "    "
    };
    let end = if source
        .get(..keyword)
        .is_some_and(|front| front.ends_with(b"\r\n"))
    {
        "\r\n"
    } else {
        "\n"
    };
    // What stands before the statement on its line, as `if (x)`, keeps it as its own.
    let alone = blank == line.len();
    match body {
        // More may follow on the line.
        [] if is_between_statements(source, keyword) => format!("/* {comment}; */"),
        [] => format!("/* {comment}; */ ;"),
        [(_, only)] if alone => format!("// {comment};{end}{indent}{only}"),
        lines => {
            let mut text = format!("{{  // {comment};");
            for (depth, line) in lines {
                text.push_str(end);
                text.push_str(&indent);
                text.push_str(&step.repeat(depth + 1));
                text.push_str(line);
            }
            text.push_str(end);
            text.push_str(&indent);
            text.push('}');
            text
        }
    }
}
