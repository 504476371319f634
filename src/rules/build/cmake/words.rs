//! Flags that stand as words in the arguments of a command.

use super::codes::{ARCHITECTURES, OPTION_LEFT_OUT};
use super::flags::{Became, Step, step};
use super::pass::Pass;
use crate::syntax::cmake::{Command, Quoting};
use crate::text::TextRange;

/// One word of flags with its place.
struct Word<'a> {
    range: TextRange,
    text: &'a str,
    is_quoted: bool,
}

/// Translate the flags that stand as words in the arguments from `first` on.
pub(super) fn plain(pass: &mut Pass<'_, '_>, command: &Command, first: usize, is_list: bool) {
    let mut words: Vec<Word<'_>> = Vec::new();
    for argument in command.arguments.iter().skip(first) {
        let inner = argument.inner;
        if pass.word(argument).contains("COMPILE_LANGUAGE") || argument.quoting == Quoting::Bracket
        {
            walk(pass, &std::mem::take(&mut words), is_list);
            continue;
        }
        let mut start = inner.start;
        for part in pass.text_of(inner).split([' ', ';']) {
            let range = TextRange::new(start, start + part.len());
            start += part.len() + 1;
            if !part.is_empty() {
                let is_quoted = argument.quoting == Quoting::Quoted;
                words.push(Word {
                    range,
                    text: part,
                    is_quoted,
                });
            }
        }
    }
    walk(pass, &words, is_list);
}

/// Edit the words of a run of flags.
fn walk(pass: &mut Pass<'_, '_>, words: &[Word<'_>], is_list: bool) {
    let mut at = 0;
    let mut gpus = false;
    while at < words.len() {
        let rest = words.get(at..).unwrap_or_default();
        let texts: Vec<&str> = rest.iter().map(|word| word.text).collect();
        let Some(step) = step(pass.unit.lore.tables, &texts) else {
            return;
        };
        let first = rest.first().map(|word| word.range);
        let last = rest.get(step.words - 1).map(|word| word.range);
        let is_list = is_list && rest.first().is_some_and(|word| word.is_quoted);
        at += step.words;
        let (Some(first), Some(last)) = (first, last) else {
            continue;
        };
        let range = TextRange::new(first.start, last.end);
        match &step.became {
            Became::Same => {}
            Became::Other(to) => {
                pass.edit(range, to);
            }
            Became::Gone(_) if step.is_gpu && !std::mem::replace(&mut gpus, true) => {
                if let Some(to) = of_gpus(pass, range, &step.shown, is_list) {
                    pass.edit(range, &to);
                    say_gpus(pass, range, &step.shown, &to);
                } else {
                    leave_out(pass, range);
                    say(pass, range, &step);
                }
            }
            Became::Gone(_) => {
                leave_out(pass, range);
                say(pass, range, &step);
            }
        }
    }
}

/// The options that name MUSA's GPUs in place of one that names CUDA's: all of them, or the one that a loop over their
/// list is at.
pub(super) fn of_gpus(
    pass: &Pass<'_, '_>,
    range: TextRange,
    shown: &str,
    is_list: bool,
) -> Option<String> {
    let table = &pass.table.architectures;
    if !shown.contains("${") {
        let options: Vec<String> = table
            .numbers
            .iter()
            .map(|one| table.option.replace("{}", one))
            .collect();
        // A list in quotes has its parts apart by `;`.
        return Some(options.join(if is_list { ";" } else { " " }));
    }
    let to = pass.table.variables.get(&table.variable)?.to.as_deref()?;
    let text = pass.unit.text;
    let commands = pass.file.commands.iter();
    let at = commands.clone().position(|one| one.range.covers(range))?;
    let loops = pass
        .file
        .blocks(at)
        .filter_map(|block| pass.file.commands.get(block));
    let over = loops.filter(|one| {
        let words = one
            .arguments
            .iter()
            .skip(1)
            .map(|argument| pass.word(argument));
        let is_list = |word: &str| word.contains(table.variable.as_str()) || word.contains(to);
        one.lower_name(text) == "foreach" && words.clone().any(is_list)
    });
    let variable = over
        .filter_map(|one| one.arguments.first())
        .map(|first| format!("${{{}}}", pass.word(first)))
        .find(|variable| shown.contains(variable.as_str()))?;
    Some(table.option.replace("{}", &variable))
}

fn say_gpus(pass: &mut Pass<'_, '_>, range: TextRange, shown: &str, to: &str) {
    let message = format!("`{shown}` became `{to}`: no GPU of MUSA's has a number of CUDA's");
    let help = "name the GPUs that the port is for, and leave the others out";
    pass.report(ARCHITECTURES, range, message, help);
}

/// Take a flag out, with the blank before it or, where it begins a string, the one behind it.
fn leave_out(pass: &mut Pass<'_, '_>, range: TextRange) {
    let text = pass.unit.text;
    let byte = |at: usize| text.get(at).copied();
    let is_apart = |one: Option<u8>| matches!(one, Some(b' ' | b'\t' | b'\n' | b'\r' | b';'));
    let mut start = range.start;
    let mut end = range.end;
    // A quoted word goes with its quotes.
    if byte(end) == Some(b'"') && start.checked_sub(1).and_then(byte) == Some(b'"') {
        start -= 1;
        end += 1;
    }
    let mut front = start;
    while is_apart(front.checked_sub(1).and_then(byte)) {
        front -= 1;
    }
    let in_comment = pass.unit.is_comment(front.saturating_sub(1));
    if front < start && !in_comment {
        start = front;
    } else if !in_comment {
        while matches!(byte(end), Some(b' ' | b';')) {
            end += 1;
        }
    }
    pass.edit(TextRange::new(start, end), "");
}

pub(super) fn say(pass: &mut Pass<'_, '_>, range: TextRange, step: &Step) {
    let sure = step.became == Became::Gone(true);
    let why = if sure {
        "mcc does without"
    } else {
        "no counterpart is known"
    };
    let help = step
        .advice
        .clone()
        .unwrap_or_else(|| "nothing has to be done".to_owned());
    let message = format!("`{}` was left out: {why}", step.shown);
    pass.report(OPTION_LEFT_OUT, range, message, help);
}
