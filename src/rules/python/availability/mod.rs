//! `torch.cuda.is_available()`: whether it picks a device, guards a test or tells the platform.

pub mod beside_others;
mod builder_question;
mod built_extension;
mod decides;
pub mod host_taken;
mod purpose;
mod unrelated;

pub use beside_others::becomes_musas;

use super::builds::picks_builder;
use super::inference::Purpose;
use super::torch::names::{Verdict, verdict};
use super::torch::patched;
use super::{ModuleView, PythonUnit};
use crate::{Change, Outcome};
use builder_question::opens_other_build;
use host_taken::{leaves_extension_out, takes_host};
use purpose::{purpose, why_it_stays};
use torchada_diagnostic::codes::python::{HOST_TAKEN, TELLS_PLATFORM};
use torchada_diagnostic::{Finding, KeptReason};
use torchada_mapping::PlatformName;
use torchada_syntax::python::{BoundValue, Field, Kind, NodeId};
use unrelated::NODES;

use beside_others::separates_platforms;
pub use builder_question::is_for_builder;
use torchada_text::{first_part, last_part};

/// Questions for a GPU.
pub fn check(unit: &PythonUnit<'_>, out: &mut Outcome) {
    for question in unit.python_values().gpu_questions() {
        let last = last_part(&question.name);
        if !unit.contains(last) {
            continue;
        }
        for &name in unit.module.places_of(last.as_bytes()) {
            translate_question(unit, out, question, name);
        }
    }
}

/// Make a question ask for MUSA, too, or report why it stays.
fn translate_question(
    unit: &PythonUnit<'_>,
    out: &mut Outcome,
    question: &PlatformName,
    name: NodeId,
) {
    let tree = &unit.module.tree;
    let whole = match tree.parent(name) {
        Some(up) if tree.kind(up) == Kind::Attribute => up,
        _ => name,
    };
    let call = tree.call_of(whole);
    let names_question = unit
        .resolve(whole)
        .is_some_and(|one| one.name == question.name);
    // `torch.cuda.is_available = lambda: False`
    if names_question && tree.field(whole) == Field::Left {
        patched::report_one_sided_patch(unit, out, tree.range(whole), &question.name);
    }
    let Some(call) = call.filter(|_| names_question && !tree.is_broken(whole)) else {
        return;
    };
    if separates_platforms(unit, whole) || asks_runtime_package_too(unit, call) {
        return;
    }
    let purpose = purpose(unit, call);
    let range = tree.range(call);
    let report = |out: &mut Outcome, why: &str| {
        let finding =
            finding_on_kept_question(unit, whole, format!("`{}` stays: {why}", question.name));
        out.report(finding.help(question.advice.clone()));
        unit.claim(out, whole);
    };
    let stub = &unit.python_values().entry;
    if unit.is_musa() {
        if opens_other_build(unit, call) {
            unit.claim(out, whole);
            out.keep(range, KeptReason::MusaBranch);
            return;
        }
        // A build for MUSA needs its extensions, even if the answer also distinguishes other platforms.
        let builds = stub.is_build(unit.path)
            && (purpose != Purpose::NamesPlatform || picks_builder(unit, call));
        if let Some(why) = why_it_stays(purpose).filter(|_| !builds) {
            report(out, why);
        } else if let Some(asks) = &question.asks
            && !ask_by_itself(unit, out, whole, asks)
        {
            report(out, "another package asks it, and asks for CUDA");
        }
        return;
    }
    if stub.is_build(unit.path) {
        report(
            out,
            "a build may run where the runtime package is not there",
        );
    } else if matches!(purpose, Purpose::PicksDevice | Purpose::GuardsTest) && unit.imports_stub() {
        let to = format!("({} or {}.{}())", unit.shown(range), stub.import, stub.asks);
        let change = Change::new(range, &to);
        if unit.change(out, change) {
            out.needs_stub = true;
        }
        unit.claim(out, whole);
    } else {
        let unknown = "what is done with the answer does not show that it picks a device";
        report(out, why_it_stays(purpose).unwrap_or(unknown));
    }
}

/// The finding on a question that stays CUDA's: an error where the program takes the host for its device then.
pub(super) fn finding_on_kept_question(
    unit: &PythonUnit<'_>,
    question: NodeId,
    why: String,
) -> Finding {
    let range = unit.module.tree.range(question);
    let is_build = unit.python_values().entry.is_build(unit.path);
    let takes_host = takes_host(unit, question) || is_build && leaves_extension_out(unit, question);
    if !takes_host {
        return unit.finding(TELLS_PLATFORM, range, why);
    }
    let what = if is_build {
        "the build is one for the CPU"
    } else {
        "the CPU is taken"
    };
    unit.finding(HOST_TAKEN, range, format!("{why}, so that on MUSA {what}"))
}

/// Ask in the module itself what a function of another package asks: `torch.musa.is_available` for transformers'
/// `is_torch_cuda_available`. Returns whether the module has what that takes.
fn ask_by_itself(unit: &PythonUnit<'_>, out: &mut Outcome, function: NodeId, asks: &str) -> bool {
    let root = first_part(asks);
    let bindings = unit.module.bindings(function, root.as_bytes()).1;
    let is_module = |what: &BoundValue| matches!(what, BoundValue::Import(path) if path == root);
    let Verdict::Becomes(to, evidence) = verdict(unit, asks) else {
        return false;
    };
    let is_there = bindings.iter().any(|one| is_module(&one.what));
    if is_there {
        unit.claim(out, function);
        unit.change(
            out,
            Change::new(unit.module.tree.range(function), &to).evidence(evidence),
        );
    }
    is_there
}

/// Whether the condition asks the runtime package, too: `torch.cuda.is_available() or torchada.is_musa_platform()`.
fn asks_runtime_package_too(unit: &ModuleView<'_>, call: NodeId) -> bool {
    let tree = &unit.module.tree;
    let asks = unit.python_values().entry.asks.as_bytes();
    tree.ancestors(call)
        .take_while(|&one| tree.kind(one) == Kind::Boolean)
        .flat_map(|one| tree.children(one))
        .any(|side| tree.kind(side) == Kind::Call && unit.module.callee_word(side) == asks)
}
