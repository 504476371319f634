//! Options of nvcc: translated, left out, or reported.

use super::quotes::{QuotedValue, quoted};
use super::view::View;
use crate::mapping::stub::StubKnowledge;
use crate::mapping::{Evidence, Relation, Row, Section};
use crate::rules::build::arch;
use crate::rules::build::codes::{ARCHITECTURE, DROPPED, OPTION};
use crate::rules::build::grouped_findings::GroupedFindings;
use crate::syntax::script::{Part, Statement, StatementKind, Word};
use crate::text::TextRange;

/// The options in a statement.
pub(super) fn options(view: &View<'_>, one: &Statement, told: &mut GroupedFindings<'_, '_>) {
    let text = view.unit.text;
    let (words, device): (&[Word], bool) = match one.kind {
        StatementKind::Command => (
            one.words.get(1..).unwrap_or_default(),
            view.facts.runs_compiler(text, one),
        ),
        StatementKind::Assignment | StatementKind::Default | StatementKind::Call => {
            (&one.words, view.facts.device.contains(view.of(one.head)))
        }
        _ => return,
    };
    let knowledge = StubKnowledge::builtin();
    let mut list = List {
        view,
        words,
        with_values: &knowledge.flags.with_values,
        for_the_host: &knowledge.flags.for_the_host,
        hands_on: &knowledge.flags.hands_on,
        named_targets: false,
        gone: 0,
    };
    let mut at = 0;
    while at < words.len() {
        at += list.option(at, device, told).max(1);
    }
}

/// A list of options.
pub(super) struct List<'v, 'a> {
    pub(super) view: &'v View<'a>,
    pub(super) words: &'v [Word],
    with_values: &'v [String],
    for_the_host: &'v [String],
    pub(super) hands_on: &'v [String],
    /// Whether MUSA's architectures are written already.
    named_targets: bool,
    /// Where the last option that went ends.
    gone: usize,
}

/// One option in it.
pub(super) struct Found<'r> {
    pub(super) row: &'r Row,
    /// It, as far as it stands in its word.
    pub(super) name: TextRange,
    /// How many words it takes.
    words: usize,
    /// Its value, where it has one: what stands behind `=`, or the next word.
    pub(super) value: Option<Word>,
    /// The marks in front of the value and behind it.
    pub(super) marks: Option<(TextRange, TextRange)>,
    /// All of it, with the marks around it.
    pub(super) whole: TextRange,
}

impl<'a> List<'_, 'a> {
    /// The option at a place, and how many words it takes.
    fn option(&mut self, at: usize, device: bool, told: &mut GroupedFindings<'_, '_>) -> usize {
        if device && let Some(words) = self.for_the_linker(at, told) {
            return words;
        }
        let Some(found) = self.find(at, device) else {
            return 0;
        };
        if told.is_spoken_of(found.name) {
            return found.words;
        }
        let row = found.row;
        let evidence = row.evidence.unwrap_or(Evidence::Rule);
        let advice = row.advice.as_deref().unwrap_or_default();
        let weak = evidence > self.view.unit.settings.min_evidence;
        match row.relation {
            Relation::Renamed if !weak => {
                if let Some(to) = row.to.as_deref() {
                    told.replace(found.whole, to, row.evidence);
                }
            }
            Relation::Absent if row.family.as_deref() == Some("arch") => {
                self.architecture(at, &found, told);
            }
            Relation::Absent if weak => told.report(OPTION, found.name, advice),
            Relation::Absent if self.for_the_host.iter().any(|one| *one == *row.cuda) => {
                match self.dropped(&found) {
                    Some(advice) => self.leave_out(at, &found, DROPPED, advice, told),
                    None => self.hand_on(&found, told),
                }
            }
            Relation::Absent => self.leave_out(at, &found, DROPPED, advice, told),
            _ => told.report(OPTION, found.whole, advice),
        }
        found.words
    }

    fn find(&self, at: usize, device: bool) -> Option<Found<'a>> {
        let word = self.words.get(at)?;
        let front = word
            .front()
            .filter(|front| front.start <= word.range.start + 1)?;
        let bytes = self.view.of(front);
        if !bytes.starts_with(b"-") {
            return None;
        }
        let tables = self.view.unit.context.tables;
        let get = |name: &[u8]| tables.get(Section::Flags, name);
        let equals = memchr::memchr(b'=', bytes);
        let key = bytes.get(..equals.unwrap_or(bytes.len()))?;
        let next = self.words.get(at + 1);
        let next_text = next.and_then(Word::plain).map(|range| self.view.of(range));
        // `-x cu`
        let pair = next_text.map(|next| [key, b" ", next].concat());
        let of_pair = pair.as_deref().filter(|_| equals.is_none()).and_then(get);
        let (row, own) = match (of_pair, get(bytes)) {
            (Some(row), _) => (row, false),
            (None, Some(row)) => (row, true),
            (None, None) => (get(key)?, true),
        };
        let takes = self.with_values.iter().any(|one| one.as_bytes() == key);
        let name = TextRange::new(front.start, front.start + key.len());
        let value = match equals {
            Some(equals) => {
                let mut value = word.clone();
                if let Some(Part::Text(text)) = value.parts.first_mut() {
                    text.start = front.start + equals + 1;
                    value.range.start = text.start;
                    if text.start == text.end {
                        value.parts.remove(0);
                    }
                }
                Some(value)
            }
            None if takes && own => next.cloned(),
            None => None,
        };
        let apart = !own || (takes && equals.is_none() && value.is_some());
        let behind = self.words.get(at + usize::from(apart)..)?;
        let inside = value.as_ref().filter(|_| own);
        let inside = inside.and_then(|value| quoted(self.view.unit.text, behind, value));
        let words = usize::from(apart) + inside.as_ref().map_or(1, |inside| inside.words);
        let mut whole = self.whole(at, words);
        let (value, marks) = match inside {
            Some(QuotedValue {
                open, close, value, ..
            }) => {
                // What stands in quotes by itself goes with them.
                let text = self.view.unit.text;
                let mark = name.start.checked_sub(1).and_then(|at| text.get(at));
                let is_quoted = matches!(mark, Some(b'"' | b'\'')) && mark == text.get(name.end);
                whole.start = whole.start.min(name.start - usize::from(is_quoted));
                whole.end = whole.end.max(value.range.end);
                (Some(value), Some((open, close)))
            }
            None => (value, None),
        };
        let shared = self
            .view
            .knowledge
            .shared_flags
            .iter()
            .any(|one| *one == *row.cuda);
        let says_arch = || {
            let text = value
                .as_ref()
                .and_then(Word::front)
                .map(|range| self.view.of(range));
            let known = &self.view.knowledge.arch_values;
            text.is_some_and(|text| known.iter().any(|one| text.starts_with(one.as_bytes())))
        };
        (!shared || device || says_arch()).then_some(Found {
            row,
            name,
            words,
            value,
            marks,
            whole,
        })
    }

    /// Where an option stands with its value.
    fn whole(&self, at: usize, words: usize) -> TextRange {
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

    /// `-gencode arch=compute_80,code=sm_80`: the first becomes the user's targets, the others go.
    fn architecture(&mut self, at: usize, found: &Found<'_>, told: &mut GroupedFindings<'_, '_>) {
        let whole = found.whole;
        let Some(options) = arch::options(self.view.unit) else {
            told.report(ARCHITECTURE, whole, arch::ADVICE);
            return;
        };
        if self.named_targets {
            let range = self.with_blanks(at, found);
            told.replace(range, "", found.row.evidence);
        } else {
            told.replace(whole, &options, found.row.evidence);
            self.named_targets = true;
        }
    }

    /// An option goes, with its value and the blanks that part it from its neighbours.
    fn leave_out(
        &mut self,
        at: usize,
        found: &Found<'_>,
        code: crate::diagnostic::Code,
        advice: &str,
        told: &mut GroupedFindings<'_, '_>,
    ) {
        told.report(code, found.whole, advice);
        let range = self.with_blanks(at, found);
        told.replace(range, "", None);
    }

    /// An option with its value and blanks, as far as the one before did not take them.
    fn with_blanks(&mut self, at: usize, found: &Found<'_>) -> TextRange {
        let range = self.apart(at, found.whole);
        self.gone = range.end;
        range
    }

    fn apart(&self, at: usize, whole: TextRange) -> TextRange {
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
