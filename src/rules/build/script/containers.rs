//! Options with which containers get NVIDIA's GPUs: `docker run --gpus all`, `docker run --runtime=nvidia`,
//! `options: --gpus all` in a pipeline.

use super::pass::ScriptPass;
use super::view::ScriptView;
use torchada_diagnostic::codes::build::PROGRAM;
use torchada_mapping::starts_with_one;
use torchada_syntax::script::{Statement, StatementKind, Word};
use torchada_text::TextRange;

/// Report the options of a command that starts a container.
pub(super) fn options(pass: &mut ScriptPass<'_>, one: &Statement) {
    let view = pass.view;
    let known = &view.knowledge.containers;
    let is_containers = |key: TextRange| known.keys.contains(&view.unit.shown(key));
    let in_pipeline = one.kind == StatementKind::Entry && is_containers(one.head);
    if one.kind == StatementKind::Assignment || in_pipeline {
        let text = view.unit.text;
        let words: Vec<Word> = one.words.iter().flat_map(|word| word.split(text)).collect();
        // `ARGS="--gpus 4"` may be for a program of the project's own.
        report(pass, &words, u8::is_ascii_alphabetic);
    }
    if one.kind != StatementKind::Command {
        return;
    }
    let at = view.behind_wrappers(&one.words);
    let words = one.words.get(at..).unwrap_or_default();
    let runs = |word: &Word, programs: &[String]| view.runs_one_of(word, programs);
    if !words
        .first()
        .is_some_and(|word| runs(word, &known.programs))
    {
        return;
    }
    let start = words.iter().position(|word| runs(word, &known.starts));
    let Some(words) = start.and_then(|at| words.get(at + 1..)) else {
        return;
    };
    let words = words.get(..end_of_options(view, words)).unwrap_or_default();
    report(pass, words, |_| true);
}

/// Report those of some words that ask for NVIDIA's GPUs, by a value that begins as `may_begin` says.
fn report(pass: &mut ScriptPass<'_>, words: &[Word], may_begin: impl Fn(&u8) -> bool) {
    let view = pass.view;
    let known = &view.knowledge.containers;
    for (at, word) in words.iter().enumerate() {
        let Some(front) = word.front() else { continue };
        let text = view.of(front);
        let cut = memchr::memchr(b'=', text);
        let name = text.get(..cut.unwrap_or(text.len())).unwrap_or_default();
        let mut options = known.options.iter();
        let Some((_, values)) = options.find(|(option, _)| option.as_bytes() == name) else {
            continue;
        };
        let (value, end) = match (cut, words.get(at + 1)) {
            (Some(cut), _) => (front.start + cut + 1, word.range.end),
            (None, Some(next)) => (next.range.start, next.range.end),
            (None, None) => continue,
        };
        let value = view.of(TextRange::new(value, end));
        let is_quote = |byte: &u8| matches!(byte, b'"' | b'\'' | b'\\');
        let quotes = value.iter().take_while(|byte| is_quote(byte)).count();
        let value = value.get(quotes..).unwrap_or_default();
        let is_known = starts_with_one(value, values);
        if is_known && value.first().is_some_and(&may_begin) {
            let end = end + closing_quotes(view, TextRange::new(front.end, end));
            let range = TextRange::new(word.range.start, end);
            pass.findings.report(PROGRAM, range, &known.advice);
        }
    }
}

/// How many quotes behind a value close those in it: the word for the value of `RUN: --gpus '"device=0"' --rm` ends before
/// them.
fn closing_quotes(view: &ScriptView<'_>, value: TextRange) -> usize {
    let is_quote = |byte: &&u8| matches!(byte, b'"' | b'\'');
    let opened = view.of(value).iter().filter(is_quote).count();
    let behind = view.unit.text.get(value.end..).unwrap_or_default();
    behind.iter().take(opened).take_while(is_quote).count()
}

/// How many of the words are options and their values: behind them stands the image, and what runs in it. A word that
/// follows an option may be its value.
fn end_of_options(view: &ScriptView<'_>, words: &[Word]) -> usize {
    let is_option = |at: usize| {
        let front = words.get(at).and_then(Word::front);
        front.is_some_and(|front| view.of(front).starts_with(b"-"))
    };
    let takes_value = |at: usize| {
        let front = words.get(at).and_then(Word::front);
        is_option(at) && front.is_some_and(|front| !view.of(front).contains(&b'='))
    };
    let mut places = 0..words.len();
    let image = places.find(|&at| !is_option(at) && !at.checked_sub(1).is_some_and(takes_value));
    image.unwrap_or(words.len())
}
