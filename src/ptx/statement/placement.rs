//! The operands of a statement in the C++ that takes its place: as they are, or by locals.

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
pub(super) struct PlacedOperand {
    text: String,
    /// The local that has its value, or that refers to it.
    local: Option<String>,
}

/// All operands of a statement, and the lines that make their locals.
pub(super) struct PlacedOperands {
    pub(super) operands: Vec<PlacedOperand>,
    pub(super) opening: Vec<String>,
}

/// Decides which operands stand in the C++ as they are.
pub(super) struct Placement<'a> {
    file: &'a SourceFile<'a>,
    statement: &'a AsmStatement,
    lines: &'a [Line],
    in_macro: bool,
    /// Whether the C++ is one line, without locals of its own.
    is_one: bool,
    order: AccessOrder,
    /// How often the lines use each operand.
    uses: BTreeMap<usize, usize>,
}

impl<'a> Placement<'a> {
    /// Of the `lines` of a statement, which need locals or not.
    pub(super) fn of(
        file: &'a SourceFile<'a>,
        statement: &'a AsmStatement,
        lines: &'a [Line],
        in_macro: bool,
        without_locals: bool,
    ) -> Self {
        Self {
            file,
            statement,
            lines,
            in_macro,
            is_one: lines.len() == 1 && without_locals,
            order: AccessOrder::of(lines, statement.outputs.len()),
            uses: uses(lines),
        }
    }

    /// Place the operands. `spelling` gives the text of one that is no longer what it was in the source.
    pub(super) fn operands(
        &self,
        spelling: &dyn Fn(TextRange) -> Option<String>,
        lowerer: &mut Lowerer<'_>,
    ) -> Lowered<PlacedOperands> {
        let mut operands = Vec::new();
        let mut opening = Vec::new();
        for (at, operand) in self.statement.operands().enumerate() {
            let text = self.written(operand, spelling)?;
            let count = self.uses.get(&at).copied().unwrap_or(0);
            // An operand whose value is not used is evaluated nonetheless, as `asm` does, unless that can have no effect.
            let has_no_effect =
                is_constant(operand) || !self.in_macro && is_path(self.file, operand);
            if count == 0 && !has_no_effect {
                opening.push(format!("(void)({text});"));
            }
            let is_local = count > 0 && !self.stays(at, operand, count);
            let local = is_local.then(|| {
                let (name, line) = self.local(at, &text, lowerer);
                opening.push(line);
                name
            });
            operands.push(PlacedOperand { text, local });
        }
        Ok(PlacedOperands { operands, opening })
    }

    /// The text of an operand, in parentheses where a macro's parameter may be in it.
    fn written(
        &self,
        operand: &AsmOperand,
        spelling: &dyn Fn(TextRange) -> Option<String>,
    ) -> Lowered<String> {
        let text = match spelling(operand.expression) {
            Some(text) => text,
            None => String::from_utf8(operand.expression.of(self.file.source).to_vec()).map_err(
                |_| Fault::new(Reason::Unreadable, "an operand is not UTF-8".to_owned()),
            )?,
        };
        Ok(if self.in_macro && !is_constant(operand) {
            format!("({text})")
        } else {
            text
        })
    }

    /// Whether an operand that the lines use `count` times can stand there as it is.
    fn stays(&self, at: usize, operand: &AsmOperand, count: usize) -> bool {
        let (file, statement) = (self.file, self.statement);
        let is_steady = if self.in_macro {
            false
        } else if at < statement.outputs.len() {
            is_path(file, operand) && !is_moved(file, at, statement)
        } else {
            let aliases = Aliases { file, statement };
            is_name(file, operand)
                && !is_written(file, operand, statement)
                && !(self.order.reads_late(self.lines, at) && aliases.may_change(operand))
        };
        is_steady
            || is_constant(operand)
            || self.is_one && count <= 1
            || self.is_one && !self.in_macro && is_path(file, operand)
            || self.is_one && !self.in_macro && operand.tokens.len() == 1
    }

    /// A local for an operand: its name, and the line that declares it.
    fn local(&self, at: usize, text: &str, lowerer: &mut Lowerer<'_>) -> (String, String) {
        let is_output = at < self.statement.outputs.len();
        let kind = lowerer.outer.get(at).map(|outer| outer.kind);
        let name = lowerer.fresh(if is_output { "out" } else { "in" });
        let line = match kind {
            Some(kind) if !is_output => {
                let storage = kind.storage();
                // Only an integer of 64 bits needs a cast: C++ has several types of that width.
                let value = if kind.is_integer() && kind.bits >= 64 {
                    crate::value::cast(storage, text)
                } else {
                    text.to_owned()
                };
                format!("const {} {name} = {value};", storage.cpp())
            }
            _ => format!("auto &{name} = {text};"),
        };
        (name, line)
    }
}

/// Whether an operand's constraint asks for a constant.
fn is_constant(operand: &AsmOperand) -> bool {
    matches!(operand.constraint.as_str(), "n" | "i" | "C")
}

/// How often the lines use each operand.
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
pub(super) fn put_in(line: &str, puts: &[PlacedOperand]) -> String {
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
