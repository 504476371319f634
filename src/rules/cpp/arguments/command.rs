//! Programs that C++ runs by name: `system("nvidia-smi -q")`, `execlp("nvidia-smi", …)`, `cuda / "bin" / "nvcc"`.

use std::ops::Range;

use crate::Outcome;
use crate::cpp::CppUnit;
use crate::cpp::verdict::keep_if;
use crate::programs::{program_left, runs_program};
use torchada_diagnostic::codes::cpp::PROGRAM;
use torchada_mapping::Command;
use torchada_syntax::{DirectiveKind, Token, TokenKind};
use torchada_text::TextRange;

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
        report(unit, out, token, range, program);
    }
}

/// The folder of the toolkit's programs.
const PROGRAMS: &str = "bin";

/// Tell of the programs whose paths stand in strings, whatever is done with them: `home + "/bin/nvcc"`,
/// `home / "bin" / "nvcc"`, and of those that a variable gets whose name says that it holds one: `compiler = "nvcc"`.
pub(super) fn paths(unit: &CppUnit<'_>, out: &mut Outcome) {
    let literals = unit.parsed.tokens.literals();
    let strings = literals.filter(|(_, token)| token.kind == TokenKind::String);
    for (index, token) in strings {
        let whole = token.range();
        let Some(inner) = inside(token.text(unit.text)) else {
            continue;
        };
        // Options may follow.
        let mut words = inner.split(u8::is_ascii_whitespace);
        let path = words.next().unwrap_or_default();
        let (folder, name) = path.split_at(memchr::memrchr(b'/', path).map_or(0, |at| at + 1));
        let commands = &unit.context.knowledge.commands;
        let holds_program = |name: &[u8]| commands.holds(name);
        let mut known = commands.known.iter();
        let Some(program) = known.find(|one| one.name.as_bytes() == name) else {
            continue;
        };
        let is_below = if let Some(folder) = folder.strip_suffix(b"/") {
            is_programs(folder)
        } else {
            let above = inside(unit.word_before(index, 2)).is_some_and(is_programs);
            above && unit.word_before(index, 1) == b"/"
        };
        let is_held = || folder.is_empty() && holder(unit, index).is_some_and(holds_program);
        if out.is_claimed(token) || !(is_below || is_held()) {
            continue;
        }
        let range = TextRange::new(whole.start + 1, whole.end - 1);
        report(unit, out, token, range, program);
    }
}

/// The variable or macro that gets a string: `compiler = "nvcc"`, `#define COMPILER "nvcc"`.
fn holder<'u>(unit: &'u CppUnit<'_>, index: usize) -> Option<&'u [u8]> {
    let directive = unit.parsed.tokens.directive_of(index);
    let defines = directive
        .is_some_and(|one| one.kind == DirectiveKind::Define && one.tokens.start + 1 == index);
    let behind = match unit.word_before(index, 1) {
        b"=" => 2,
        _ if defines => 1,
        _ => return None,
    };
    let token = unit.token(index.checked_sub(behind)?)?;
    (token.kind == TokenKind::Identifier).then(|| token.text(unit.text))
}

/// Report a program that a string names, unless the code is left for good.
fn report(
    unit: &CppUnit<'_>,
    out: &mut Outcome,
    token: Token,
    range: TextRange,
    program: &Command,
) {
    out.claim(token);
    if !keep_if(unit, out, range, unit.foreign(range)) {
        let (message, help) = program_left(program);
        unit.report(out, PROGRAM, range, message, help);
    }
}

/// What stands in the quotes of a plain string.
fn inside(literal: &[u8]) -> Option<&[u8]> {
    literal.strip_prefix(b"\"")?.strip_suffix(b"\"")
}

/// Whether a path leads to the folder of the toolkit's programs.
fn is_programs(folder: &[u8]) -> bool {
    folder.rsplit(|&byte| byte == b'/').next() == Some(PROGRAMS.as_bytes())
}

/// The plain string literals of an argument. One literal is a name as a whole; of several, as in
/// a conditional, each is.
pub(super) fn literals(unit: &CppUnit<'_>, argument: Range<usize>) -> Vec<Token> {
    argument
        .filter_map(|index| unit.token(index))
        .filter(|token| token.kind == TokenKind::String && token.text(unit.text).starts_with(b"\""))
        .collect()
}
