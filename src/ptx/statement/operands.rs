//! The operands of a statement, as its PTX sees them.

use std::collections::HashSet;

use super::constants;
use super::macros::Macros;
use super::source_file::SourceFile;
use crate::lowerer::{Lowered, OperandForm, StatementOperand};
use crate::types::{Class, Kind};
use crate::{Fault, Reason};
use torchada_mapping::ptx::Ptx;
use torchada_syntax::ptx::{AsmOperand, AsmStatement};
use torchada_syntax::{TokenKind, Tokens, integer};

/// The value of an operand that must be a constant, if it is known.
pub(super) fn known_value(
    file: &SourceFile<'_>,
    statement: &AsmStatement,
    index: usize,
) -> Option<i128> {
    let operand = statement.operands().nth(index)?;
    let value = constants::value(file, statement, index);
    value.filter(|_| matches!(operand.constraint.as_str(), "n" | "i"))
}

/// The operands of a statement, as its PTX sees them.
pub(super) fn outer_operands(
    table: &Ptx,
    file: &SourceFile<'_>,
    statement: &AsmStatement,
) -> Lowered<Vec<StatementOperand>> {
    let macros = Macros::new(file);
    let operands = statement.operands().enumerate();
    operands
        .map(|(at, operand)| {
            let is_output = at < statement.outputs.len();
            let constraint = constraint(table, &macros, &operand.constraint);
            let mut outer = outer(file.source, file.tokens, operand, &constraint, is_output)?;
            outer.known = known_value(file, statement, at);
            outer.is_pointer =
                is_output && outer.kind.bits == 64 && is_pointer(file, operand, statement.keyword);
            Ok(outer)
        })
        .collect()
}

/// A constraint, or the one that a macro in its place stands for.
fn constraint(table: &Ptx, macros: &Macros<'_>, written: &str) -> String {
    let mut defined = macros.strings(written);
    defined.sort();
    match defined.as_slice() {
        [only] => only.clone(),
        // A pointer, on machines of 64 bits and of 32.
        [long, short] if long == "l" && short == "r" => long.clone(),
        _ => table.constraint(written).unwrap_or(written).to_owned(),
    }
}

/// An operand by its constraint: "Inline PTX Assembly in CUDA", section "Constraints".
fn outer(
    source: &[u8],
    tokens: &Tokens,
    operand: &AsmOperand,
    constraint: &str,
    is_output: bool,
) -> Lowered<StatementOperand> {
    let letter = constraint.trim_start_matches(['=', '+', '&', ' ']);
    let kind = match letter {
        "h" => Kind::new(Class::Integer, 16),
        "r" => Kind::new(Class::Integer, 32),
        // A constant is read as any type, so that its own does not matter.
        "l" | "n" | "i" | "C" => Kind::new(Class::Integer, 64),
        "f" => Kind::F32,
        "d" => Kind::new(Class::Float, 64),
        _ => {
            return Err(Fault::new(
                Reason::Operand,
                format!("the constraint `{}` is not known", operand.constraint),
            ));
        }
    };
    let constant = if matches!(letter, "n" | "i") {
        literal_value(source, tokens, operand)
    } else {
        None
    };
    Ok(StatementOperand {
        kind,
        is_output,
        is_pointer: false,
        form: match letter {
            "n" | "i" => OperandForm::Constant,
            "C" => OperandForm::Text,
            _ => OperandForm::Register,
        },
        constant,
        known: constant,
    })
}

/// The value of an operand that is one integer literal, with or without a sign.
fn literal_value(source: &[u8], tokens: &Tokens, operand: &AsmOperand) -> Option<i128> {
    let mut range = operand.tokens.clone();
    let negative = tokens.is(range.start, source, "-");
    range.start += usize::from(negative);
    if range.len() != 1 {
        return None;
    }
    let token = tokens.get(range.start)?;
    let value = i128::from(integer(token.text(source))?);
    Some(if negative { -value } else { value })
}

/// Whether an operand is a name that the nearest declaration before the statement makes a pointer.
fn is_pointer(file: &SourceFile<'_>, operand: &AsmOperand, keyword: usize) -> bool {
    if operand.tokens.len() != 1 {
        return false;
    }
    let name = operand.expression.of(file.source);
    let from = keyword.saturating_sub(file.limits.declared_within).max(2);
    file.places(name, from..keyword).any(|at| {
        file.word(at - 1) == b"*"
            && matches!(file.word(at + 1), b";" | b"=" | b"," | b")")
            && (matches!(file.word(at - 2), b">" | b"*") || file.is_identifier(at - 2))
    })
}

/// All names that the operands' expressions use: none may name a local.
pub(super) fn names_around(
    source: &[u8],
    tokens: &Tokens,
    operands: &[&AsmOperand],
) -> HashSet<String> {
    let mut names: HashSet<String> = HashSet::new();
    for operand in operands {
        for index in operand.tokens.clone() {
            if let Some(token) = tokens.get(index)
                && token.kind == TokenKind::Identifier
            {
                names.insert(String::from_utf8_lossy(token.text(source)).into_owned());
            }
        }
    }
    names
}
