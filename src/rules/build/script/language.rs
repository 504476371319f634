//! Sources that keep the ending `.cu`: mcc does not know the ending, so the command that compiles them gets an option
//! that names the language.

use super::pass::ScriptPass;
use torchada_diagnostic::codes::build::LANGUAGE;
use torchada_syntax::script::{Statement, StatementKind, Word, WordPart};
use torchada_text::TextRange;

/// What to do about it.
const ADVICE: &str =
    "put `-x musa` in front of it where mcc compiles it, or let the port rename it";

/// The sources that a command compiles; `rule` is the rule of make that it belongs to.
pub(super) fn sources(pass: &mut ScriptPass<'_>, one: &Statement, rule: Option<&Statement>) {
    let view = pass.view;
    let text = view.unit.text;
    if one.kind != StatementKind::Command || !view.facts.runs_compiler(text, one) {
        return;
    }
    // `-x musa` says the language of all that follow.
    let says = |range: TextRange| view.of(range) == b"-x";
    if one.words.iter().any(|word| word.plain().is_some_and(says)) {
        return;
    }
    named(pass, one);
    // `$<`
    let mut parts = one.words.iter().flat_map(|word| &word.parts);
    let takes = parts.any(|part| match part {
        WordPart::Result(range) => matches!(view.of(*range), b"$<" | b"$^" | b"$+" | b"$?"),
        _ => false,
    });
    if let Some(rule) = rule.filter(|_| takes) {
        named(pass, rule);
    }
}

/// The sources that a statement names.
fn named(pass: &mut ScriptPass<'_>, one: &Statement) {
    let files = &pass.view.unit.context.knowledge.files;
    for text in one.words.iter().flat_map(Word::texts) {
        let name = String::from_utf8_lossy(pass.view.of(text));
        if files.is_cuda(&name) && !pass.findings.is_handled(text) {
            pass.findings.report(LANGUAGE, text, ADVICE);
        }
    }
}
