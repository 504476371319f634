//! The instructions of inline assembly, by the words of its template: what can't be parsed has them, too.

use torchada_mapping::{Shapes, has};
use torchada_syntax::ptx::{AsmStatement, Piece};

/// What the text of a statement shows of its instructions.
pub(super) struct Words {
    /// The instructions in order, each once, without predicates and operands.
    pub(super) instructions: Vec<String>,
    /// The instructions whose names no macro goes on with.
    whole: Vec<String>,
    /// Whether the text is put together by macros, so that the instructions are not all to be seen.
    pub(super) has_macros: bool,
    /// The first word of the text.
    pub(super) first: String,
    /// Whether the text may hold an instruction of PTX although none could be made out.
    pub(super) may_be_ptx: bool,
    /// Whether an operand stands in a register that only a host has.
    has_hosts_register: bool,
}

impl Words {
    /// Whether a statement is a host's: by a register, or because instructions that PTX has as well (`ret`) stand beside
    /// one that it has not.
    pub(super) fn is_hosts(&self, shapes: &Shapes) -> bool {
        let is_plain = |one: &String| !one.contains('.');
        let is_known = |one: &String| {
            let mut known = shapes
                .plain_instructions
                .iter()
                .chain(&shapes.ptx_instructions);
            known.any(|known| known == one)
        };
        self.has_hosts_register
            || self.instructions.iter().all(is_plain) && !self.whole.iter().all(is_known)
    }
}

/// The words of a statement.
pub(super) fn words(statement: &AsmStatement) -> Words {
    let mut text = String::new();
    push(&mut text, &statement.template);
    let (instructions, whole) = instructions(&text);
    let has_macros = text.contains(MACRO);
    // A host's assembly has modifiers neither in its names nor behind them.
    let has_modifier = text
        .as_bytes()
        .windows(2)
        .any(|pair| matches!(pair, [b'.', next] if next.is_ascii_lowercase()));
    Words {
        has_hosts_register: statement.operands().any(|one| is_hosts(&one.constraint)),
        may_be_ptx: has_modifier || has_macros && instructions.is_empty(),
        instructions,
        whole,
        has_macros,
        first: text
            .split_whitespace()
            .next()
            .unwrap_or_default()
            .to_owned(),
    }
}

/// Whether a constraint is a letter that PTX has none of: `"=a"` for a register of x86.
fn is_hosts(constraint: &str) -> bool {
    let letter = constraint.trim_start_matches(['=', '+', '&', '%', ' ']);
    let mut letters = letter.chars();
    matches!((letters.next(), letters.next()), (Some(one), None) if one.is_ascii_alphabetic() && !"Cdfhilnqr".contains(one))
}

/// What stands in a text of assembly for a macro, which may end an instruction or be one.
const MACRO: char = '\u{1}';

fn push(text: &mut String, pieces: &[Piece]) {
    for piece in pieces {
        match piece {
            Piece::Literal(literal, _) => text.push_str(literal),
            Piece::Macro(_) => text.push(MACRO),
            Piece::Choice(branches) => branches.iter().for_each(|branch| push(text, branch)),
        }
    }
}

/// The instructions of a text, and those of them whose names no macro goes on with.
fn instructions(text: &str) -> (Vec<String>, Vec<String>) {
    let mut found: Vec<String> = Vec::new();
    let mut whole: Vec<String> = Vec::new();
    let mut rest = String::new();
    // Comments of the assembler.
    for line in text.lines() {
        rest.push_str(line.split("//").next().unwrap_or_default());
        rest.push('\n');
    }
    for statement in rest.split([';', '{', '}', '\n']) {
        let mut words = statement.split_whitespace().peekable();
        // `@p`, `@!%p1`, `LABEL:`
        while words
            .peek()
            .is_some_and(|word| word.starts_with('@') || word.ends_with(':'))
        {
            words.next();
        }
        let Some(word) = words.next() else { continue };
        let is_whole = !word.contains(MACRO);
        let word: String = word.chars().take_while(|c| *c != MACRO).collect();
        let word = word.trim_end_matches('.');
        let starts = word.starts_with(|c: char| c.is_ascii_lowercase());
        let known = word
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | ':'));
        if !starts || !known {
            continue;
        }
        if !has(&found, word) {
            found.push(word.to_owned());
        }
        if is_whole {
            whole.push(word.to_owned());
        }
    }
    (found, whole)
}

/// Whether an instruction is one that PTX has, with its types and modifiers behind dots. RISC-V's instructions have
/// dots, too, but other names, or modifiers of one letter.
pub(super) fn is_ptx(instruction: &str, shapes: &Shapes) -> bool {
    match instruction.split_once('.') {
        None => has(&shapes.plain_instructions, instruction),
        Some((name, modifiers)) => {
            has(&shapes.ptx_instructions, name)
                && modifiers.split('.').all(|modifier| modifier.len() != 1)
        }
    }
}
