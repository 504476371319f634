//! Words that are the project's own, or text for people: they stay, each with a reason.

use std::collections::BTreeSet;

use super::nested_languages::{code, cpp};
use super::pass::ScriptPass;
use super::view::ScriptView;
use super::written::{WrittenKind, of_document};
use crate::build::code_words;
use crate::build::grouped_findings::GroupedFindings;
use torchada_diagnostic::KeptReason;
use torchada_diagnostic::codes::build::VARIABLE;
use torchada_mapping::files::BuildLanguage;
use torchada_mapping::{Nature, Relation, ends_with_one};
use torchada_syntax::is_identifier_part;
use torchada_syntax::script::{Statement, StatementKind, Word};
use torchada_text::TextRange;

/// Handle the words that no other rule for scripts has handled.
pub(super) fn rest(pass: &mut ScriptPass<'_>, found: &[Statement]) {
    let view = pass.view;
    for one in found {
        let reason = match one.kind {
            _ if view.is_message(one) => Some(KeptReason::Prose),
            StatementKind::Instruction if view.is(one.head, &view.knowledge.describing) => {
                Some(KeptReason::Prose)
            }
            // The finding about a variable covers its value: `NVIDIA_REQUIRE_CUDA="cuda>=11.0"`.
            StatementKind::Assignment if pass.findings.has(VARIABLE, one.head) => {
                Some(KeptReason::NamedBeside)
            }
            StatementKind::Rule => Some(KeptReason::ProjectDeclared),
            _ => None,
        };
        if let Some(reason) = reason {
            keep_arguments(one, reason, &mut pass.findings);
        }
        // The name of a job, which the file itself asks for: `Build CUDA:`
        if one.kind == StatementKind::Entry && view.unit.language == BuildLanguage::Workflow {
            pass.findings
                .keep_words(one.head, KeptReason::ProjectDeclared);
        }
        // `error_exit "no nvcc found"`
        for text in one.words.iter().skip(1).filter_map(Word::plain) {
            let bytes = view.of(text);
            if one.kind == StatementKind::Command
                && !(one.into.is_some() && view.is(one.head, &view.knowledge.messages))
                && bytes.contains(&b' ')
                && !bytes.starts_with(b"-")
            {
                pass.findings.keep_words(text, KeptReason::Prose);
            }
        }
        if one.kind == StatementKind::Document {
            document(pass, one);
        }
    }
    let stages: BTreeSet<&[u8]> = found.iter().filter_map(|one| stage(view, one)).collect();
    for word in
        crate::build::leftovers::words_in(view.unit, TextRange::new(0, view.unit.text.len()))
    {
        let is_own = || stages.contains(view.of(word)) || is_own(view, word);
        if !pass.findings.is_handled(word) && is_own() {
            pass.findings.keep(word, KeptReason::ProjectDeclared);
        }
    }
}

/// Keep the words of CUDA's in the arguments of a statement.
pub(super) fn keep_arguments(
    one: &Statement,
    reason: KeptReason,
    findings: &mut GroupedFindings<'_>,
) {
    for word in &one.words {
        findings.keep_words(word.range, reason);
    }
}

/// What a statement calls the stage of an image that it begins: `FROM image AS cuda`.
fn stage<'v>(view: &'v ScriptView<'_>, one: &Statement) -> Option<&'v [u8]> {
    let [.., keyword, stage] = one.words.as_slice() else {
        return None;
    };
    let keyword = view.of(keyword.plain()?);
    let is_stage = one.kind == StatementKind::Instruction && keyword.eq_ignore_ascii_case(b"as");
    is_stage.then(|| view.of(stage.range))
}

fn document(pass: &mut ScriptPass<'_>, one: &Statement) {
    let kind = of_document(pass.view.unit, one);
    for word in &one.words {
        match kind {
            WrittenKind::Python => code(pass, word.range),
            WrittenKind::Cpp => cpp(pass, word.range),
            WrittenKind::Prose => pass.findings.keep_words(word.range, KeptReason::Prose),
            WrittenKind::Script(_) | WrittenKind::Code => {}
        }
    }
}

/// Whether a word is a part of a name that nobody but the project can have given: `setup_cuda`, `BUILD_CUDA`,
/// `csrc/cuda/kernels`, `cuda-test`, `--cuda-graph`.
fn is_own(view: &ScriptView<'_>, word: TextRange) -> bool {
    let text = view.unit.text;
    let part = |byte: &u8| {
        is_identifier_part(*byte) || matches!(byte, b'-' | b'/' | b'.' | b'+' | b'@' | b'\\')
    };
    let mut whole = word;
    while whole.start > 0 && text.get(whole.start - 1).is_some_and(part) {
        whole.start -= 1;
    }
    while text.get(whole.end).is_some_and(part) {
        whole.end += 1;
    }
    let stem = view.of(word).to_ascii_lowercase();
    let stems = &view.unit.context.knowledge.builds.words.stems;
    let bare = stems
        .words()
        .iter()
        .any(|one| one.as_bytes() == stem.as_slice());
    // `if CUDA`, `$(NVCC)`
    let is_given = ends_with_one(view.unit.file.path.as_bytes(), &view.knowledge.configured)
        && !view.of(word).iter().any(u8::is_ascii_lowercase);
    // `grep cudaMalloc kernels.cu`: the sources have another name in the port.
    let is_codes = || {
        let found = code_words::counterpart(view.unit, word).map(|found| found.row);
        found.is_some_and(|row| row.relation == Relation::Renamed && row.nature == Nature::Declared)
    };
    // A word of more parts than CUDA's own.
    is_given || whole != word || !bare && !is_codes() || view.facts.assigned.contains(view.of(word))
}
