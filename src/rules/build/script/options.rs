//! Options of nvcc in statements: translated, left out, or reported.

use super::prefixed_options::without_prefix;
use super::quotes::{QuotedValue, quoted};
use super::vendor::takes_other_options;
use super::view::ScriptView;
use crate::build::arch;
use crate::build::grouped_findings::GroupedFindings;
use crate::flags::{FlagAction, LeftOut, Loss, Obstacle, Receiver, Translation, Translator};
use torchada_diagnostic::codes::build::{
    ARCHITECTURE, DROPPED, OPTION, OPTION_LEFT_OUT, OUTPUT, TOO_WEAK,
};
use torchada_mapping::builds::FlagSyntax;
use torchada_syntax::script::{Statement, StatementKind, Word, WordPart};
use torchada_text::TextRange;

/// Stands for each byte of a word that only a run knows.
const UNKNOWN: char = '$';

/// The options in a statement.
pub(super) fn options(
    view: &ScriptView<'_>,
    one: &Statement,
    findings: &mut GroupedFindings<'_, '_>,
) {
    let text = view.unit.text;
    let (words, device): (&[Word], bool) = match one.kind {
        StatementKind::Command if takes_other_options(view, one) => return,
        StatementKind::Call if without_prefix(view, one, findings) => return,
        StatementKind::Command => (
            one.words.get(1..).unwrap_or_default(),
            view.facts.runs_compiler(text, one),
        ),
        StatementKind::Assignment | StatementKind::Default | StatementKind::Call => {
            (&one.words, view.facts.device.contains(view.of(one.head)))
        }
        _ => return,
    };
    let mut list = List {
        view,
        words,
        is_command: one.kind == StatementKind::Command,
        translator: Translator::new(view.unit.context, view.unit.settings),
        named_targets: false,
        gone: 0,
    };
    // Beside an option that is nvcc's alone, others are for nvcc, too.
    let is_nvccs = |found: PlacedOption| {
        !found.translation.is_shared && found.translation.action != FlagAction::Stays
    };
    let device = device
        || (0..words.len())
            .filter_map(|at| list.find(at))
            .any(is_nvccs);
    let mut at = 0;
    while at < words.len() {
        at += list.option(at, device, findings).max(1);
    }
    if device {
        list.variables_before_sources(findings);
    }
}

/// A list of options.
pub(super) struct List<'v, 'a> {
    pub(super) view: &'v ScriptView<'a>,
    pub(super) words: &'v [Word],
    /// Whether they are the words of a command.
    pub(super) is_command: bool,
    pub(super) translator: Translator<'a>,
    /// Whether MUSA's architectures are written already.
    named_targets: bool,
    /// The end of the last option that was removed.
    gone: usize,
}

/// One option of a list of words, with its place.
pub(super) struct PlacedOption {
    /// Its translation.
    pub(super) translation: Translation,
    /// The place of its name.
    pub(super) name: TextRange,
    /// The number of words of the list that the option takes.
    words: usize,
    /// Its value, if it has one: the text behind `=`, or the next word.
    pub(super) value: Option<Word>,
    /// The marks in front of the value and behind it.
    pub(super) marks: Option<(TextRange, TextRange)>,
    /// The whole option, with the quotes around it.
    pub(super) whole: TextRange,
}

impl List<'_, '_> {
    /// How options are written.
    pub(super) fn syntax(&self) -> &FlagSyntax {
        &self.view.unit.context.knowledge.builds.flags
    }

    /// Look at the option at a place. Returns how many words it takes.
    fn option(&mut self, at: usize, device: bool, findings: &mut GroupedFindings<'_, '_>) -> usize {
        let Some(found) = self.find(at) else {
            return 0;
        };
        if found.translation.is_shared && !device {
            return 0;
        }
        if findings.is_handled(found.name) {
            return found.words;
        }
        let advice = found.translation.advice.as_deref().unwrap_or_default();
        match &found.translation.action {
            FlagAction::Stays => {}
            FlagAction::Remains(Obstacle::TooWeak(_)) => {
                findings.report(TOO_WEAK, found.name, advice);
            }
            FlagAction::Remains(Obstacle::ChoosesOutput) => {
                findings.report(OUTPUT, found.name, advice);
            }
            FlagAction::Remains(_) if found.translation.is_for_gpus => {
                let flags = self.syntax();
                findings.report(ARCHITECTURE, found.whole, &flags.gpu_advice);
            }
            FlagAction::Remains(_) => findings.report(OPTION, found.name, advice),
            FlagAction::NamesGpus => self.architecture(at, &found, findings),
            FlagAction::Becomes(to) => {
                self.report_losses(&found, findings);
                match found.translation.receiver {
                    _ if to.is_empty() => {
                        let value = self.whole_value(at, &found);
                        let range = value.unwrap_or_else(|| self.with_blanks(at, found.whole));
                        findings.replace(range, "", found.translation.evidence);
                    }
                    Receiver::Compiler if self.in_place(&found, findings) => {}
                    Receiver::Compiler if to.iter().any(|one| one.contains(UNKNOWN)) => {
                        findings.report(OPTION, found.name, advice);
                    }
                    Receiver::Compiler => {
                        let to = to.join(&self.between(found.whole));
                        let evidence = found.translation.evidence;
                        if let Some(start) = self.place_before_sources(at, &found) {
                            let place = TextRange::new(start, start);
                            findings.replace(place, &format!("{to} "), evidence);
                            let range = self.with_blanks(at, found.whole);
                            findings.replace(range, "", None);
                        } else {
                            findings.replace(found.whole, &to, evidence);
                        }
                    }
                    Receiver::Host => self.for_the_host(&found, findings),
                    Receiver::Linker => self.for_the_linker(&found, findings),
                }
            }
        }
        found.words
    }

    /// What stands between several options in place of one: a blank, and the marks around an option that stands in some by
    /// itself among other words, as in `FLAGS=("-O3" "--use_fast_math")`.
    fn between(&self, whole: TextRange) -> String {
        let text = self.view.unit.text;
        let byte = |at: Option<usize>| at.and_then(|at| text.get(at)).copied();
        let mark = byte(whole.start.checked_sub(1));
        let is_quoted = matches!(mark, Some(b'"' | b'\'')) && mark == byte(Some(whole.end));
        let is_in_list = byte(whole.start.checked_sub(2)) == Some(b'(') || self.words.len() > 1;
        match mark.filter(|_| is_quoted && (self.is_command || is_in_list)) {
            Some(mark) => format!("{0} {0}", char::from(mark)),
            None => " ".to_owned(),
        }
    }

    /// Report what is left out of an option: it, or a part of its value.
    fn report_losses(&self, found: &PlacedOption, findings: &mut GroupedFindings<'_, '_>) {
        let all = &found.translation.left_out;
        let is_all = |one: &LeftOut| one.shown == found.translation.shown;
        for (code, is_unknown) in [(DROPPED, false), (OPTION_LEFT_OUT, true)] {
            let of = all
                .iter()
                .filter(|one| (one.loss == Loss::Unknown) == is_unknown);
            let shown = of.clone().map(|one| {
                if is_all(one) {
                    format!("`{}`", self.view.unit.shown(found.whole).trim())
                } else {
                    format!("`{}`", one.shown)
                }
            });
            let shown: Vec<String> = shown.collect();
            let advice = of.clone().find_map(|one| one.advice.as_deref());
            if !shown.is_empty() {
                findings.report_as(
                    code,
                    found.whole,
                    shown.join(", "),
                    advice.unwrap_or_default(),
                );
            }
        }
    }

    fn find(&self, at: usize) -> Option<PlacedOption> {
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
            Some(equals) => {
                let mut value = word.clone();
                if let Some(WordPart::Text(text)) = value.parts.first_mut() {
                    text.start = front.start + equals + 1;
                    value.range.start = text.start;
                    if text.start == text.end {
                        value.parts.remove(0);
                    }
                }
                Some(value)
            }
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

    /// `-gencode arch=compute_80,code=sm_80`: MUSA's GPUs take the place of the first, the others go.
    fn architecture(
        &mut self,
        at: usize,
        found: &PlacedOption,
        findings: &mut GroupedFindings<'_, '_>,
    ) {
        let unit = self.view.unit;
        let options = arch::options(unit);
        let is_first = !std::mem::replace(&mut self.named_targets, true);
        let (range, to) = if is_first {
            (found.whole, options.as_str())
        } else {
            (self.with_blanks(at, found.whole), "")
        };
        if is_first {
            self.say_language(found, findings);
        }
        let shown = format!("`{}`", unit.shown(found.whole).trim());
        arch::replace(findings, unit, range, to, shown);
    }

    /// What stands between quotes that have to stay, since an assignment needs a value: `$env:FLAGS = "-lineinfo"`.
    fn whole_value(&self, at: usize, found: &PlacedOption) -> Option<TextRange> {
        let before = self.words.get(at.checked_sub(1)?)?;
        let word = self.words.get(at).filter(|_| found.words == 1)?;
        let (first, last) = (word.parts.first()?.range(), word.parts.last()?.range());
        let inside = TextRange::new(first.start, last.end);
        (self.view.of(before.range) == b"=" && inside != word.range).then_some(inside)
    }

    /// An option that goes, with its value and blanks, as far as the one before did not take them.
    pub(super) fn with_blanks(&mut self, at: usize, whole: TextRange) -> TextRange {
        let range = self.removal_range(at, whole);
        self.gone = range.end;
        range
    }

    fn removal_range(&self, at: usize, whole: TextRange) -> TextRange {
        let text = self.view.unit.text;
        let blank = |byte: &u8| matches!(byte, b' ' | b'\t');
        // From the word before, over the end of a line that goes on, where nothing but blanks is between.
        if let Some(before) = at.checked_sub(1).and_then(|at| self.words.get(at)) {
            let gap = text.get(before.range.end..whole.start).unwrap_or_default();
            let only = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\\' | b'\n' | b'\r');
            if self.gone <= before.range.end && !gap.is_empty() && gap.iter().all(only) {
                return TextRange::new(before.range.end, whole.end);
            }
        }
        let behind = text.get(whole.end..).unwrap_or_default();
        let more = behind.iter().take_while(|byte| blank(byte)).count();
        TextRange::new(whole.start, whole.end + more)
    }
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
