//! Which operands of a statement could name one object: `asm` reads all of its inputs before it writes, and C++ that
//! writes an output before its last look at an input has to read that input first.

use super::place::StatementPlace;
use super::source_file::SourceFile;
use crate::lowerer::{Line, operands_in};
use torchada_syntax::TokenKind;
use torchada_syntax::ptx::{AsmOperand, AsmStatement};

/// Finds the operands of a statement that could name one object.
pub(crate) struct Aliases<'a> {
    pub(crate) file: &'a SourceFile<'a>,
    pub(crate) statement: &'a AsmStatement,
}

/// The lines of a statement's C++ in which operands are read and written.
pub(crate) struct AccessOrder {
    /// The first line that may write an object outside the statement.
    first_write: Option<usize>,
    /// Whether lines may run again.
    repeats: bool,
}

impl AccessOrder {
    pub(crate) fn of(lines: &[Line], outputs: usize) -> Self {
        let writes = |(_, line): &Line| {
            let has_output = operands_in(line).any(|index| index < outputs);
            has_output || !sets_local(line)
        };
        let first_write = lines.iter().position(writes);
        let repeats = lines
            .iter()
            .any(|(_, line)| ["while", "for", "goto", "do"].contains(&first_word(line)));
        Self {
            first_write,
            repeats,
        }
    }

    /// Whether an operand is read in a line behind the first that writes.
    pub(crate) fn reads_late(&self, lines: &[Line], operand: usize) -> bool {
        let Some(first) = self.first_write else {
            return false;
        };
        let behind = if self.repeats { 0 } else { first + 1 };
        let mut late = lines.iter().skip(behind);
        late.any(|(_, line)| operands_in(line).any(|index| index == operand))
    }
}

fn first_word(line: &str) -> &str {
    let end = line.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    line.get(..end.unwrap_or(line.len())).unwrap_or_default()
}

/// Whether a line does no more than to declare or set one of the statement's own locals, or to open or close a block.
fn sets_local(line: &str) -> bool {
    if line.contains("atomic") {
        return false;
    }
    // What others write at such a place has no order with the reads of operands.
    if line.starts_with("__threadfence") {
        return true;
    }
    // `if (p) x = y;`
    let line = match line
        .strip_prefix("if (")
        .and_then(|rest| rest.split_once(") "))
    {
        Some((_, rest)) if !line.ends_with('{') => rest,
        _ => line,
    };
    let Some((front, _)) = line.split_once(" = ") else {
        return line.ends_with('{') || line == "}" || line.ends_with("[0];");
    };
    front
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b' '))
}

impl<'a> Aliases<'a> {
    fn place(&self) -> StatementPlace<'a> {
        StatementPlace {
            file: self.file,
            keyword: self.statement.keyword,
        }
    }

    fn word(&self, at: usize) -> &[u8] {
        self.file.word(at)
    }

    fn is_identifier(&self, at: usize) -> bool {
        self.file.is_identifier(at)
    }

    /// Whether an input that is a name may be an object that the statement writes before it reads the name.
    pub(crate) fn may_change(&self, input: &AsmOperand) -> bool {
        let name = input.expression.of(self.file.source);
        let outputs = || self.statement.outputs.iter().map(|output| self.own(output));
        match self.variable(name) {
            // Nothing else leads to it.
            Some(input) if !input.is_shown => false,
            // Two variables that are no references are two objects, wherever their addresses went.
            Some(_) => self.stores() || outputs().any(|output| output.is_none()),
            None => self.stores() || outputs().any(|output| output.is_none_or(|one| one.is_shown)),
        }
    }

    /// Whether the statement may write memory that no operand names.
    fn stores(&self) -> bool {
        self.statement.clobbers.iter().any(|one| one == "memory")
            || self.statement.outputs.is_empty()
    }

    /// The variable, no reference, that an output is, or is an element or a member of.
    fn own(&self, output: &AsmOperand) -> Option<Variable> {
        let first = output.tokens.start;
        let is_number = |at: usize| {
            let token = self.file.tokens.get(at);
            token.is_some_and(|token| token.kind == TokenKind::Number)
        };
        let is_path = self.is_identifier(first)
            && output.tokens.clone().all(|at| {
                self.is_identifier(at)
                    || is_number(at)
                    || matches!(self.word(at), b"." | b"[" | b"]")
            });
        let has_index = output.tokens.clone().any(|at| self.word(at) == b"[");
        let variable = self.variable(self.word(first)).filter(|_| is_path);
        variable.filter(|variable| variable.is_array || !has_index)
    }

    /// The variable of a function around the statement that `name` is, where that is no reference.
    fn variable(&self, name: &[u8]) -> Option<Variable> {
        let keyword = self.statement.keyword;
        if self.file.tokens.get(keyword)?.in_directive {
            return None;
        }
        let scope = self.place().parameters()?..keyword;
        let (mut is_declared, mut is_array, mut is_shown) = (false, false, false);
        for at in self.file.places(name, scope) {
            match self.word(at - 1) {
                b"&" | b"&&" => {
                    // `T &name` makes it a reference; `f(&name)` shows it.
                    if self.is_identifier(at - 2) || self.word(at - 2) == b">" {
                        return None;
                    }
                    is_shown = true;
                }
                // `auto &other = name`, `[&name]`
                b"=" | b"(" | b"{" if matches!(self.word(at.wrapping_sub(3)), b"&" | b"&&") => {
                    is_shown = true;
                }
                _ if self.declares(at) => {
                    is_declared = true;
                    is_array |= self.word(at + 1) == b"[";
                }
                // An array's name is a pointer to it.
                _ => is_shown |= is_array && self.word(at + 1) != b"[",
            }
        }
        is_declared.then_some(Variable { is_array, is_shown })
    }

    /// Whether the name at a token is declared there, as a value or an array.
    fn declares(&self, at: usize) -> bool {
        if !matches!(
            self.word(at + 1),
            b";" | b"=" | b"," | b")" | b"{" | b"[" | b"("
        ) {
            return false;
        }
        let before = self.word(at - 1);
        let is_type = |at: usize| {
            self.is_identifier(at)
                && !matches!(self.word(at), b"return" | b"else" | b"case" | b"goto")
                || self.word(at) == b">"
        };
        if is_type(at - 1) || before == b"*" && is_type(at - 2) {
            return true;
        }
        if before != b"," {
            return false;
        }
        // `unsigned a, b;`
        let mut first = at - 1;
        while first > 0
            && !matches!(
                self.word(first - 1),
                b";" | b"{" | b"}" | b"(" | b")" | b":"
            )
        {
            first -= 1;
        }
        is_type(first)
            && is_type(first + 1)
            && matches!(self.word(first + 2), b"," | b"=" | b"[" | b"{")
    }
}

/// A variable of a function that is no reference.
#[derive(Clone, Copy, Debug)]
struct Variable {
    /// Whether it is an array.
    is_array: bool,
    /// Whether something else may lead to it.
    is_shown: bool,
}
