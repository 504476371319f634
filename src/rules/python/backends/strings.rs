//! Strings that name a backend of `torch.distributed`: `"nccl"`, `"cpu:gloo,cuda:nccl"`.

use std::cell::LazyCell;

use super::arms::is_of_gpu_by_arm;
use super::backend_string::BackendString;
use super::compared::{is_compared_with_groups, is_compared_with_kept};
use crate::python::devices::own_devices;
use crate::python::inference::{StringRole, names_entry};
use crate::python::{ModuleView, PythonUnit};
use crate::{Change, Outcome};
use torchada_diagnostic::KeptReason;
use torchada_mapping::stub::{Backend, StubKnowledge};
use torchada_mapping::{Evidence, ValueKind, has};
use torchada_syntax::python::Literal;
use torchada_text::TextRange;

/// Backends of `torch.distributed`.
pub fn check(unit: &PythonUnit<'_>, out: &mut Outcome) {
    let backends = &StubKnowledge::builtin().backends;
    let words = backends
        .iter()
        .flat_map(|one| [one.cuda.clone(), one.cuda.to_ascii_uppercase()]);
    let words: Vec<String> = words.collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let is_own = LazyCell::new(|| has_own_modes(unit) || own_devices::home(unit).is_some());
    for literal in unit.literals(&words).filter(Literal::is_plain) {
        // A library to link is no backend, nor is what another rule knows.
        if unit.is_edited(out, literal.node) || unit.is_claimed(out, literal.node) {
            continue;
        }
        for backend in backends {
            let pieces = pieces(unit, &literal, &backend.cuda, &backend.musa);
            if !pieces.is_empty() {
                let string = BackendString::of(unit, &literal);
                check_one(unit, out, &string, backend, pieces, &|| *is_own);
            }
        }
    }
}

/// Rewrite a string, keep or report it. `pieces` are the places in the string with what they become, and `is_own` says
/// whether the module has modes of its own that have the names of backends.
fn check_one(
    unit: &PythonUnit<'_>,
    out: &mut Outcome,
    string: &BackendString<'_>,
    backend: &Backend,
    pieces: Vec<(TextRange, String)>,
    is_own: &dyn Fn() -> bool,
) {
    let node = string.literal.node;
    let range = unit.module.tree.range(node);
    let is_arm = is_of_gpu_by_arm(unit, &string.of, node, &string.alternatives);
    let is_entry = || !is_arm && !string.is_torchs(unit) && names_entry(unit, &string.of);
    if string.is_of_registry(unit) || is_entry() {
        unit.claim(out, node);
        return out.keep(range, KeptReason::NotADevice);
    }
    if !is_arm && string.reading != StringRole::Known(ValueKind::Backend) {
        // In capitals the library is more often meant than a backend.
        if !string.in_capitals() {
            string.keep_or_report(unit, out, &backend.musa);
        } else if string.takes_backend(unit) {
            string.report(unit, out, &backend.musa.to_ascii_uppercase());
        }
        return;
    }
    unit.claim(out, node);
    // The project picks MUSA's itself; what it hands to torch directly is its one choice.
    if unit.distinguishes_musas_backend() && !string.is_handed_to_torch(unit) {
        return out.keep(range, KeptReason::MusaBranch);
    }
    // One platform's backend among those of several.
    let is_answer = is_compared_with_groups(unit, &string.of) || string.is_compared_with_own(unit);
    if !is_answer && string.is_beside_others(unit) || is_compared_with_kept(unit, &string.of) {
        return out.keep(range, KeptReason::VendorBranch);
    }
    let doubtful = || string.in_capitals() && !string.has_host_alternative(unit);
    if !is_arm
        && !is_answer
        && !string.is_torchs(unit)
        && (string.has_other_alternative(unit)
            || is_own()
            || doubtful()
            || string.is_of_picked_attribute(unit))
    {
        return string.report(unit, out, &backend.musa);
    }
    if string.is_listed_with(&backend.musa) {
        return out.keep(range, KeptReason::MusaBranch);
    }
    let pieces = match string.with_both(unit, backend) {
        Some(both) => {
            out.keep(range, KeptReason::BesideMusas);
            vec![both]
        }
        None => pieces,
    };
    let group = out.group();
    for (range, to) in pieces {
        let evidence = Some(Evidence::Confirmed);
        unit.rewrite(out, Change::new(range, &to).evidence(evidence).group(group));
    }
}

/// Whether the module has words for modes of the project's own that are no process groups.
fn has_own_modes(unit: &ModuleView<'_>) -> bool {
    let own = &unit.python_values().process_groups.own;
    let words: Vec<&str> = own.iter().map(String::as_str).collect();
    let mut literals = unit.literals(&words);
    literals.any(|literal| has(own, literal.value()))
}

/// The places of a backend in a list `device:backend,…`, and of the devices before it. Torch takes
/// backends in capitals, too.
fn pieces(
    unit: &ModuleView<'_>,
    literal: &Literal,
    cuda: &str,
    musa: &str,
) -> Vec<(TextRange, String)> {
    let value = literal.text().into_owned();
    let mut found = Vec::new();
    let mut start = 0;
    // `--trace=cuda,nccl` is an option, and `^nccl` excludes the backend.
    let entries = value.split(',').filter(|_| !value.contains(['=', '^']));
    for entry in entries {
        let (device, backend) = entry.split_once(':').unwrap_or(("", entry));
        let at = start + entry.len() - backend.len();
        let to = if backend == cuda {
            Some(musa.to_owned())
        } else {
            (backend == cuda.to_ascii_uppercase()).then(|| musa.to_ascii_uppercase())
        };
        if let Some(to) = to {
            found.push((TextRange::new(at, at + backend.len()), to));
            let devices = &unit.context.knowledge.devices;
            if let Some(known) = devices.iter().find(|one| one.cuda == device) {
                let range = TextRange::new(start, start + device.len());
                found.push((range, known.to.clone()));
            }
        }
        start += entry.len() + 1;
    }
    found
        .into_iter()
        .filter_map(|(range, to)| Some((literal.in_file(range)?, to)))
        .collect()
}
