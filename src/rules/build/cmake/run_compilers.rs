//! Commands that run nvcc: `add_custom_command(OUTPUT k.cubin COMMAND nvcc -cubin k.cu)`.

use super::pass::Pass;
use super::words::{Takes, plain};
use crate::build::codes::sentence;
use torchada_diagnostic::codes::build::PRINTED;
use torchada_syntax::cmake::{Argument, Command, Quoting};
use torchada_syntax::cmake_references::referenced;

/// What stands before a program.
const RUN: &str = "COMMAND";

/// What stands before the arguments of a program.
const ARGUMENTS: &str = "ARGS";

/// What to do about what a compiler prints.
const PRINTS: &str =
    "see what `mcc --version` prints; where the number decides something, say it by hand";

/// Asks a compiler what it is.
const VERSION: &str = "--version";

/// Translate the options of nvcc's in a command that runs it, and name mcc where it is named.
pub(super) fn check(pass: &mut Pass<'_>, command: &Command) {
    let words = pass.words(command);
    let starts = words.iter().enumerate().filter(|(_, word)| **word == RUN);
    for start in starts.map(|(at, _)| at + 1) {
        let Some(program) = command.arguments.get(start) else {
            continue;
        };
        if !is_compiler(pass, pass.word(program)) {
            continue;
        }
        let is_keyword = |one: &Argument| {
            let word = pass.word(one);
            let mut bytes = word.bytes();
            one.quoting == Quoting::Bare
                && word.len() > 1
                && word != ARGUMENTS
                && bytes.all(|byte| byte.is_ascii_uppercase() || byte == b'_')
        };
        let behind = command.arguments.iter().skip(start + 1);
        let len = behind.take_while(|one| !is_keyword(one)).count();
        let run = Command {
            arguments: command
                .arguments
                .iter()
                .take(start + 1 + len)
                .copied()
                .collect(),
            ..command.clone()
        };
        name(pass, program);
        version(
            pass,
            program,
            run.arguments.get(start + 1..).unwrap_or_default(),
        );
        plain(pass, &run, start + 1, Takes::WORDS);
    }
}

/// Name mcc where a command names nvcc itself.
fn name(pass: &mut Pass<'_>, program: &Argument) {
    let known = &pass.unit.context.knowledge.commands.known;
    let word = pass.word(program);
    let compiler = known.iter().find(|one| one.compiler && one.name == word);
    if let Some(to) = compiler.and_then(|one| one.to.as_deref()) {
        pass.edit(program.inner, to);
    }
}

/// Report a question for the compiler's version.
fn version(pass: &mut Pass<'_>, program: &Argument, arguments: &[Argument]) {
    let question = arguments.iter().find(|one| pass.word(one) == VERSION);
    if let Some(question) = question {
        let shown = format!("`{} {VERSION}`", pass.word(program));
        let message = sentence(PRINTED, &shown, false);
        pass.report(PRINTED, question.inner, message, PRINTS);
    }
}

/// Whether a word is nvcc, a variable of a module of CUDA's that holds it, or one that `find_program(NVCC nvcc)` fills.
fn is_compiler(pass: &Pass<'_>, word: &str) -> bool {
    let known = &pass.unit.context.knowledge.commands.known;
    let mut compilers = known.iter().filter(|one| one.compiler);
    let Some(variable) = referenced(word) else {
        return compilers.any(|one| one.name == word);
    };
    let row = pass.table.variables.get(variable);
    let instead = row
        .and_then(|row| row.instead.as_deref())
        .unwrap_or_default();
    let program = instead.rsplit('/').next();
    if !instead.is_empty() {
        return compilers.any(|one| one.to.as_deref() == program);
    }
    let is_name = |name: &[u8]| compilers.clone().any(|one| one.name.as_bytes() == name);
    let mut files = pass.files();
    files.any(|(text, file)| {
        let mut finds = file
            .commands
            .iter()
            .filter(|one| one.lower_name() == "find_program");
        finds.any(|one| {
            let mut words = one.arguments.iter().map(|argument| argument.inner.of(text));
            words.next() == Some(variable.as_bytes()) && words.any(is_name)
        })
    })
}
