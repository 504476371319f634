//! What commands hand to programs that have languages of their own: Python behind `-c`, options of `CMake`'s.

use super::pass::ScriptPass;
use super::short_programs::{dotted_name, translate};
use super::variables;
use super::view::ScriptView;
use crate::build::code_words;
use crate::build::codes::CMAKE_OPTION_ADVICE;
use torchada_diagnostic::KeptReason;
use torchada_diagnostic::codes::build::{CMAKE_OPTION, PYTHON, UNKNOWN_WORD};
use torchada_mapping::has;
use torchada_syntax::defined_names;
use torchada_syntax::script::{Statement, StatementKind, Word};
use torchada_text::{TextRange, contains};

/// What the arguments of a statement say in other languages.
pub(super) fn in_arguments(pass: &mut ScriptPass<'_>, one: &Statement) {
    if one.kind == StatementKind::Command {
        python(pass, one);
    }
    cmake(pass, one);
}

/// `python -c "import torch; torch.cuda…"`
fn python(pass: &mut ScriptPass<'_>, one: &Statement) {
    let view = pass.view;
    let pythons = &view.knowledge.pythons;
    let runs = |word: &Word| {
        // `$(PYTHON) -c …`, `$python_executable -c …`
        let is_path = |name| {
            let name = view.of(name).to_ascii_lowercase();
            let first = name.split(|&byte| byte == b'_').next();
            first.is_some_and(|first| has(pythons, first))
        };
        word.variable().is_some_and(is_path) || view.runs_one_of(word, pythons)
    };
    let is_one = |word: &Word, text: &[u8]| word.plain().is_some_and(|one| view.of(one) == text);
    let Some(at) = one.words.iter().position(|word| is_one(word, b"-c")) else {
        return;
    };
    let (front, words) = one.words.split_at(at);
    // `conda run -n tools python -u -c …`; behind `conda install python -c` stands a channel.
    let installs = |word: &Word| {
        let text = word.plain().map(|range| view.of(range));
        text.is_some_and(|text| !text.starts_with(b"-") && has(&view.knowledge.installing, text))
    };
    let is_option = |word: &&Word| {
        let text = word.front().map(|range| view.of(range));
        text.is_some_and(|text| text.starts_with(b"-"))
    };
    let program = front.iter().rev().find(|word| !is_option(word));
    if !program.is_some_and(runs) && !front.iter().take(4).any(runs)
        || view.begins_with_one_of(one, &view.knowledge.installers) && front.iter().any(installs)
    {
        return;
    }
    for word in words.iter().skip(1) {
        let texts: Vec<TextRange> = word.texts().collect();
        let is_translated = match texts.as_slice() {
            // Of a program with a variable of the script's in it not all is known.
            [program] if word.parts.len() == 1 => translate(pass, *program),
            _ => false,
        };
        for text in texts.into_iter().filter(|_| !is_translated) {
            code(pass, text);
        }
    }
}

/// A stretch of Python.
pub(super) fn code(pass: &mut ScriptPass<'_>, text: TextRange) {
    let view = pass.view;
    for word in crate::build::leftovers::words_in(view.unit, text) {
        if pass.findings.is_handled(word) {
            continue;
        }
        let imported = [b"import ", view.of(word)].concat();
        let is_imported = contains(view.of(text), imported);
        if !is_imported && view.of(word).iter().all(|byte| !byte.is_ascii_lowercase()) {
            pass.findings.keep(word, KeptReason::Prose);
            continue;
        }
        let whole = dotted_name(view, text, word);
        let advice = "write `torch.musa` and MUSA's names there, or move the code to a file of Python's, which is ported";
        pass.findings.report(PYTHON, whole, advice);
    }
}

/// A stretch of C++: what the tables rename. The rest stays for who reads the report.
pub(super) fn cpp(pass: &mut ScriptPass<'_>, text: TextRange) {
    for word in code_words::words(pass.view.unit, text) {
        if let Some(found) = code_words::counterpart(pass.view.unit, word)
            && !pass.findings.is_handled(found.place)
        {
            pass.findings
                .apply_row(found.place, found.row, UNKNOWN_WORD);
        }
    }
}

/// `-DCMAKE_CUDA_ARCHITECTURES=80`. In a text that is kept for later, `-D` may define a macro of the code's: there only names
/// of `CMake`'s own and of its modules tell. Another name that the tree's `CMake` has is the project's own, which stays there.
fn cmake(pass: &mut ScriptPass<'_>, one: &Statement) {
    let view = pass.view;
    let known = view.unit.context.knowledge;
    let (scripts, language) = (view.knowledge, &known.builds.cmake.language_fronts);
    let is_run = match one.kind {
        StatementKind::Command => true,
        StatementKind::Assignment | StatementKind::Entry => false,
        _ => return,
    };
    let fronts = if is_run {
        &scripts.cmake_fronts
    } else {
        language
    };
    for word in &one.words {
        for piece in word.split(view.unit.text) {
            let Some(front) = piece.front() else { continue };
            let bytes = view.of(front);
            let mut names = defined_names(bytes).take_while(|_| bytes.starts_with(b"-D"));
            let Some(name) = names.next() else { continue };
            let name = name.shifted(front.start);
            let shown = view.of(name);
            let begins = |fronts: &[String]| {
                let mut fronts = fronts.iter();
                fronts.any(|front| shown.starts_with(front.as_bytes()))
            };
            let is_known = begins(language)
                || known
                    .builds
                    .cmake
                    .variables
                    .contains_key(&*view.unit.shown(name))
                || is_run && variables::is_cudas(view, name);
            if !is_known && !begins(fronts) || pass.findings.is_handled(name) {
                continue;
            }
            // Numbers may be those of CUDA's GPUs.
            let value = bytes_behind(view, name);
            let is_number = value.first().is_some_and(u8::is_ascii_digit);
            if is_known || is_number || !view.unit.project.has_word_in_cmake(shown) {
                pass.findings
                    .report(CMAKE_OPTION, name, CMAKE_OPTION_ADVICE);
            } else {
                pass.findings.keep(name, KeptReason::ProjectDeclared);
            }
        }
    }
}

/// What an option gives the variable at a place: `=80` and `:STRING="80"` give 80.
fn bytes_behind<'v>(view: &ScriptView<'v>, name: TextRange) -> &'v [u8] {
    let text = view.unit.text.get(name.end..).unwrap_or_default();
    let kind = text
        .iter()
        .take_while(|byte| byte.is_ascii_uppercase() || **byte == b':');
    let rest = text.get(kind.count()..).unwrap_or_default();
    let value = rest.strip_prefix(b"=").unwrap_or_default();
    let quotes = value.iter().take_while(|byte| matches!(byte, b'"' | b'\''));
    value.get(quotes.count()..).unwrap_or_default()
}
