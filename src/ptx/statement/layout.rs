//! The C++ of a statement as text: operands put in, locals declared, indented as the code around it.

use std::collections::BTreeMap;

use super::aliases::{AccessOrder, Aliases};
use super::source_file::SourceFile;
use crate::lowerer::{Line, Lowered, Lowerer, first_marker, operands_in};
use crate::value::is_atomic;
use crate::{Fault, Reason};
use torchada_syntax::TokenKind;
use torchada_syntax::ptx::{AsmOperand, AsmStatement};
use torchada_text::TextRange;

/// An operand of the statement in the C++ that takes its place.
struct PlacedOperand {
    text: String,
    /// The local that has its value, or that refers to it.
    local: Option<String>,
}

pub(crate) fn text(
    file: &SourceFile<'_>,
    statement: &AsmStatement,
    spelling: &dyn Fn(TextRange) -> Option<String>,
    mut lowerer: Lowerer<'_>,
) -> Lowered<String> {
    let (source, tokens) = (file.source, file.tokens);
    let outputs = statement.outputs.len();
    let lines = std::mem::take(&mut lowerer.lines);
    let uses = uses(&lines);
    let is_one = lines.len() == 1 && lowerer.locals.is_empty();
    let order = AccessOrder::of(&lines, outputs);
    let aliases = Aliases { file, statement };
    // In a macro a name may be a parameter, which stands for any expression.
    let in_macro = tokens
        .get(statement.keyword)
        .is_some_and(|token| token.in_directive);
    let mut puts = Vec::new();
    let mut opening: Vec<String> = Vec::new();
    for (at, operand) in statement.operands().enumerate() {
        let text = match spelling(operand.expression) {
            Some(text) => text,
            None => String::from_utf8(operand.expression.of(source).to_vec()).map_err(|_| {
                Fault::new(Reason::Unreadable, "an operand is not UTF-8".to_owned())
            })?,
        };
        let count = uses.get(&at).copied().unwrap_or(0);
        let kind = lowerer.outer.get(at).map(|outer| outer.kind);
        let is_output = at < outputs;
        let is_constant = matches!(operand.constraint.as_str(), "n" | "i" | "C");
        let text = if in_macro && !is_constant {
            format!("({text})")
        } else {
            text
        };
        let is_steady = if in_macro {
            false
        } else if is_output {
            is_path(file, operand) && !is_moved(file, at, statement)
        } else {
            is_name(file, operand)
                && !is_written(file, operand, statement)
                && !(order.reads_late(&lines, at) && aliases.may_change(operand))
        };
        let stays = is_steady
            || is_constant
            || is_one && count <= 1
            || is_one && !in_macro && is_path(file, operand)
            || is_one && !in_macro && operand.tokens.len() == 1;
        // An operand whose value is not used is evaluated nonetheless, as `asm` does, unless that can have no effect.
        let has_no_effect = is_constant || !in_macro && is_path(file, operand);
        if stays && (count > 0 || has_no_effect) || count == 0 && has_no_effect {
            puts.push(PlacedOperand { text, local: None });
            continue;
        }
        if count == 0 {
            opening.push(format!("(void)({text});"));
            puts.push(PlacedOperand { text, local: None });
            continue;
        }
        let name = lowerer.fresh(if is_output { "out" } else { "in" });
        opening.push(match kind {
            Some(kind) if !is_output => {
                let storage = kind.storage();
                // Only an integer of 64 bits needs a cast: C++ has several types of that width.
                let value = if kind.is_integer() && kind.bits >= 64 {
                    &crate::value::cast(storage, &text)
                } else {
                    &text
                };
                format!("const {} {name} = {value};", storage.cpp())
            }
            _ => format!("auto &{name} = {text};"),
        });
        puts.push(PlacedOperand {
            text,
            local: Some(name),
        });
    }
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
            .map(|(depth, line)| (depth, put_in(&line, &puts))),
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

fn uses(lines: &[Line]) -> BTreeMap<usize, usize> {
    let mut found = BTreeMap::new();
    for (_, line) in lines {
        for index in operands_in(line) {
            *found.entry(index).or_default() += 1;
        }
    }
    found
}

/// Types of integers to which no pointer is cast.
const NARROW: [&str; 4] = ["unsigned int", "int", "unsigned short", "short"];

/// A line with the operands in place of their markers.
fn put_in(line: &str, puts: &[PlacedOperand]) -> String {
    let mut text = String::new();
    let mut rest = line;
    while let Some((front, index, after)) = first_marker(rest) {
        text.push_str(front);
        if let Some(put) = puts.get(index) {
            let shown = put.local.as_deref().unwrap_or(&put.text);
            let opens = text.is_empty() || text.ends_with(['(', ',']) || text.ends_with(", ");
            let closes =
                after.is_empty() || after.starts_with([')', ',', ';']) || after.starts_with(" = ");
            let is_cast = text.ends_with(')');
            // Parsers take `(int)(*p)` for a declaration.
            let cast = NARROW.iter().find_map(|kind| {
                let front = text.strip_suffix(&format!("({kind})"))?.len();
                Some((front, kind))
            });
            if put.local.is_some() || is_atomic(shown) || opens && closes && !is_cast {
                text.push_str(shown);
            } else if let Some((front, kind)) = cast {
                text.truncate(front);
                text.extend(["static_cast<", kind, ">(", shown, ")"]);
            } else {
                text.push('(');
                text.push_str(shown);
                text.push(')');
            }
        }
        rest = after;
    }
    text.push_str(rest);
    text
}

/// Whether an operand is one name.
fn is_name(file: &SourceFile<'_>, operand: &AsmOperand) -> bool {
    operand.tokens.len() == 1 && file.is_identifier(operand.tokens.start)
}

/// Whether an operand is made of names, members, constants and indices alone, so that reading it twice gives the same.
fn is_path(file: &SourceFile<'_>, operand: &AsmOperand) -> bool {
    operand.tokens.clone().all(|index| {
        file.tokens
            .get(index)
            .is_some_and(|token| match token.kind {
                TokenKind::Identifier | TokenKind::Number => true,
                TokenKind::Punct => {
                    matches!(file.word(index), b"." | b"->" | b"[" | b"]" | b"::")
                }
                _ => false,
            })
    })
}

/// Whether the statement writes to a name that an input speaks of.
fn is_written(file: &SourceFile<'_>, input: &AsmOperand, statement: &AsmStatement) -> bool {
    let name = input.expression.of(file.source);
    let mut outputs = statement.outputs.iter();
    outputs.any(|output| output.tokens.clone().any(|index| file.word(index) == name))
}

/// Whether another output of the statement may change where an output lies.
fn is_moved(file: &SourceFile<'_>, at: usize, statement: &AsmStatement) -> bool {
    let Some(output) = statement.outputs.get(at) else {
        return false;
    };
    // `x.a` beside `x.b` moves nothing; `d[i]` beside `i` does.
    let others = statement
        .outputs
        .iter()
        .enumerate()
        .filter(|(index, _)| *index != at);
    others.map(|(_, other)| other).any(|other| {
        is_name(file, other) && {
            let name = other.expression.of(file.source);
            let mut inside = output.tokens.clone();
            inside.any(|index| file.word(index) == name)
        }
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
