//! Collects the questions of a module that are decided, and reports each once.

use std::collections::{BTreeMap, BTreeSet};

use super::reasons::Reason;
use crate::Outcome;
use crate::python::PythonUnit;
use crate::python::gpus::numbers::all_capabilities;
use crate::python::gpus::questions::Question;
use crate::python::gpus::wording::{beginning, short};
use torchada_diagnostic::codes::python::{ANSWERED, HOST_TAKEN, STOPS};
use torchada_diagnostic::{Code, KeptReason, Severity};
use torchada_syntax::python::{Kind, NodeId};
use torchada_text::TextRange;

/// How many further lines a finding names.
const LINES: usize = 8;

/// The questions of a module that are decided.
#[derive(Default, Debug)]
pub struct Decided {
    /// By what the answer is: the places, and why it is right at each.
    right: BTreeMap<String, Vec<(TextRange, Reason)>>,
    /// All ranges.
    ranges: Vec<TextRange>,
    /// The starts of the statements that end the program, or take the host for the device.
    stops: BTreeSet<usize>,
}

/// What comes of an answer that is wrong for MUSA.
pub struct WrongEffect {
    /// The statement or the expression where it shows.
    at: NodeId,
    code: Code,
    /// The part of the finding's message that says it.
    what: String,
}

impl WrongEffect {
    /// The program ends at `stop`; `feature` is what ends there where it is not the whole program.
    pub fn stop(stop: NodeId, feature: Option<&str>) -> Self {
        let (what, severity) = match feature {
            Some(word) => (format!("what is about `{word}`"), Severity::Warning),
            None => ("the program".to_owned(), STOPS.severity),
        };
        Self {
            at: stop,
            code: Code { severity, ..STOPS },
            what: format!("and {what} stops here"),
        }
    }

    /// The host is taken for the device.
    pub fn host(at: NodeId) -> Self {
        Self {
            at,
            code: HOST_TAKEN,
            what: "so that on MUSA the CPU is taken".to_owned(),
        }
    }
}

impl Decided {
    /// Take in a question whose answer is right.
    pub fn add(&mut self, unit: &PythonUnit<'_>, question: &Question, why: Reason) {
        let tree = &unit.module.tree;
        let answer = question.answer.unwrap_or_default();
        let shown = &question.shown;
        let up = tree.parent(question.node).map(|up| tree.kind(up));
        let what = if matches!(why, Reason::Behind(_) | Reason::Unreached(_)) {
            format!("`{shown}` is not asked on MUSA")
        } else if up == Some(Kind::Decorator) {
            format!("`{shown}` leaves MUSA out, which is right here")
        } else {
            format!("`{shown}` is {answer} on MUSA, which is right here")
        };
        self.add_place(tree.range(question.node), what, why);
    }

    /// Take in a table in which it is right that MUSA's GPUs are missing.
    pub fn add_lookup(&mut self, unit: &PythonUnit<'_>, node: NodeId, why: Reason) {
        let range = unit.module.tree.range(node);
        let shown = short(&unit.shown(range));
        self.add_place(
            range,
            format!("`{shown}` has no entry for MUSA, which is right here"),
            why,
        );
    }

    /// Take in an expression that is right as a number; `what` says whose number it is.
    pub fn add_number(&mut self, unit: &PythonUnit<'_>, node: NodeId, what: &str, why: Reason) {
        let range = unit.module.tree.range(node);
        let shown = short(&unit.shown(range));
        self.add_place(range, format!("`{shown}` {what}, which is right here"), why);
    }

    fn add_place(&mut self, range: TextRange, what: String, why: Reason) {
        self.ranges.push(range);
        self.right.entry(what).or_default().push((range, why));
    }

    /// Whether the program is known to end at this statement.
    pub fn stops_at(&self, unit: &PythonUnit<'_>, stop: NodeId) -> bool {
        self.stops.contains(&unit.module.tree.range(stop).start)
    }

    /// Report what comes of a question's answer, unless the same comes of another question's already.
    pub fn report_effect(
        &mut self,
        unit: &PythonUnit<'_>,
        out: &mut Outcome,
        question: &Question,
        effect: &WrongEffect,
    ) {
        let tree = &unit.module.tree;
        let range = tree.range(question.node);
        let place = tree.range(effect.at);
        self.ranges.push(range);
        if !self.stops.insert(place.start) {
            out.keep(range, KeptReason::NamedBeside);
            return;
        }
        let message = format!(
            "`{}` is {} on MUSA's GPUs, {}: `{}`",
            short(&unit.shown(range)),
            question.answer.unwrap_or_default(),
            effect.what,
            beginning(&unit.shown(place))
        );
        unit.report(out, effect.code, range, message, let_pass(unit));
    }

    /// Whether one of the questions has a range in it.
    pub fn has(&self, range: TextRange) -> bool {
        self.ranges.iter().any(|one| one.covers(range))
    }

    /// Report the questions, each once: at its first place, with the lines of the others.
    pub fn report(self, unit: &PythonUnit<'_>, out: &mut Outcome) {
        for (message, mut places) in self.right {
            places.sort();
            let mut reasons: Vec<&Reason> = places.iter().map(|(_, why)| why).collect();
            reasons.sort();
            reasons.dedup();
            let reasons: Vec<String> = reasons.into_iter().map(Reason::sentence).collect();
            let Some(&(first, _)) = places.first() else {
                continue;
            };
            let finding = unit.finding(ANSWERED, first, message);
            let others = places.iter().skip(1);
            let lines: BTreeSet<usize> = others
                .map(|&(range, _)| unit.finding(ANSWERED, range, "").start.line)
                .collect();
            let mut help = capital(&reasons.join("; "));
            let shown: Vec<String> = lines.iter().take(LINES).map(usize::to_string).collect();
            if !shown.is_empty() {
                let more = if lines.len() > LINES { ", …" } else { "" };
                help = format!("{help}. Also in line {}{more}.", shown.join(", "));
            }
            out.report(finding.help(help));
            for &(range, _) in places.iter().skip(1) {
                out.keep(range, KeptReason::NamedBeside);
            }
        }
    }
}

/// The advice about a question whose answer is wrong for MUSA.
fn let_pass(unit: &PythonUnit<'_>) -> String {
    format!(
        "MUSA's GPUs count {}, and CUDA's numbers say nothing of them: let MUSA pass before, by \
         `torchada.is_musa_platform()`, or ask for what the code needs",
        all_capabilities(unit.context.tables.targets())
    )
}

/// A sentence with a capital at its start.
fn capital(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|one| one.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}
