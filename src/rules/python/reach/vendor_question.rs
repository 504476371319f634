//! Questions for other vendors' platforms.

use super::names::{
    asks_for_musa, cause, is_musa, is_own, may_name_platform, named, vendor_in, words,
};
use super::verdict::Verdict;
use crate::python::ModuleView;
use crate::python::devices::compared::is_of_own_making;
use crate::python::reserved::musa_counterparts::{has_musa_counterpart, is_member_beside_musas};
use crate::python::truth::Truth;
use torchada_mapping::has;
use torchada_mapping::stub::StubKnowledge;
use torchada_project::replay::Cause;
use torchada_syntax::python::{Field, Kind, Literal, NodeId};

/// How many items of a list that something is looked for in are read.
const ITEMS: usize = 32;

/// What an expression says that asks for another vendor's platform.
pub(super) fn verdict(unit: &ModuleView<'_>, node: NodeId) -> Option<Verdict> {
    let tree = &unit.module.tree;
    match tree.kind(node) {
        Kind::Call => {
            let callee = tree.callee(node)?;
            // `bool(is_hip())`
            if unit.module.is_builtin(callee, "bool") {
                return verdict(unit, tree.argument(node, 0)?);
            }
            by_name(unit, callee)
                .or_else(|| beside_musa(unit, callee))
                .or_else(|| by_front(unit, node))
        }
        Kind::Identifier | Kind::Attribute => {
            by_name(unit, node).or_else(|| beside_musa(unit, node))
        }
        Kind::Comparison => comparison(unit, node),
        _ => None,
    }
}

/// What holds where another vendor has the platform: MUSA does not get there.
fn other_vendor_verdict(unit: &ModuleView<'_>, vendor: usize) -> Option<Verdict> {
    cause(unit.context.knowledge, vendor).map(Verdict::no)
}

/// What holds where MUSA is the platform.
fn true_on_musa() -> Verdict {
    Verdict::no(Cause::BesideMusa).negated()
}

/// What a question for CUDA says that the project asks for MUSA, too: `is_cuda`, where `is_musa` is defined beside it.
fn beside_musa(unit: &ModuleView<'_>, name: NodeId) -> Option<Verdict> {
    let is_asked = unit.modules.has_musa() && has_musa_counterpart(unit, name);
    is_asked.then(|| Verdict::no(Cause::BesideMusa))
}

/// What a name says that asks: `current_platform.is_rocm`, `torch.xpu.is_available`, `torch.version.hip`, `is_musa`.
fn by_name(unit: &ModuleView<'_>, name: NodeId) -> Option<Verdict> {
    let tree = &unit.module.tree;
    if !matches!(tree.kind(name), Kind::Identifier | Kind::Attribute) {
        return None;
    }
    let last = unit.module.last_name(name);
    let object = tree.child(name, Field::Object);
    let front = object.map(|object| unit.module.last_name(object));
    if !may_name_platform(unit, &last)
        && !front
            .as_ref()
            .is_some_and(|one| may_name_platform(unit, one))
    {
        return None;
    }
    let mut all = words(&last);
    let known = &unit.context.knowledge.platform_words;
    let target = &unit.python_values().vendors.target;
    let names_platform = all
        .iter()
        .any(|word| known.vendor(word).is_some() || target.contains(word));
    if let Some(front) = front {
        let front = words(&front);
        // `rocm_aiter_ops.is_enabled`; but not `xpu.is_cuda`
        if !names_platform {
            all.extend(front);
        } else if front == ["version"] {
            all.push("is".to_owned());
        }
    }
    if asks_for_musa(unit, &all) {
        return Some(true_on_musa());
    }
    other_vendor_verdict(unit, vendor_in(unit, &all)?)
}

/// What a call says that looks for the front of a text: `arch.startswith("gfx9")`, `device.startswith("cuda")`.
fn by_front(unit: &ModuleView<'_>, call: NodeId) -> Option<Verdict> {
    let tree = &unit.module.tree;
    let fronts = &unit.python_values().words_of_calls.compares_front;
    let is_front = has(fronts, unit.module.callee_word(call));
    if !is_front {
        return None;
    }
    let literal = Literal::read(tree, tree.argument(call, 0)?)?;
    if let Some(vendor) = numbered(unit, literal.value()) {
        return other_vendor_verdict(unit, vendor);
    }
    let of = tree.receiver(call);
    let is_made = || of.is_some_and(|of| is_of_own_making(unit, of));
    (is_cudas(unit, literal.value()) && !is_made()).then(|| Verdict::no(Cause::BesideMusa))
}

/// Whether a text is the name of CUDA's device, or of a backend of CUDA's, in a tree that has a name for MUSA's.
fn is_cudas(unit: &ModuleView<'_>, text: &[u8]) -> bool {
    let backends = &unit.python_values().process_groups.cudas;
    is_own(unit, text) && unit.distinguishes_musa_from_cuda()
        || has(backends, text.to_ascii_lowercase()) && unit.distinguishes_musas_backend()
}

/// The vendor that a text with a number names: `gfx9`.
fn numbered(unit: &ModuleView<'_>, text: &[u8]) -> Option<usize> {
    let has_digit = text.iter().any(u8::is_ascii_digit);
    named(unit, text).filter(|_| has_digit)
}

fn comparison(unit: &ModuleView<'_>, node: NodeId) -> Option<Verdict> {
    let tree = &unit.module.tree;
    let operator = tree.child(node, Field::Operators)?;
    let (left, right) = (tree.nth(node, 0)?, tree.nth(node, 1)?);
    if tree.nth(node, 2).is_some() {
        return None;
    }
    let word = tree.word(operator);
    let is_equal = match word {
        b"==" | b"is" => true,
        b"!=" | b"is not" => false,
        b"in" | b"not in" => return contained(unit, left, right, word == b"in"),
        _ => return None,
    };
    let turned = |verdict: Verdict| if is_equal { verdict } else { verdict.negated() };
    match tree.kind(right) {
        // `torch.version.hip is None`
        Kind::None | Kind::False => {
            let verdict_of_operand = verdict(unit, left)?;
            return Some(turned(verdict_of_operand.negated()));
        }
        Kind::True => return verdict(unit, left).map(turned),
        _ => {}
    }
    let verdict = value(unit, right, left).or_else(|| value(unit, left, right))?;
    Some(turned(verdict))
}

/// What a comparison of `subject` with a value says that is the name of a platform: `"xpu"`, `PlatformEnum.ROCM`.
fn value(unit: &ModuleView<'_>, node: NodeId, subject: NodeId) -> Option<Verdict> {
    let tree = &unit.module.tree;
    let says = |text: &[u8]| match named(unit, text) {
        Some(vendor) => other_vendor_verdict(unit, vendor),
        None if is_cudas(unit, text) && is_of_own_making(unit, subject) => None,
        None if is_cudas(unit, text) => Some(Verdict::no(Cause::BesideMusa)),
        None => (is_musa(unit, text) || is_musas_backend(unit, text)).then(true_on_musa),
    };
    match tree.kind(node) {
        Kind::Str => says(Literal::read(tree, node)?.value()),
        Kind::Attribute => {
            let member = unit.module.last_name(node);
            let is_constant = member.iter().all(|one| !one.is_ascii_lowercase());
            if !is_constant {
                return None;
            }
            let beside_musa =
                || is_member_beside_musas(unit, node).then(|| Verdict::no(Cause::BesideMusa));
            says(&member).or_else(beside_musa)
        }
        _ => None,
    }
}

/// Whether a text is the name of MUSA's backend of process groups.
fn is_musas_backend(unit: &ModuleView<'_>, text: &[u8]) -> bool {
    let mut backends = StubKnowledge::builtin().backends.iter();
    backends.any(|one| one.musa.as_bytes() == text) && unit.distinguishes_musas_backend()
}

/// `device in ("npu", "hpu")`, `"gfx9" in arch`
fn contained(unit: &ModuleView<'_>, left: NodeId, right: NodeId, is_in: bool) -> Option<Verdict> {
    let tree = &unit.module.tree;
    let verdict = match tree.kind(right) {
        Kind::List | Kind::Tuple | Kind::Set => {
            let items: Vec<Option<Verdict>> = tree
                .children(right)
                .take(ITEMS)
                .map(|item| value(unit, item, left))
                .collect();
            let with_musa = items.iter().flatten().find(|one| one.holds).cloned();
            let all: Option<Vec<Verdict>> = items.into_iter().collect();
            with_musa.or_else(|| all?.into_iter().next())?
        }
        _ => other_vendor_verdict(unit, numbered(unit, Literal::read(tree, left)?.value())?)?,
    };
    Some(if is_in { verdict } else { verdict.negated() })
}
