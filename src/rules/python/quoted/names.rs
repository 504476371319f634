//! Dotted names of `PyTorch`'s in strings, and names of members of its modules.

use super::name_arguments::{only_reads_member, replaces};
use super::{change, is_of_name, shown};
use crate::python::PythonUnit;
use crate::python::torch::attribute_access::lacking_beside;
use crate::python::torch::members::{called, counterpart_of_used};
use crate::python::torch::names::{Verdict, left, verdict};
use crate::python::torch::patched;
use crate::python::torch::patched::follows;
use crate::{Change, Outcome};
use torchada_diagnostic::KeptReason;
use torchada_diagnostic::codes::python::{
    GUARDED, IN_STRING, OUT_OF_REACH, STANDS_IN, TELLS_PLATFORM,
};
use torchada_mapping::Evidence;
use torchada_mapping::{PlatformReport, TorchNames};
use torchada_syntax::HOLE;
use torchada_syntax::python::{Dotted, Literal, NodeId};
use torchada_text::TextRange;

/// Translate the name of a member: `getattr(torch, "cuda")`, `patch.object(torch.cuda, "synchronize")`.
pub(super) fn member(unit: &PythonUnit<'_>, out: &mut Outcome, literal: &Literal, call: NodeId) {
    let tree = &unit.module.tree;
    let Some(object) = tree
        .argument(call, 0)
        .and_then(|object| unit.module.resolve(object))
        .filter(Dotted::is_sure)
    else {
        member_of_object(unit, out, literal, call);
        return;
    };
    let (_, object) = of_torch(&unit.python_values().torch_names, &object.name);
    let word = shown(literal);
    let name = format!("{object}.{word}");
    let tells = report_platform_name(unit, out, literal, &name);
    if tells || !unit.is_musa() {
        if !only_reads_member(unit, call) {
            patched::report_one_sided_patch(unit, out, tree.range(literal.node), &name);
        }
        if !tells && matches!(verdict(unit, &name), Verdict::Becomes(..)) {
            unit.claim(out, literal.node);
            out.keep(tree.range(literal.node), KeptReason::AtRunTime);
        }
        return;
    }
    let (to, evidence) = match verdict(unit, &name) {
        Verdict::Becomes(to, evidence) => (to, evidence),
        // The place of the module reports the missing member.
        Verdict::Left(code, row) if !object.starts_with(&unit.python_values().module.cuda) => {
            unit.claim(out, literal.node);
            let range = tree.range(literal.node);
            out.report(left(unit, code, row, &name, range));
            return;
        }
        _ => return,
    };
    unit.claim(out, literal.node);
    let (front, last) = to.rsplit_once('.').unwrap_or(("", &to));
    let moved = match verdict(unit, object) {
        Verdict::Becomes(to, _) => to,
        _ => object.to_owned(),
    };
    if front == moved {
        let range = tree.range(literal.node);
        let applies = if replaces(unit, literal) && word != last {
            follows(unit, out, None, &name, &to, range)
        } else {
            Some(true)
        };
        let whole = TextRange::new(0, literal.value().len());
        if let Some(sure) = applies {
            let edit = Change::new(whole, last).evidence(evidence).sure(sure);
            change(unit, out, literal, edit);
        }
    } else {
        let range = tree.range(literal.node);
        let finding = left(unit, OUT_OF_REACH, None, &name, range);
        out.report(finding.help(format!("ask `{front}` for `{last}`")));
    }
}

/// Translate the name of a member that code asks one of `PyTorch`'s objects for before it uses the member: `hasattr(x,
/// "cuda")` and `x.cuda()`.
fn member_of_object(unit: &PythonUnit<'_>, out: &mut Outcome, literal: &Literal, call: NodeId) {
    let object = unit.module.tree.argument(call, 0);
    let Some(object) = object.filter(|_| unit.is_musa() && only_reads_member(unit, call)) else {
        return;
    };
    if let Some((row, to)) = counterpart_of_used(unit, object, literal.value())
        && let Some(evidence) = row.evidence
    {
        unit.claim(out, literal.node);
        let whole = TextRange::new(0, literal.value().len());
        let edit = Change::new(whole, to).evidence(evidence);
        change(unit, out, literal, edit);
    } else if called(unit, object, literal.value()).next().is_some() {
        // The finding about the member stands where the code calls it.
        unit.claim(out, literal.node);
        out.keep(
            unit.module.tree.range(literal.node),
            KeptReason::ProjectDeclared,
        );
    }
}

/// Translate a string that is a dotted name; `sure` if the code that uses the string takes nothing else.
pub(super) fn dotted_name(unit: &PythonUnit<'_>, out: &mut Outcome, literal: &Literal, sure: bool) {
    let value = shown(literal);
    if !value.chars().all(is_of_name) {
        return;
    }
    let (start, name) = of_torch(&unit.python_values().torch_names, &value);
    let range = unit.module.tree.range(literal.node);
    if report_platform_name(unit, out, literal, name) || !unit.is_musa() {
        if sure {
            patched::report_one_sided_patch(unit, out, range, name);
        }
        return;
    }
    let lacking = lacking_beside(unit, literal.node, name);
    let asked = lacking.as_deref().unwrap_or(name);
    let Some((to, evidence)) = counterpart(unit, out, literal, asked) else {
        return;
    };
    let home = start.checked_sub(1).and_then(|end| value.get(..end));
    let applies = if replaces(unit, literal) {
        follows(unit, out, home, name, &to, range)
    } else {
        Some(sure)
    };
    let Some(applies) = applies else { return };
    if !sure {
        let message = format!("`{name}` stays: what becomes of the string is not seen");
        let help = format!("where the name is looked up, write `{to}`; as a label it stays");
        unit.report(out, IN_STRING, range, message, help);
    }
    let part = TextRange::new(start, value.len());
    let edit = Change::new(part, &to).evidence(evidence).sure(applies);
    change(unit, out, literal, edit);
}

/// Translate the end of a dotted name whose front is put in: `patch(f"{_MODULE}.torch.cuda.synchronize")`.
pub(super) fn end_of_name(unit: &PythonUnit<'_>, out: &mut Outcome, literal: &Literal) {
    let value = shown(literal);
    let Some(hole) = value.rfind(HOLE) else {
        return;
    };
    let behind = hole + HOLE.len();
    let tail = value.get(behind..).unwrap_or_default();
    let root = format!(".{}.", unit.python_values().torch_names.root);
    if !tail.starts_with(&root) || !tail.chars().all(is_of_name) {
        return;
    }
    let name = tail.trim_start_matches('.');
    let range = unit.module.tree.range(literal.node);
    if report_platform_name(unit, out, literal, name) || !unit.is_musa() {
        patched::report_one_sided_patch(unit, out, range, name);
        return;
    }
    if let Some((to, evidence)) = counterpart(unit, out, literal, name)
        && let Some(sure) = follows(unit, out, None, name, &to, range)
    {
        let part = TextRange::new(behind + 1, value.len());
        let edit = Change::new(part, &to).evidence(evidence).sure(sure);
        change(unit, out, literal, edit);
    }
}

/// What a name in a string becomes on MUSA. Claims the string if the name is CUDA's, and reports one without a counterpart.
fn counterpart(
    unit: &PythonUnit<'_>,
    out: &mut Outcome,
    literal: &Literal,
    name: &str,
) -> Option<(String, Evidence)> {
    match verdict(unit, name) {
        Verdict::NotOurs | Verdict::Same => None,
        Verdict::Left(code, row) => {
            let range = unit.claim(out, literal.node);
            out.report(left(unit, code, row, name, range));
            None
        }
        Verdict::Becomes(to, evidence) => {
            unit.claim(out, literal.node);
            Some((to, evidence))
        }
    }
}

/// Whether a string may be the name of a module: a dotted name, or one that a table has.
pub(super) fn may_be_module(unit: &PythonUnit<'_>, literal: &Literal) -> bool {
    let value = shown(literal);
    let is_known = || !matches!(verdict(unit, &value), Verdict::NotOurs | Verdict::Same);
    value.chars().all(is_of_name) && (value.contains('.') || is_known())
}

/// Translate the name of a module that a function of the tree's own imports, which says what to do without it.
pub(super) fn module_if_there(unit: &PythonUnit<'_>, out: &mut Outcome, literal: &Literal) {
    let value = shown(literal);
    let Verdict::Left(_, row) = verdict(unit, &value) else {
        return module(unit, out, literal);
    };
    let range = unit.claim(out, literal.node);
    let message =
        format!("`{value}` has no counterpart in torch_musa; the code asks whether it is there");
    let advice = row.and_then(|row| row.advice.as_deref());
    let finding = unit.finding(GUARDED, range, message);
    out.report(finding.help_if_any(advice));
}

/// Translate the name of a module that a call imports.
pub(super) fn module(unit: &PythonUnit<'_>, out: &mut Outcome, literal: &Literal) {
    let value = shown(literal);
    match verdict(unit, &value) {
        Verdict::Becomes(to, evidence) if unit.is_musa() => {
            unit.claim(out, literal.node);
            let part = TextRange::new(0, value.len());
            let home = unit.python_values().import_home(&to);
            let edit = Change::new(part, &home).evidence(evidence);
            change(unit, out, literal, edit);
        }
        _ => dotted_name(unit, out, literal, true),
    }
}

/// Translate the name of a type of tensors: `x.type("torch.cuda.FloatTensor")`.
pub(super) fn tensor_type(
    unit: &PythonUnit<'_>,
    out: &mut Outcome,
    literal: &Literal,
    call: NodeId,
) {
    let refuse = &unit.context.knowledge.python_strings.quoted.refuse_types;
    let callee = unit.module.callee_name(call);
    let refused = callee.is_some_and(|callee| refuse.contains(&callee.name));
    let value = shown(literal);
    if !refused || !matches!(verdict(unit, &value), Verdict::Becomes(..)) {
        dotted_name(unit, out, literal, true);
        return;
    }
    unit.claim(out, literal.node);
    if unit.is_musa() {
        let range = unit.module.tree.range(literal.node);
        let finding = left(unit, STANDS_IN, None, &value, range);
        out.report(finding);
    }
}

/// Report a name that tells the platform, and so never changes. Returns whether the name is one.
fn report_platform_name(
    unit: &PythonUnit<'_>,
    out: &mut Outcome,
    literal: &Literal,
    name: &str,
) -> bool {
    let mut platforms = unit.python_values().platforms.iter();
    let Some(platform) =
        platforms.find(|one| one.name == name && one.report == PlatformReport::Always)
    else {
        return false;
    };
    let range = unit.claim(out, literal.node);
    let message = format!("`{name}` stays: projects tell the platform by it");
    unit.report(out, TELLS_PLATFORM, range, message, platform.advice.clone());
    true
}

/// The part of a dotted name that is `PyTorch`'s, and where this part begins: the `torch` that another module has
/// imported is `PyTorch`'s, too.
fn of_torch<'n>(torch: &TorchNames, name: &'n str) -> (usize, &'n str) {
    let start = match name.find(&format!(".{}.", torch.root)) {
        Some(at) if !torch.has(name) => at + 1,
        _ => 0,
    };
    (start, name.get(start..).unwrap_or(name))
}
