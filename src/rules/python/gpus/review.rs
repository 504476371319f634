//! The review of a module: the unit that is reported on, what its expressions say of a GPU, and the questions that are
//! decided.

use std::cell::RefCell;
use std::ops::Deref;

use super::decisions::{
    Decided, Verdict, WrongEffect, verdict, verdict_on_lookup, verdict_on_number,
};
use super::questions::Question;
use super::values::Values;
use crate::Outcome;
use crate::python::PythonUnit;
use torchada_mapping::python::gpus::Gpus;
use torchada_syntax::python::NodeId;
use torchada_text::TextRange;

/// The review of a module. It derefs to the values of the module.
pub(super) struct Review<'a> {
    /// The unit.
    pub(super) unit: &'a PythonUnit<'a>,
    values: Values<'a>,
    decided: RefCell<Decided>,
}

impl<'a> Deref for Review<'a> {
    type Target = Values<'a>;

    fn deref(&self) -> &Values<'a> {
        &self.values
    }
}

impl<'a> Review<'a> {
    pub(super) fn new(unit: &'a PythonUnit<'a>, gpus: &'static Gpus) -> Self {
        Self {
            unit,
            values: Values::new(unit.code, gpus),
            decided: RefCell::default(),
        }
    }

    /// Decide a question by what its answer decides. Returns whether it is decided, so that no other rule has to report
    /// it.
    pub(super) fn decide(&self, out: &mut Outcome, question: &Question) -> bool {
        let verdict = verdict(&self.values, question);
        let mut decided = self.decided.borrow_mut();
        let effect = match verdict {
            Verdict::Refused(stop) if decided.stops_at(self.unit, stop) => {
                WrongEffect::stop(stop, None)
            }
            Verdict::Open | Verdict::Wanted | Verdict::Refused(_) => return false,
            Verdict::Right(why) => {
                decided.add(self.unit, question, why);
                return true;
            }
            Verdict::TakesHost(at, _) => WrongEffect::host(at),
            Verdict::WantedOrStops(stop) | Verdict::Stops(stop) => WrongEffect::stop(stop, None),
            Verdict::Denied(stop, feature) => WrongEffect::stop(stop, Some(feature)),
        };
        decided.report_effect(self.unit, out, question, &effect);
        true
    }

    /// Whether a question asks for what MUSA has, and the numbers of its GPUs say no.
    pub(super) fn is_wanted(&self, question: &Question) -> bool {
        let found = verdict(&self.values, question);
        matches!(
            found,
            Verdict::Wanted | Verdict::WantedOrStops(_) | Verdict::TakesHost(_, true)
        )
    }

    /// Decide that a table has no entry for MUSA's GPUs; `fallback` is what is taken instead.
    pub(super) fn decide_lookup(&self, node: NodeId, fallback: Option<NodeId>) -> bool {
        let Some(why) = verdict_on_lookup(&self.values, node, fallback) else {
            return false;
        };
        self.decided.borrow_mut().add_lookup(self.unit, node, why);
        true
    }

    /// Decide that a number may stand at a node, whatever becomes of it; `what` says whose number it is.
    pub(super) fn decide_number(&self, node: NodeId, what: &str) -> bool {
        let Some(why) = verdict_on_number(&self.values, node) else {
            return false;
        };
        let mut decided = self.decided.borrow_mut();
        decided.add_number(self.unit, node, what, why);
        true
    }

    /// Whether a question that is decided has a range in it.
    pub(super) fn is_decided(&self, range: TextRange) -> bool {
        self.decided.borrow().has(range)
    }

    /// Report what is decided: each question once, with its places.
    pub(super) fn finish(self, out: &mut Outcome) {
        self.decided.into_inner().report(self.unit, out);
    }
}
