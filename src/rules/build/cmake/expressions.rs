//! Generator's expressions that stand around flags: `$<$<COMPILE_LANGUAGE:CUDA>:-O3 -Xcompiler -Wall>`.
//!
//! Without quotes, blanks make several arguments of one: `CMake` puts them together again as a list.

use super::pass::Pass;
use torchada_syntax::cmake::{Command, Quoting};
use torchada_text::TextRange;

/// The prefix of an option that `CMake` must neither split nor merge with an equal one.
pub(super) const SHELL: &str = "SHELL:";

/// Whether an argument asks for the language of the sources.
pub(super) fn is_by_language(word: &str) -> bool {
    word.contains("COMPILE_LANG")
}

/// The last of the arguments that an expression which begins at one goes over; the argument itself where it is whole.
pub(super) fn expression_end(pass: &Pass<'_>, command: &Command, place: usize) -> usize {
    let mut open = 0_usize;
    for (at, argument) in command.arguments.iter().enumerate().skip(place) {
        let word = pass.word(argument);
        let opened = word.matches("$<").count();
        if at == place && (opened == 0 || argument.quoting != Quoting::Bare) {
            return place;
        }
        open += opened;
        open = open.saturating_sub(word.matches('>').count());
        if open == 0 {
            return at;
        }
    }
    place
}

/// The flags in an expression for CUDA's language, and their place. None if it contains another expression or a
/// comment.
pub(super) fn for_cuda<'a>(
    pass: &Pass<'a>,
    command: &Command,
    first: usize,
    last: usize,
) -> Option<(&'a str, TextRange)> {
    let arguments = command.arguments.get(first..=last)?;
    let (from, to) = (arguments.first()?, arguments.last()?);
    let range = TextRange::new(from.inner.start, to.inner.end);
    let is_bare = first == last || arguments.iter().all(|one| one.quoting == Quoting::Bare);
    let mut comments = pass.unit.comments.iter();
    if !is_bare || comments.any(|comment| comment.overlaps(range)) {
        return None;
    }
    let text = pass.text_of(range);
    let mut fronts = pass.table.expressions.fronts.iter();
    let (front, list) =
        fronts.find_map(|front| Some((front, text.strip_prefix(front.as_str())?)))?;
    let start = range.end - list.len();
    let closed = front.matches('>').count();
    let open = front.matches("$<").count().saturating_sub(closed);
    let list = list.strip_suffix(&">".repeat(open))?;
    let range = TextRange::new(start, start + list.len());
    (!list.contains("$<")).then_some((list, range))
}

/// An option without the expression around it: how much of its front that is, and the rest.
pub(super) fn bare(word: &str) -> (usize, &str) {
    let front = if word.starts_with("$<") {
        word.rfind(">:").map_or(0, |at| at + 2)
    } else {
        0
    };
    let (expression, mut rest) = word.split_at(front);
    let mut skip = expression.len();
    if let Some(option) = rest.strip_prefix(SHELL) {
        (skip, rest) = (skip + SHELL.len(), option);
    }
    let open = rest.matches("$<").count();
    let mut close = rest.matches('>').count();
    while close > open
        && let Some(option) = rest.strip_suffix('>')
    {
        (rest, close) = (option, close - 1);
    }
    (skip, rest)
}

/// The option in a word as `bare` has it, where the word may be a part of an expression with blanks,
/// `$<IF:$<CONFIG:Debug>,-G, -lineinfo>`: a comma at its end is the expression's.
pub(super) fn part(word: &str) -> (usize, &str) {
    let (skip, rest) = bare(word);
    (skip, rest.strip_suffix(',').unwrap_or(rest))
}

#[cfg(test)]
mod tests {
    use super::{bare, part};

    #[test]
    fn an_option_has_no_expression_around_it() {
        for (word, want) in [
            ("-O3", (0, "-O3")),
            ("-Wall>", (0, "-Wall")),
            ("SHELL:-Xcompiler", (6, "-Xcompiler")),
            ("$<$<CONFIG:Debug>:-G>", (18, "-G")),
            ("$<$<CONFIG:Debug>:SHELL:-G", (24, "-G")),
            ("-I$<TARGET_PROPERTY:x,Y>", (0, "-I$<TARGET_PROPERTY:x,Y>")),
        ] {
            assert_eq!(bare(word), want, "{word}");
        }
        assert_eq!(part("-Xcompiler=/W4,"), (0, "-Xcompiler=/W4"));
    }
}
