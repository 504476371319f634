//! A list of options, and what one of them is: its name, its value and its marks.

use super::quotes::{QuotedValue, quoted};
use super::view::ScriptView;
use crate::build::grouped_findings::GroupedFindings;
use crate::flags::{FlagAction, Translation, Translator};
use torchada_mapping::builds::FlagSyntax;
use torchada_syntax::script::{Word, WordPart};
use torchada_text::TextRange;

/// Stands for each byte of a word that only a run knows.
pub(super) const UNKNOWN: char = '$';

/// A list of options.
pub(super) struct List<'v, 'a> {
    pub(super) view: &'v ScriptView<'a>,
    pub(super) findings: &'v mut GroupedFindings<'a>,
    pub(super) words: &'v [Word],
    /// Whether they are the words of a command.
    pub(super) is_command: bool,
    pub(super) translator: Translator<'a>,
    /// Whether MUSA's architectures are written already.
    pub(super) named_targets: bool,
    /// The end of the last option that was removed.
    pub(super) gone: usize,
}

/// One option of a list of words, with its place.
pub(super) struct PlacedOption {
    /// Its translation.
    pub(super) translation: Translation,
    /// The place of its name.
    pub(super) name: TextRange,
    /// The number of words of the list that the option takes.
    pub(super) words: usize,
    /// Its value, if it has one: the text behind `=`, or the next word.
    pub(super) value: Option<Word>,
    /// The marks in front of the value and behind it.
    pub(super) marks: Option<(TextRange, TextRange)>,
    /// The whole option, with the quotes around it.
    pub(super) whole: TextRange,
}

impl<'v> List<'v, '_> {
    /// How options are written.
    pub(super) fn syntax(&self) -> &'v FlagSyntax {
        &self.view.unit.context.knowledge.builds.flags
    }

    /// The option at a place, if one stands there.
    pub(super) fn find(&self, at: usize) -> Option<PlacedOption> {
        let text = self.view.unit.text;
        let word = self.words.get(at)?;
        let front = word
            .front()
            .filter(|front| front.start <= word.range.start + 1)?;
        let bytes = self.view.of(front);
        if !bytes.starts_with(b"-") {
            return None;
        }
        let equals = memchr::memchr(b'=', bytes);
        let name = TextRange::new(front.start, front.start + equals.unwrap_or(bytes.len()));
        let key = std::str::from_utf8(name.of(text)).ok()?;
        let takes = self.syntax().takes_value(key);
        // `-Xcompiler$(space)-pthread`: what stands behind the name is known to a run alone, and the next word is no value.
        let goes_on = equals.is_none() && word.parts.len() > 1;
        let value = match equals {
            Some(equals) => Some(behind_equals(word, equals)),
            None => self.words.get(at + 1).cloned().filter(|_| !goes_on),
        };
        let behind = self.words.get(at + usize::from(equals.is_none())..)?;
        let inside = value.as_ref().filter(|_| takes || equals.is_some());
        let inside = inside.and_then(|value| quoted(text, behind, value));
        let written = inside
            .as_ref()
            .map(|inside| &inside.value)
            .or(value.as_ref());
        let written = written.map(|value| known(text, value).1);
        let translation = match (equals, &written) {
            (Some(_), Some(value)) => self.translator.translate(&[&format!("{key}={value}")]),
            (None, Some(value)) => self.translator.translate(&[key, value]),
            (_, None) => self.translator.translate(&[key]),
        };
        if goes_on && !matches!(translation.action, FlagAction::Remains(_)) {
            return None;
        }
        let is_apart = translation.words == 2;
        let inside = inside.filter(|_| is_apart || equals.is_some());
        let words = usize::from(is_apart) + inside.as_ref().map_or(1, |inside| inside.words);
        let mut whole = self.option_with_value(at, words);
        let value = value.filter(|_| is_apart || equals.is_some());
        let (value, marks) = match inside {
            Some(QuotedValue {
                open, close, value, ..
            }) => {
                // What stands in quotes by itself goes with them.
                let mark = name.start.checked_sub(1).and_then(|at| text.get(at));
                let is_quoted = matches!(mark, Some(b'"' | b'\'')) && mark == text.get(name.end);
                whole.start = whole.start.min(name.start - usize::from(is_quoted));
                whole.end = whole.end.max(value.range.end);
                (Some(value), Some((open, close)))
            }
            None => (value, None),
        };
        Some(PlacedOption {
            translation,
            name,
            words,
            value,
            marks,
            whole,
        })
    }

    /// The range of an option with its value.
    fn option_with_value(&self, at: usize, words: usize) -> TextRange {
        let first = self
            .words
            .get(at)
            .map_or(TextRange::new(0, 0), |word| word.range);
        let last = self
            .words
            .get(at + words - 1)
            .map_or(first, |word| word.range);
        TextRange::new(first.start, last.end.max(first.end))
    }
}

/// The part of a word behind the `=` that stands at an offset in its first text.
fn behind_equals(word: &Word, equals: usize) -> Word {
    let mut value = word.clone();
    if let Some(WordPart::Text(text)) = value.parts.first_mut() {
        text.start += equals + 1;
        value.range.start = text.start;
        if text.start == text.end {
            value.parts.remove(0);
        }
    }
    value
}

/// A word between its marks, with its start and [`UNKNOWN`] for each byte of what only a run knows, so that places in it
/// are places in the file.
pub(super) fn known(text: &[u8], word: &Word) -> (usize, String) {
    let start = word.parts.first().map_or(0, |part| part.range().start);
    let end = word.parts.last().map_or(start, |part| part.range().end);
    let mut shown: Vec<u8> = vec![UNKNOWN as u8; end.saturating_sub(start)];
    for part in word.texts() {
        if let Some(place) = shown.get_mut(part.start - start..part.end - start) {
            place.copy_from_slice(part.of(text));
        }
    }
    (start, String::from_utf8(shown).unwrap_or_default())
}
