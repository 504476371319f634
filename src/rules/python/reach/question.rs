//! Questions for other vendors' platforms.

use super::super::ModuleView;
use super::names::{asked, cause, named, words};
use super::verdict::Verdict;
use crate::syntax::python::{Field, Kind, Literal, NodeId};

/// How many items of a list that something is looked for in are read.
const ITEMS: usize = 32;

/// What an expression says that asks for another vendor's platform.
pub(super) fn verdict(unit: &ModuleView<'_>, node: NodeId) -> Option<Verdict> {
    let tree = &unit.module.tree;
    match tree.kind(node) {
        Kind::Call => {
            let callee = tree.child(node, Field::Function)?;
            // `bool(is_hip())`
            if unit.module.is_builtin(callee, "bool") {
                return verdict(unit, tree.argument(node, 0)?);
            }
            says_no(unit, by_name(unit, callee).or_else(|| in_text(unit, node))?)
        }
        Kind::Identifier | Kind::Attribute => says_no(unit, by_name(unit, node)?),
        Kind::Comparison => comparison(unit, node),
        _ => None,
    }
}

fn says_no(unit: &ModuleView<'_>, vendor: usize) -> Option<Verdict> {
    cause(unit.context.knowledge, vendor).map(Verdict::no)
}

/// The vendor that a name asks for: `current_platform.is_rocm`, `torch.xpu.is_available`, `torch.version.hip`.
fn by_name(unit: &ModuleView<'_>, name: NodeId) -> Option<usize> {
    let tree = &unit.module.tree;
    if !matches!(tree.kind(name), Kind::Identifier | Kind::Attribute) {
        return None;
    }
    let mut all = words(&unit.module.last_name(name));
    let object = tree.child(name, Field::Object);
    let has_vendor = |all: &[String]| {
        let known = &unit.context.knowledge.platform_words;
        all.iter().any(|word| known.vendor(word).is_some())
    };
    if let Some(object) = object {
        let front = words(&unit.module.last_name(object));
        // `rocm_aiter_ops.is_enabled`; but not `xpu.is_cuda`
        if !has_vendor(&all) {
            all.extend(front);
        } else if front == ["version"] {
            all.push("is".to_owned());
        }
    }
    asked(unit, &all)
}

/// The vendor whose number a call looks for in a text: `arch.startswith("gfx9")`.
fn in_text(unit: &ModuleView<'_>, call: NodeId) -> Option<usize> {
    let tree = &unit.module.tree;
    let fronts = &unit.python_values().words_of_calls.compares_front;
    let is_front = fronts
        .iter()
        .any(|one| one.as_bytes() == unit.module.callee_word(call));
    if !is_front {
        return None;
    }
    let literal = Literal::read(tree, tree.argument(call, 0)?)?;
    numbered(unit, literal.value())
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
    let turned = |verdict: Verdict| if is_equal { verdict } else { verdict.turned() };
    match tree.kind(right) {
        // `torch.version.hip is None`
        Kind::None | Kind::False => {
            let asked = verdict(unit, left)?;
            return Some(turned(asked.turned()));
        }
        Kind::True => return verdict(unit, left).map(turned),
        _ => {}
    }
    let vendor = value(unit, right).or_else(|| value(unit, left))?;
    says_no(unit, vendor).map(turned)
}

/// The vendor that a value is the name of: `"xpu"`, `PlatformEnum.ROCM`.
fn value(unit: &ModuleView<'_>, node: NodeId) -> Option<usize> {
    let tree = &unit.module.tree;
    match tree.kind(node) {
        Kind::Str => named(unit, Literal::read(tree, node)?.value()),
        Kind::Attribute => {
            let member = unit.module.last_name(node);
            let is_constant = member.iter().all(|one| !one.is_ascii_lowercase());
            named(unit, &member).filter(|_| is_constant)
        }
        _ => None,
    }
}

/// `device in ("npu", "hpu")`, `"gfx9" in arch`
fn contained(unit: &ModuleView<'_>, left: NodeId, right: NodeId, is_in: bool) -> Option<Verdict> {
    let tree = &unit.module.tree;
    let vendor = match tree.kind(right) {
        Kind::List | Kind::Tuple | Kind::Set => {
            let items: Vec<Option<usize>> = tree
                .children(right)
                .take(ITEMS)
                .map(|item| value(unit, item))
                .collect();
            let all: Option<Vec<usize>> = items.into_iter().collect();
            all?.first().copied()?
        }
        _ => numbered(unit, Literal::read(tree, left)?.value())?,
    };
    let verdict = says_no(unit, vendor)?;
    Some(if is_in { verdict } else { verdict.turned() })
}
