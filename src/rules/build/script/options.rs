//! Options of nvcc in statements: translated, left out, or reported.

use super::option_list::{List, PlacedOption, UNKNOWN};
use super::pass::ScriptPass;
use super::prefixed_options::without_prefix;
use super::vendor::takes_other_options;
use crate::build::arch;
use crate::flags::{FlagAction, LeftOut, Loss, Obstacle, Receiver, Translator};
use torchada_diagnostic::codes::build::{
    ARCHITECTURE, DROPPED, OPTION, OPTION_LEFT_OUT, OUTPUT, TOO_WEAK,
};
use torchada_mapping::has;
use torchada_syntax::script::{Statement, StatementKind, Word};
use torchada_text::TextRange;

/// The options in a statement.
pub(super) fn options(pass: &mut ScriptPass<'_>, one: &Statement) {
    let view = pass.view;
    let text = view.unit.text;
    let (words, device): (&[Word], bool) = match one.kind {
        StatementKind::Command if takes_other_options(view, one) => return,
        StatementKind::Call if without_prefix(pass, one) => return,
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
        findings: &mut pass.findings,
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
        at += list.option(at, device).max(1);
    }
    if device {
        list.variables_before_sources();
    }
}

impl List<'_, '_> {
    /// Whether the value of an option for GPUs is a variable that holds a processor: `-arch $(HOST_ARCH)`. The compiler of
    /// CUDA's takes GPUs alone.
    fn names_processor(&self, at: usize, found: &PlacedOption, device: bool) -> bool {
        let value = self.words.get(at + 1).filter(|_| found.words == 2);
        let variable = value.and_then(Word::variable);
        let is_processors = |name: &[u8]| {
            has(&self.syntax().processor_variables, name) && !self.view.facts.gpus.contains(name)
        };
        found.translation.is_for_gpus
            && !(self.is_command && device)
            && variable.is_some_and(|name| is_processors(self.view.of(name)))
    }

    /// Look at the option at a place. Returns how many words it takes.
    fn option(&mut self, at: usize, device: bool) -> usize {
        let Some(found) = self.find(at) else {
            return 0;
        };
        if found.translation.is_shared && !device {
            return 0;
        }
        if self.findings.is_handled(found.name) || self.names_processor(at, &found, device) {
            return found.words;
        }
        let advice = found.translation.advice.as_deref().unwrap_or_default();
        match &found.translation.action {
            FlagAction::Stays => {}
            FlagAction::Remains(Obstacle::TooWeak(_)) => {
                self.findings.report(TOO_WEAK, found.name, advice);
            }
            FlagAction::Remains(Obstacle::ChoosesOutput) => {
                self.findings.report(OUTPUT, found.name, advice);
            }
            FlagAction::Remains(_) if found.translation.is_for_gpus => {
                let flags = self.syntax();
                self.findings
                    .report(ARCHITECTURE, found.whole, &flags.gpu_advice);
            }
            FlagAction::Remains(_) => self.findings.report(OPTION, found.name, advice),
            FlagAction::NamesGpus => self.architecture(at, &found),
            FlagAction::Becomes(to) => {
                self.report_losses(&found);
                match found.translation.receiver {
                    _ if to.is_empty() => {
                        let value = self.whole_value(at, &found);
                        let range = value.unwrap_or_else(|| self.with_blanks(at, found.whole));
                        self.findings.replace(range, "", found.translation.evidence);
                    }
                    Receiver::Compiler if self.in_place(&found) => {}
                    Receiver::Compiler if to.iter().any(|one| one.contains(UNKNOWN)) => {
                        self.findings.report(OPTION, found.name, advice);
                    }
                    Receiver::Compiler => {
                        let to = to.join(&self.between(found.whole));
                        let evidence = found.translation.evidence;
                        if let Some(start) = self.place_before_sources(at, &found) {
                            let place = TextRange::new(start, start);
                            self.findings.replace(place, &format!("{to} "), evidence);
                            let range = self.with_blanks(at, found.whole);
                            self.findings.replace(range, "", None);
                        } else {
                            self.findings.replace(found.whole, &to, evidence);
                        }
                    }
                    Receiver::Host => self.for_the_host(&found),
                    Receiver::Linker => self.for_the_linker(&found),
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
    fn report_losses(&mut self, found: &PlacedOption) {
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
                self.findings.report_as(
                    code,
                    found.whole,
                    shown.join(", "),
                    advice.unwrap_or_default(),
                );
            }
        }
    }

    /// `-gencode arch=compute_80,code=sm_80`: MUSA's GPUs take the place of the first, the others go.
    fn architecture(&mut self, at: usize, found: &PlacedOption) {
        let unit = self.view.unit;
        let options = arch::options(unit);
        let is_first = !std::mem::replace(&mut self.named_targets, true);
        let (range, to) = if is_first {
            (found.whole, options.as_str())
        } else {
            (self.with_blanks(at, found.whole), "")
        };
        if is_first {
            self.say_language(found);
        }
        let shown = format!("`{}`", unit.shown(found.whole).trim());
        arch::replace(self.findings, unit, range, to, shown);
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
