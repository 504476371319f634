//! Flags that stand as words in the arguments of a command.

use super::expressions::{SHELL, bare, expression_end, is_by_language, part};
use super::flags::{say, split, takes_value, translator};
use super::pass::Pass;
use crate::build::arch;
use crate::build::codes::OTHER_GPUS;
use crate::flags::FlagAction;
use torchada_diagnostic::codes::build::ARCHITECTURES;
use torchada_syntax::cmake::{Command, Quoting};
use torchada_text::TextRange;

/// One word of flags with its place.
struct FlagWord<'a> {
    range: TextRange,
    text: &'a str,
    /// Its argument, with the quotes.
    argument: TextRange,
    /// The text between the quotes.
    inner: TextRange,
}

impl FlagWord<'_> {
    fn is_quoted(&self) -> bool {
        self.argument != self.inner
    }

    /// Whether the word is its whole argument.
    fn is_whole(&self) -> bool {
        self.range == self.inner
    }
}

/// How a command takes the flags in its arguments.
#[derive(Clone, Copy, Debug)]
pub(super) struct Takes {
    /// Whether those in one argument are apart by `;`.
    pub(super) is_list: bool,
    /// Whether one argument is the whole value: what takes its place is one as well.
    pub(super) is_value: bool,
    /// Whether they are nvcc's, so that those are, too, which other programs have as well.
    pub(super) for_device: bool,
}

impl Takes {
    /// Flags in any number of arguments, with blanks between those in quotes.
    pub(super) const WORDS: Self = Self {
        is_list: false,
        is_value: false,
        for_device: true,
    };
    /// A list, in any number of arguments.
    pub(super) const LIST: Self = Self {
        is_list: true,
        is_value: false,
        for_device: true,
    };
}

/// Translate the flags that stand as words in the arguments from `first` on.
pub(super) fn plain(pass: &mut Pass<'_>, command: &Command, first: usize, takes: Takes) {
    let mut words: Vec<FlagWord<'_>> = Vec::new();
    let mut place = first;
    while place < command.arguments.len() {
        let last = expression_end(pass, command, place);
        let group = command.arguments.get(place..=last).unwrap_or_default();
        let by_language = group
            .iter()
            .any(|one| is_by_language(pass.word(one)) || one.quoting == Quoting::Bracket);
        let in_expression = group.iter().any(|one| pass.word(one).contains("$<"));
        place = last + 1;
        if by_language {
            walk(pass, &std::mem::take(&mut words), takes);
            continue;
        }
        for argument in group {
            let inner = argument.inner;
            let before = words.last().filter(|_| argument.quoting == Quoting::Quoted);
            // What stands in quotes behind an option that takes a value is this value, blanks and all.
            let is_value =
                before.is_some_and(|word| word.is_whole() && takes_value(pass, word.text));
            let text = pass.text_of(inner);
            let pieces = if is_value {
                vec![(0, text)]
            } else {
                split(text)
            };
            let option = if in_expression { part } else { bare };
            for (start, piece) in pieces {
                let (skip, text) = option(piece);
                let start = inner.start + start + skip;
                words.push(FlagWord {
                    range: TextRange::new(start, start + text.len()),
                    text,
                    argument: argument.range,
                    inner,
                });
            }
        }
    }
    walk(pass, &words, takes);
}

/// Edit the words of a run of flags.
fn walk(pass: &mut Pass<'_>, words: &[FlagWord<'_>], takes: Takes) {
    let mut at = 0;
    // Whether MUSA's GPUs stand in place of the first of CUDA's.
    let mut named = false;
    while at < words.len() {
        let rest = words.get(at..).unwrap_or_default();
        let texts: Vec<&str> = rest.iter().map(|word| word.text).collect();
        let found = translator(pass).translate(&texts);
        at += found.words;
        if found.is_shared && !takes.for_device {
            continue;
        }
        let (Some(first), Some(last)) = (rest.first(), rest.get(found.words - 1)) else {
            continue;
        };
        let Some((range, quotes)) = around(first, last) else {
            continue;
        };
        // Several in one argument are apart by `;` where those before them were.
        let was_list = found.words > 1 && pass.text_of(range).contains(';');
        let is_bare_value = takes.is_value && !first.is_quoted();
        let is_list = was_list || takes.is_list && (first.is_quoted() || is_bare_value);
        // One argument of several flags has quotes.
        let put = |pass: &mut Pass<'_>, flags: &str| {
            let is_several = flags.contains([' ', ';']);
            if is_bare_value && is_several && first.is_whole() && last.is_whole() {
                pass.edit(range, &format!("\"{flags}\""));
            } else {
                pass.edit(range, &quoted(flags, quotes));
            }
        };
        match &found.action {
            FlagAction::Stays => {}
            FlagAction::Becomes(to) if !to.is_empty() => {
                let joint = if is_list && !quotes { ";" } else { " " };
                put(pass, &to.join(joint));
                say(pass, range, &found);
            }
            FlagAction::Remains(_) => say(pass, range, &found),
            FlagAction::NamesGpus if !named => {
                named = true;
                let to = of_gpus(pass, range, &found.shown, is_list);
                put(pass, &to);
                report_gpus(pass, range, &found.shown, &to);
            }
            FlagAction::NamesGpus => leave_out(pass, range),
            FlagAction::Becomes(_) => {
                leave_out(pass, range);
                say(pass, range, &found);
            }
        }
    }
}

/// The place of a run of words, and whether it takes quotes along. None where it holds a part of an argument that
/// others are in, too.
fn around(first: &FlagWord<'_>, last: &FlagWord<'_>) -> Option<(TextRange, bool)> {
    if first.argument == last.argument {
        return Some((TextRange::new(first.range.start, last.range.end), false));
    }
    let starts = !first.is_quoted() || first.range.start == first.inner.start;
    let ends = !last.is_quoted() || last.range.end == last.inner.end;
    let start = if first.is_quoted() {
        first.argument.start
    } else {
        first.range.start
    };
    let end = if last.is_quoted() {
        last.argument.end
    } else {
        last.range.end
    };
    let quotes = first.is_quoted() && last.is_quoted();
    (starts && ends).then_some((TextRange::new(start, end), quotes))
}

/// Flags as arguments, each with its quotes where those that they take the place of had some.
fn quoted(flags: &str, quotes: bool) -> String {
    if quotes {
        format!("\"{}\"", flags.replace(' ', "\" \""))
    } else {
        flags.to_owned()
    }
}

/// The options that name MUSA's GPUs in place of one that names CUDA's: the one that a loop over their list is at, or all
/// of them. Where a variable names CUDA's, its number is CUDA's, too, and a build that names none is for no GPU.
pub(super) fn of_gpus(pass: &Pass<'_>, range: TextRange, shown: &str, is_list: bool) -> String {
    if let Some(option) = of_loop(pass, range, shown) {
        return option;
    }
    // A list in quotes has its parts apart by `;`.
    pass.gpu_options().join(if is_list { ";" } else { " " })
}

/// The option for the GPU that a loop over MUSA's is at.
fn of_loop(pass: &Pass<'_>, range: TextRange, shown: &str) -> Option<String> {
    if !shown.contains("${") {
        return None;
    }
    let table = &pass.table.architectures;
    let to = pass.table.variables.get(&table.variable)?.to.as_deref()?;
    let at = pass.file.place_of(range)?;
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
        one.lower_name() == "foreach" && words.clone().any(is_list)
    });
    let variable = over
        .filter_map(|one| one.arguments.first())
        .map(|first| format!("${{{}}}", pass.word(first)))
        .find(|variable| shown.contains(variable.as_str()))?;
    Some(pass.gpu_option(&variable))
}

fn report_gpus(pass: &mut Pass<'_>, range: TextRange, shown: &str, to: &str) {
    let message = arch::became(shown, to);
    pass.report_of(ARCHITECTURES, range, to.to_owned(), message, OTHER_GPUS);
}

/// Take a flag out, with the blank before it or, where it begins a string, the one behind it.
fn leave_out(pass: &mut Pass<'_>, range: TextRange) {
    let text = pass.unit.text;
    let byte = |at: usize| text.get(at).copied();
    let is_apart = |one: Option<u8>| matches!(one, Some(b' ' | b'\t' | b'\n' | b'\r' | b';'));
    let mut start = range.start;
    let mut end = range.end;
    // A quoted word goes with its quotes, and with what says that a shell would part it: `"SHELL:-Xcudafe --display_error_number"`.
    let front = text.get(..start).unwrap_or_default();
    let front = front
        .trim_ascii_end()
        .strip_suffix(SHELL.as_bytes())
        .unwrap_or(front);
    if byte(end) == Some(b'"') && front.ends_with(b"\"") {
        start = front.len() - 1;
        end += 1;
    }
    let mut front = start;
    loop {
        let before = front.checked_sub(1).and_then(byte);
        // A line that goes on behind a backslash ends with it, and it is a part of a blank in an argument.
        let goes_on = before == Some(b'\\') && matches!(byte(front), Some(b'\n' | b'\r' | b' '));
        if !(is_apart(before) || goes_on && front < start) {
            break;
        }
        front -= 1;
    }
    let in_comment = pass.unit.is_comment(front.saturating_sub(1));
    let mut in_front = false;
    if front < start && !in_comment {
        // What stood before may be gone with the blank behind it.
        let before = pass.out.edits.iter().map(|edit| edit.range);
        let before = before.filter(|one| one.start < start && one.end > front);
        start = before.map(|one| one.end).max().unwrap_or(front);
        in_front = start < range.start;
    }
    if !in_front && !in_comment {
        while matches!(byte(end), Some(b' ' | b';')) {
            end += 1;
        }
    }
    pass.edit(TextRange::new(start, end), "");
}
