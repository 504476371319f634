//! Code that depends on which GPU of NVIDIA's a program runs on: compute capabilities, architectures, names of products,
//! fields of properties, versions.
//!
//! One walk over the module looks at each node; `values` says which facts about a GPU an expression gives, and follows
//! them through variables and functions of the module.

mod answers;
mod capability_arguments;
mod comparisons;
mod decisions;
mod excluded;
mod fields;
mod gates;
mod libraries;
mod lookups;
mod missing_cuda_version;
pub mod newer_gpus;
mod numbers;
mod other_side;
mod products;
mod questions;
mod review;
mod rewrite;
mod support_checks;
mod texts;
mod values;
mod wording;

use rustc_hash::FxHashSet;

use super::PythonUnit;
use crate::Outcome;
use review::Review;
use torchada_diagnostic::KeptReason;
use torchada_diagnostic::codes::python::CAPABILITY;
use torchada_mapping::python::gpus::{GpuValueKind, Gpus as Table};
use torchada_syntax::python::{Kind, NodeId};
use values::GpuFact;

/// GPUs of NVIDIA's, by number and by name.
pub fn check(unit: &PythonUnit<'_>, out: &mut Outcome) {
    let table = Table::builtin();
    if !newer_gpus::mentions_gpus(unit, table) {
        return;
    }
    let review = Review::new(unit, table);
    let tree = &unit.module.tree;
    let mut used = UsedCapabilities::default();
    let mut capability_calls: Vec<NodeId> = Vec::new();
    let mut reported = texts::ReportedInList::default();
    for node in tree.nodes() {
        if tree.is_broken(node) {
            continue;
        }
        match tree.kind(node) {
            Kind::Comparison => {
                used.note(out, |out| comparisons::check(&review, out, node));
                libraries::check_comparison(&review, out, node);
            }
            kind @ (Kind::Subscript | Kind::Match | Kind::Call) => {
                used.note(out, |out| lookups::check(&review, out, node));
                if kind != Kind::Call {
                    continue;
                }
                if review.default(node).is_some() && uses_version(&review, node) {
                    missing_cuda_version::check(&review, out, node);
                }
                support_checks::check(&review, out, node);
                fields::check_getattr(&review, out, node);
                capability_arguments::check(&review, out, node);
                capability_calls.extend(capability_call(&review, node));
            }
            Kind::Attribute => {
                fields::check(&review, out, node);
                if uses_version(&review, node) {
                    missing_cuda_version::check(&review, out, node);
                }
                libraries::check_name(&review, out, node);
                texts::check_member(&review, out, node);
            }
            Kind::Identifier if uses_version(&review, node) => {
                missing_cuda_version::check(&review, out, node);
            }
            Kind::Conditional => other_side::check(&review, out, node),
            Kind::Function => gates::check(&review, out, node),
            Kind::ConcatenatedString => texts::check(&review, out, node, &mut reported),
            Kind::Str => {
                let whole = tree.parent(node);
                let compared = whole.filter(|&up| tree.kind(up) == Kind::Comparison);
                if compared.is_some_and(|up| has_finding(&review, out, up)) {
                    out.keep(tree.range(node), KeptReason::NamedBeside);
                } else if whole.is_none_or(|up| tree.kind(up) != Kind::ConcatenatedString) {
                    texts::check(&review, out, node, &mut reported);
                }
            }
            _ => {}
        }
    }
    for call in capability_calls {
        if !used.all.contains(&call) {
            if !review.decide_number(call, "gives a number of MUSA's") {
                report(&review, out, call, "gives a number of MUSA's here");
            }
        } else if !unit.is_musa() && used.open.contains(&call) && !has_finding(&review, out, call) {
            let what = "gives a number of MUSA's, which is compared with CUDA's further on";
            report(&review, out, call, what);
        }
    }
    review.finish(out);
}

/// The calls whose capability a comparison or a table uses.
#[derive(Default)]
struct UsedCapabilities {
    all: FxHashSet<NodeId>,
    /// The capabilities that are used where nobody could decide, so that there is a finding.
    open: FxHashSet<NodeId>,
}

impl UsedCapabilities {
    /// Take in the calls that a check gives, which may report what uses them.
    fn note<I>(&mut self, out: &mut Outcome, check: impl FnOnce(&mut Outcome) -> I)
    where
        I: IntoIterator<Item = NodeId>,
    {
        let before = out.findings.len();
        for call in check(out) {
            self.all.insert(call);
            if out.findings.len() > before {
                self.open.insert(call);
            }
        }
    }
}

/// The call itself, if it calls a function of `PyTorch`'s that gives a capability.
fn capability_call(review: &Review<'_>, call: NodeId) -> Option<NodeId> {
    let gives = || {
        let value = review.of(call);
        value.is_some_and(|one| one.gives == GpuValueKind::Pair && one.origin == Some(call))
    };
    (calls_pytorch(review, call) && gives()).then_some(call)
}

fn calls_pytorch(review: &Review<'_>, call: NodeId) -> bool {
    let word = review.unit.module.callee_word(call);
    review.gpus.values_named(word).next().is_some()
}

/// Whether there is a finding about a call, or about an expression that has the call in it.
fn has_finding(review: &Review<'_>, out: &Outcome, call: NodeId) -> bool {
    let range = review.unit.module.tree.range(call);
    let mut findings = out.findings.iter();
    review.is_decided(range) || findings.any(|finding| finding.range.covers(range))
}

fn report(review: &Review<'_>, out: &mut Outcome, call: NodeId, what: &str) {
    let unit = review.unit;
    let tree = &unit.module.tree;
    let Some(callee) = tree.callee(call) else {
        return;
    };
    let range = tree.range(callee);
    let known = unit.module.resolve(callee);
    let name = known.map_or_else(|| unit.shown(range), |name| name.name);
    let mut platforms = unit.python_values().platforms.iter();
    let advice = platforms.find(|one| one.name == name);
    let message = format!("`{name}` {what}");
    let finding = unit.finding(CAPABILITY, range, message);
    out.report(finding.help_if_any(advice.map(|one| one.advice.as_str())));
}

/// Whether an expression uses the version of CUDA, which is None on MUSA.
fn uses_version(review: &Review<'_>, node: NodeId) -> bool {
    if !review.may_give(GpuValueKind::Version) {
        return false;
    }
    let tree = &review.unit.module.tree;
    // Binding a name is no use of it, nor is a part of a longer name.
    !tree.is_bound_or_part(node) && review.of(node).is_some_and(GpuFact::is_version)
}
