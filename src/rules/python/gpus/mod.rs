//! Code that depends on which GPU of NVIDIA's a program runs on: compute capabilities, architectures, names of products,
//! fields of properties, versions.
//!
//! One walk over the module looks at each node; `values` says which facts about a GPU an expression gives, and follows
//! them through variables and functions of the module.

mod capability_arguments;
mod codes;
mod comparisons;
mod fields;
mod libraries;
mod missing_cuda_version;
mod numbers;
mod support_checks;
mod texts;
mod values;

use rustc_hash::FxHashSet;

use super::PythonUnit;
use crate::diagnostic::{Code, Kept, KeptReason};
use crate::mapping::gpus::{GpuValueKind, Gpus as Table};
use crate::rules::{Outcome, Rule};
use crate::syntax::python::{Field, Kind, NodeId};
use codes::RULE;
use values::Values;

pub use codes::{ASKS, CAPABILITY};

/// GPUs of NVIDIA's, by number and by name.
pub struct Gpus;

impl Rule<PythonUnit<'_>> for Gpus {
    fn name(&self) -> &'static str {
        RULE
    }

    fn codes(&self) -> &'static [Code] {
        const CODES: [Code; 9] = [
            CAPABILITY,
            missing_cuda_version::RAISES,
            comparisons::NUMBER,
            texts::ARCHITECTURE,
            texts::PRODUCT,
            fields::NO_FIELD,
            ASKS,
            libraries::VERSION,
            fields::ADDED_FIELD,
        ];
        &CODES
    }

    fn check(&self, unit: &PythonUnit<'_>, out: &mut Outcome) {
        let table = Table::builtin();
        if !table.may_matter(unit.text) {
            return;
        }
        let values = Values::new(unit, table);
        let tree = &unit.module.tree;
        // The calls whose capability a comparison uses, and all calls that give a capability.
        let mut compared: FxHashSet<NodeId> = FxHashSet::default();
        let mut capability_calls: Vec<NodeId> = Vec::new();
        let mut reported = texts::ReportedInList::default();
        for node in tree.nodes() {
            if tree.is_broken(node) {
                continue;
            }
            match tree.kind(node) {
                Kind::Comparison => {
                    compared.extend(comparisons::check(&values, out, node));
                    libraries::check_comparison(&values, out, node);
                }
                Kind::Subscript | Kind::Match => {
                    compared.extend(comparisons::check_lookup(&values, out, node));
                }
                Kind::Call => {
                    compared.extend(comparisons::check_lookup(&values, out, node));
                    support_checks::check(&values, out, node);
                    fields::check_getattr(&values, out, node);
                    capability_arguments::check(&values, out, node);
                    capability_calls.extend(capability_call(&values, node));
                }
                Kind::Attribute => {
                    fields::check(&values, out, node);
                    if uses_version(&values, node) {
                        missing_cuda_version::check(&values, out, node);
                    }
                    libraries::check_name(&values, out, node);
                    texts::check_member(&values, out, node);
                }
                Kind::Identifier if uses_version(&values, node) => {
                    missing_cuda_version::check(&values, out, node);
                }
                Kind::ConcatenatedString => texts::check(&values, out, node, &mut reported),
                Kind::Str => {
                    let whole = tree.parent(node);
                    let compared = whole.filter(|&up| tree.kind(up) == Kind::Comparison);
                    if compared.is_some_and(|up| has_finding(&values, out, up)) {
                        let range = tree.range(node);
                        let reason = KeptReason::SaidBeside;
                        out.kept.push(Kept { range, reason });
                    } else if whole.is_none_or(|up| tree.kind(up) != Kind::ConcatenatedString) {
                        texts::check(&values, out, node, &mut reported);
                    }
                }
                _ => {}
            }
        }
        for call in capability_calls {
            if !compared.contains(&call) {
                report(&values, out, call, "gives a number of MUSA's here");
            } else if !unit.is_musa() && !has_finding(&values, out, call) {
                let what = "gives a number of MUSA's, which is held against CUDA's further on";
                report(&values, out, call, what);
            }
        }
    }
}

/// The call itself, if it calls a function of `PyTorch`'s that gives a capability.
fn capability_call(values: &Values<'_, '_>, call: NodeId) -> Option<NodeId> {
    let value = values.of(call)?;
    (value.gives == GpuValueKind::Pair && value.origin == Some(call) && calls_pytorch(values, call))
        .then_some(call)
}

fn calls_pytorch(values: &Values<'_, '_>, call: NodeId) -> bool {
    let word = values.unit.module.callee_word(call);
    values.gpus.values_named(word).next().is_some()
}

/// Whether there is a finding about a call, or about an expression that has the call in it.
fn has_finding(values: &Values<'_, '_>, out: &Outcome, call: NodeId) -> bool {
    let range = values.unit.module.tree.range(call);
    let mut findings = out.findings.iter();
    findings.any(|finding| finding.range.covers(range))
}

fn report(values: &Values<'_, '_>, out: &mut Outcome, call: NodeId, what: &str) {
    let unit = values.unit;
    let tree = &unit.module.tree;
    let Some(callee) = tree.child(call, Field::Function) else {
        return;
    };
    let range = tree.range(callee);
    let known = unit.module.resolve(callee);
    let name = known.map_or_else(|| unit.shown(range), |name| name.name);
    let mut platforms = unit.python_values().platforms.iter();
    let advice = platforms.find(|one| one.name == name);
    let message = format!("`{name}` {what}");
    let finding = unit.finding(CAPABILITY, range, message);
    out.findings.push(match advice {
        Some(one) => finding.help(one.advice.clone()),
        None => finding,
    });
}

/// Whether an expression uses the version of CUDA, which is None on MUSA.
fn uses_version(values: &Values<'_, '_>, node: NodeId) -> bool {
    let tree = &values.unit.module.tree;
    // Binding a name is no use of it, nor is a part of a longer name.
    let is_no_use = matches!(
        tree.parent(node)
            .map(|up| (tree.kind(up), tree.field(node))),
        Some(
            (Kind::Attribute, Field::Attribute)
                | (Kind::Assignment | Kind::Augmented, Field::Left)
                | (Kind::KeywordArgument, Field::Name)
                | (Kind::Parameters | Kind::DottedName | Kind::PatternList, _)
        )
    );
    !is_no_use && missing_cuda_version::is_version(values.of(node))
}
