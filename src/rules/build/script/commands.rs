//! Programs that are run or looked for by name.

use super::{View, is_one};
use crate::mapping::{Command, Evidence};
use crate::rules::build::codes::{PRINTED, PROGRAM};
use crate::rules::build::told::Told;
use crate::syntax::script::{Statement, StatementKind, Word};
use crate::text::TextRange;

/// Names of programs in a statement.
pub(super) fn programs(view: &View<'_>, one: &Statement, told: &mut Told<'_, '_>) {
    match one.kind {
        StatementKind::Command => command(view, one, told),
        StatementKind::Assignment | StatementKind::Default => {
            // The whole value is a program's name or path.
            if let [word] = one.words.as_slice() {
                place(view, word, true, told);
            }
        }
        StatementKind::Call | StatementKind::Condition => {
            called(view, one.head, told);
            for word in &one.words {
                place(view, word, true, told);
            }
        }
        _ => {}
    }
}

fn command(view: &View<'_>, one: &Statement, told: &mut Told<'_, '_>) {
    let knowledge = view.knowledge;
    let mut words = one.words.iter().peekable();
    while let Some(word) = words.next() {
        let Some(name) = view.program(word) else {
            break;
        };
        if view.is(name, &knowledge.wrappers) {
            // Options of what stands in front, and their numbers.
            while let Some(next) = words.peek() {
                let front = next.front().map_or(&b""[..], |front| view.of(front));
                if !(front.starts_with(b"-") || front.first().is_some_and(u8::is_ascii_digit)) {
                    break;
                }
                words.next();
            }
            continue;
        }
        if view.is(name, &knowledge.seekers) {
            for sought in words.by_ref() {
                place(view, sought, true, told);
            }
            break;
        }
        let more: Vec<&Word> = words.by_ref().collect();
        let alone = more.is_empty() && !is_piped(view, word.range.end);
        place(view, word, alone, told);
        // A script that tests for a program's file.
        if is_one(
            view.of(name),
            &["[".to_owned(), "[[".to_owned(), "test".to_owned()],
        ) {
            for sought in more {
                place(view, sought, true, told);
            }
        }
        break;
    }
    if view.facts.runs_compiler(view.unit.text, one) {
        let asks = one.words.iter().skip(1).find(|word| {
            word.plain()
                .is_some_and(|word| matches!(view.of(word), b"--version" | b"-V"))
        });
        if let Some(word) = asks
            && let Some(range) = word.plain()
        {
            let advice = "see what `mcc --version` prints; where the number decides something, say it by hand";
            let line = view
                .unit
                .shown(one.words.first().map_or(one.head, |first| first.range));
            told.report_as(
                PRINTED,
                range,
                format!("`{line} {}`", view.unit.shown(range)),
                advice,
            );
        }
    }
}

/// Whether another program reads what a command prints.
fn is_piped(view: &View<'_>, from: usize) -> bool {
    let rest = view.unit.text.get(from..).unwrap_or_default();
    let blank = |byte: &&u8| matches!(byte, b' ' | b'\t' | b'\\' | b'\n');
    let behind = rest
        .get(rest.iter().take_while(blank).count()..)
        .unwrap_or_default();
    behind.starts_with(b"|") && !behind.starts_with(b"||")
}

/// A program where a function of make's should stand: `$(nvidia-smi -L)`.
fn called(view: &View<'_>, head: TextRange, told: &mut Told<'_, '_>) {
    let known = &view.unit.lore.knowledge.surroundings.commands.known;
    let text = view.of(head);
    if let Some(command) = known.iter().find(|one| one.name.as_bytes() == text) {
        settle(view, head, command, false, told);
    }
}

/// A word that may be a program's name.
fn place(view: &View<'_>, word: &Word, alone: bool, told: &mut Told<'_, '_>) {
    let Some(name) = view.program(word) else {
        return;
    };
    let known = &view.unit.lore.knowledge.surroundings.commands.known;
    let text = view.of(name);
    let Some(command) = known.iter().find(|one| one.name.as_bytes() == text) else {
        return;
    };
    if told.is_spoken_of(name) {
        return;
    }
    settle(view, name, command, alone, told);
}

fn settle(
    view: &View<'_>,
    name: TextRange,
    command: &Command,
    alone: bool,
    told: &mut Told<'_, '_>,
) {
    let is_compiler = command.name == "nvcc";
    match &command.to {
        // Options and what is printed are others for all but the compiler, whose options are looked at.
        Some(to) if is_compiler || alone => told.replace(name, to, Some(Evidence::Confirmed)),
        Some(to) => {
            let advice = format!("MUSA has `{to}`. {}", command.advice);
            told.report(PROGRAM, name, &advice);
        }
        None => told.report(PROGRAM, name, &command.advice),
    }
    let _ = view;
}
