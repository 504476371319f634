//! Programs that C++ runs by name: `system("nvidia-smi -q")`, `execlp("nvidia-smi", …)`.

use std::ops::Range;

use crate::Outcome;
use crate::cpp::CppUnit;
use crate::cpp::verdict::keep_if;
use crate::programs::{program_left, runs_program};
use torchada_diagnostic::{Code, Severity};
use torchada_syntax::{Token, TokenKind};
use torchada_text::TextRange;

/// A program of NVIDIA's is run.
pub(super) const PROGRAM: Code = Code {
    id: "CPP016",
    severity: Severity::Warning,
    title: "a program of NVIDIA's is run",
};

/// Tell of the programs that stand in an argument that is run.
pub(super) fn command(unit: &CppUnit<'_>, out: &mut Outcome, argument: Range<usize>) {
    let known = &unit.context.knowledge.commands.known;
    let wrappers = &unit.context.knowledge.builds.scripts.wrappers;
    for token in literals(unit, argument) {
        let whole = token.range();
        let range = TextRange::new(whole.start + 1, whole.end.max(whole.start + 2) - 1);
        let line = String::from_utf8_lossy(range.of(unit.text));
        let runs = |name: &str| runs_program(&line, name, wrappers).is_some();
        let Some(program) = known.iter().find(|one| runs(&one.name)) else {
            continue;
        };
        out.claim(token);
        if keep_if(unit, out, range, unit.foreign(range)) {
            continue;
        }
        let (message, help) = program_left(program);
        out.findings
            .push(unit.finding(PROGRAM, range, message).help(help));
    }
}

/// The plain string literals of an argument. One literal is a name as a whole; of several, as in
/// a conditional, each is.
pub(super) fn literals(unit: &CppUnit<'_>, argument: Range<usize>) -> Vec<Token> {
    argument
        .filter_map(|index| unit.token(index))
        .filter(|token| token.kind == TokenKind::String && token.text(unit.text).starts_with(b"\""))
        .collect()
}
