//! Programs that are run or looked for by name.

use std::collections::BTreeSet;

use super::pass::ScriptPass;
use super::view::ScriptView;
use torchada_diagnostic::codes::build::{PRINTED, PROGRAM};
use torchada_mapping::files::BuildLanguage;
use torchada_mapping::{Command, Evidence};
use torchada_syntax::script::{Statement, StatementKind, Word};
use torchada_text::TextRange;

/// Names of programs in a statement.
pub(super) fn programs(pass: &mut ScriptPass<'_>, one: &Statement) {
    for (name, command, alone) in uses(pass.view, one) {
        if !pass.findings.is_handled(name) {
            translate_command(pass, name, command, alone);
        }
    }
    if one.kind == StatementKind::Command {
        cut_off(pass, one);
    }
}

/// Programs that somewhere in a file are run with options, or whose output another one reads: they stay there, and so
/// they stay everywhere in it, where they are looked for, too.
pub(super) fn kept_programs(view: &ScriptView<'_>, found: &[Statement]) -> BTreeSet<String> {
    let all = found.iter().flat_map(|one| uses(view, one));
    let stays = all.filter(|(_, command, alone)| !alone && !command.compiler);
    stays.map(|(_, command, _)| command.name.clone()).collect()
}

/// The programs that a statement names, each with whether nothing but its name counts there.
fn uses<'v>(view: &ScriptView<'v>, one: &Statement) -> Vec<(TextRange, &'v Command, bool)> {
    let place = |word: &Word, alone: bool| {
        let name = view.program(word)?;
        Some((name, known(view, name)?, alone))
    };
    let sought =
        |words: &[Word]| -> Vec<_> { words.iter().filter_map(|word| place(word, true)).collect() };
    match one.kind {
        StatementKind::Command => {
            let words = &one.words;
            let at = view.behind_wrappers(words);
            let Some((word, more)) = words.get(at..).and_then(<[Word]>::split_first) else {
                return Vec::new();
            };
            let name = view.program(word);
            let is = |known: &[String]| name.is_some_and(|name| view.is(name, known));
            // What is compared with a variable that somebody else sets, as a pipeline does in an entry that stays, is a
            // value of theirs.
            let is_pipeline = view.unit.language == BuildLanguage::Workflow;
            let is_others = || is_pipeline || !view.sets_one_of(more);
            // `[ "$package" == nvcc ]`, where `cuda-$package` is installed
            if is(&view.knowledge.comparers) && view.names_package(more) {
                return Vec::new();
            }
            if is(&view.knowledge.comparers)
                && more.iter().any(|word| view.is_comparison(word))
                && is_others()
            {
                return Vec::new();
            }
            if is(&view.knowledge.seekers) || is(&view.knowledge.comparers) {
                return sought(more);
            }
            let alone = more.is_empty() && !is_piped(view, word.range.end);
            place(word, alone).into_iter().collect()
        }
        StatementKind::Assignment | StatementKind::Default
            if view.facts.package_parts.contains(view.of(one.head)) =>
        {
            Vec::new()
        }
        // The whole value is a program's name or path.
        StatementKind::Assignment | StatementKind::Default if one.words.len() == 1 => {
            sought(&one.words)
        }
        StatementKind::Assignment if view.facts.is_command(view.unit.text, &one.words) => {
            let first = one.words.first();
            first
                .and_then(|word| place(word, true))
                .into_iter()
                .collect()
        }
        StatementKind::Call | StatementKind::Condition => {
            // A program where a function of make's should stand: `$(nvidia-smi -L)`.
            let head = known(view, one.head).map(|command| (one.head, command, false));
            let pairs = one.words.iter().filter_map(|word| {
                let name = before_equals(view, word)?;
                Some((name, known(view, name)?, true))
            });
            let cut: Vec<_> = pairs.collect();
            head.into_iter()
                .chain(sought(&one.words))
                .chain(cut)
                .collect()
        }
        _ => Vec::new(),
    }
}

/// The program that `$(NAME:%/bin/nvcc=%)` cuts off.
fn before_equals(view: &ScriptView<'_>, word: &Word) -> Option<TextRange> {
    let text = word.front()?;
    let bytes = view.of(text);
    let end = memchr::memchr(b'=', bytes)?;
    let start = memchr::memrchr(b'/', bytes.get(..end)?)? + 1;
    Some(TextRange::new(text.start + start, text.start + end))
}

/// The compiler's path in what `sed` and its kin do with a text: `sed 's|/bin/nvcc||'`.
fn cut_off(pass: &mut ScriptPass<'_>, one: &Statement) {
    let view = pass.view;
    let program = view.program_word(one);
    if !program.is_some_and(|word| view.runs_one_of(word, &view.knowledge.editors)) {
        return;
    }
    let mut known = view.unit.context.knowledge.commands.known.iter();
    let compiler = known.find(|one| one.compiler);
    let Some((compiler, to)) = compiler.and_then(|one| Some((&one.name, one.to.as_deref()?)))
    else {
        return;
    };
    for text in one.words.iter().skip(1).flat_map(Word::texts) {
        let bytes = view.of(text);
        for at in memchr::memmem::find_iter(bytes, compiler) {
            let front = bytes.get(..at).unwrap_or_default();
            let behind = bytes.get(at + compiler.len());
            let is_path = front.ends_with(b"bin/") || front.ends_with(b"bin\\/");
            let goes_on = behind.is_some_and(|&byte| {
                torchada_syntax::is_identifier_part(byte) || matches!(byte, b'-' | b'.')
            });
            if is_path && !goes_on {
                let name = TextRange::new(text.start + at, text.start + at + compiler.len());
                pass.findings.replace(name, to, Some(Evidence::Confirmed));
            }
        }
    }
}

pub(super) fn known<'v>(view: &ScriptView<'v>, name: TextRange) -> Option<&'v Command> {
    let known = &view.unit.context.knowledge.commands.known;
    let text = view.of(name);
    known.iter().find(|one| one.name.as_bytes() == text)
}

/// `nvcc --version | grep release`: what mcc prints is another text.
pub(super) fn version_query(pass: &mut ScriptPass<'_>, one: &Statement) {
    let view = pass.view;
    if one.kind != StatementKind::Command
        || !view.facts.runs_compiler(view.unit.text, one)
        || !is_read(view, one)
    {
        return;
    }
    let asks = one.words.iter().skip(1).filter_map(Word::plain);
    let mut asks = asks.filter(|word| matches!(view.of(*word), b"--version" | b"-V"));
    if let Some(range) = asks.next() {
        let advice =
            "see what `mcc --version` prints; where the number decides something, say it by hand";
        let line = view
            .unit
            .shown(one.words.first().map_or(one.head, |first| first.range));
        pass.findings.report_as(
            PRINTED,
            range,
            format!("`{line} {}`", view.unit.shown(range)),
            advice,
        );
    }
}

/// Whether something reads what a command prints: another program, a file, or the code around `$(…)`.
fn is_read(view: &ScriptView<'_>, one: &Statement) -> bool {
    let first = one.words.first().map_or(one.head, |word| word.range);
    let last = one.words.last().map_or(one.head, |word| word.range);
    let text = view.unit.text;
    let front = text.get(..first.start).unwrap_or_default().trim_ascii_end();
    let line = text.get(last.start..).unwrap_or_default();
    let end = memchr::memchr3(b'\n', b';', b'|', line).unwrap_or(line.len());
    let line = line.get(..end).unwrap_or_default();
    let goes_to_file = memchr::memchr_iter(b'>', line).any(|at| {
        let behind = line.get(at + 1..).unwrap_or_default();
        let behind = behind
            .strip_prefix(b">")
            .unwrap_or(behind)
            .trim_ascii_start();
        !behind.starts_with(b"&") && !behind.starts_with(b"/dev/null")
    });
    [&b"$("[..], b"`", b"(shell", b"<("]
        .iter()
        .any(|open| front.ends_with(open))
        || goes_to_file
        || is_piped(view, last.end)
}

/// Whether another program reads what a command prints.
fn is_piped(view: &ScriptView<'_>, from: usize) -> bool {
    let rest = view.unit.text.get(from..).unwrap_or_default();
    let blank = |byte: &&u8| matches!(byte, b' ' | b'\t' | b'\\' | b'\n');
    let behind = rest
        .get(rest.iter().take_while(blank).count()..)
        .unwrap_or_default();
    behind.starts_with(b"|") && !behind.starts_with(b"||")
}

/// Whether a program lies in a folder of CUDA's that stays: `/opt/cuda/bin/nvcc`, but not `/usr/local/cuda/bin/nvcc`.
fn is_in_kept_folder(view: &ScriptView<'_>, program: TextRange) -> bool {
    let before = view.unit.text.get(..program.start).unwrap_or_default();
    let Some(folder) = before.strip_suffix(b"/bin/") else {
        return false;
    };
    let is_part = |byte: &&u8| byte.is_ascii_alphanumeric() || b"-_.".contains(byte);
    let last_part = |folder: &[u8]| folder.iter().rev().take_while(is_part).count();
    // `/opt/hpc/cuda/11.4/bin/nvcc`
    let is_version = |byte: &u8| byte.is_ascii_digit() || *byte == b'.';
    let len = last_part(folder);
    let (above, last) = folder.split_at(folder.len() - len);
    let folder = above
        .strip_suffix(b"/")
        .filter(|_| len > 0 && last.iter().all(is_version))
        .unwrap_or(folder);
    let (above, last) = folder.split_at(folder.len() - last_part(folder));
    let (usual, name) = view.knowledge.toolkit.folder_and_name();
    let front = last.get(..name.len()).unwrap_or_default();
    let above = above.strip_suffix(b"/");
    front.eq_ignore_ascii_case(name.as_bytes())
        && above.is_some_and(|above| !above.ends_with(usual.as_bytes()))
}

fn translate_command(pass: &mut ScriptPass<'_>, name: TextRange, command: &Command, alone: bool) {
    let alone = alone && !pass.view.kept.contains(&command.name);
    match &command.to {
        // Options and what is printed are others for all but the compiler.
        Some(_) if is_in_kept_folder(pass.view, name) => {
            pass.findings.report(PROGRAM, name, &command.advice);
        }
        Some(to) if command.compiler || alone => {
            pass.findings.replace(name, to, Some(Evidence::Confirmed));
        }
        Some(to) => {
            let advice = format!("MUSA has `{to}`. {}", command.advice);
            pass.findings.report(PROGRAM, name, &advice);
        }
        None => pass.findings.report(PROGRAM, name, &command.advice),
    }
}
