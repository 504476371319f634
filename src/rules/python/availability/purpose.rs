//! What code does with the answer to a question for a GPU.

use super::NODES;
use super::decides::{decides_device, ends_before_device};
use super::unrelated::{
    asks_for_nvidia, distinguishes_platforms, is_feature, is_in_report, names_nvidias_package,
    sets_texts_only,
};
use crate::python::ModuleView;
use crate::python::inference::{Purpose, Slot, SlotKind, Term, each_use_of, each_use_of_attribute};
use torchada_syntax::python::{Field, Kind, NodeId};

/// Why a question stays as it is, if its answer has a purpose that concerns the platform.
pub(super) fn why_it_stays(purpose: Purpose) -> Option<&'static str> {
    match purpose {
        Purpose::NamesPlatform => Some("the name that takes the answer says what the platform is"),
        Purpose::DistinguishesPlatforms => {
            Some("other platforms are told apart in what the answer decides")
        }
        Purpose::NeedsNvidia => Some("what the answer decides asks for something of NVIDIA's"),
        Purpose::Unknown | Purpose::GuardsTest | Purpose::PicksDevice => None,
    }
}

/// What the code does with the answer that a call gives.
pub(super) fn purpose(unit: &ModuleView<'_>, call: NodeId) -> Purpose {
    let term = of_expression(unit, call);
    let purposes = &unit.summaries.purposes;
    let found = purposes.solve(&term, &|slot: &Slot| {
        let term = unit.question_of(slot.file, |view| equation(view, slot));
        term.unwrap_or(Term::Fact(Purpose::Unknown))
    });
    if why_it_stays(found).is_none() && is_in_report(unit, call) {
        return Purpose::Unknown;
    }
    found
}

/// What the code does with the answer in an expression, in terms of the slots that the answer goes to.
fn of_expression(unit: &ModuleView<'_>, expression: NodeId) -> Term<Purpose> {
    let tree = &unit.module.tree;
    let mut at = expression;
    let (mut negated, mut is_joined) = (false, false);
    while let Some(up) = tree.parent(at) {
        let kind = tree.kind(up);
        if matches!(kind, Kind::Parenthesized | Kind::Not | Kind::Boolean) {
            negated ^= kind == Kind::Not;
            is_joined |= kind == Kind::Boolean;
            at = up;
            continue;
        }
        // The whole condition holds what all of its parts hold.
        if is_joined && decides_device(unit, at) {
            return Term::Fact(Purpose::PicksDevice);
        }
        let found = match kind {
            Kind::Conditional if tree.ordinal(at) == 1 => of_choice(unit, up, negated),
            Kind::If | Kind::Elif | Kind::While if tree.field(at) == Field::Condition => {
                of_condition(unit, at, up, negated)
            }
            Kind::ArgumentList | Kind::KeywordArgument => of_argument(unit, at, up),
            Kind::Assignment if tree.field(at) == Field::Right => {
                let target = tree.child(up, Field::Left);
                return target.map_or(Term::Fact(Purpose::Unknown), |target| {
                    of_name(unit, target, SlotKind::Variable)
                });
            }
            Kind::Return => {
                let name = tree
                    .function_around(up)
                    .and_then(|function| tree.child(function, Field::Name));
                return name.map_or(Term::Fact(Purpose::Unknown), |name| {
                    of_name(unit, name, SlotKind::Return)
                });
            }
            _ => Purpose::Unknown,
        };
        return Term::Fact(found);
    }
    Term::Fact(Purpose::Unknown)
}

/// What an expression gives that has the answer in its condition.
fn of_choice(unit: &ModuleView<'_>, choice: NodeId, negated: bool) -> Purpose {
    let tree = &unit.module.tree;
    let arm = tree.nth(choice, if negated { 2 } else { 0 });
    if decides_device(unit, choice) {
        Purpose::PicksDevice
    } else if arm.is_some_and(|arm| names_nvidias_package(unit, arm)) {
        Purpose::NeedsNvidia
    } else {
        Purpose::Unknown
    }
}

/// What a branch does that has the answer in its condition.
fn of_condition(unit: &ModuleView<'_>, at: NodeId, branch: NodeId, negated: bool) -> Purpose {
    let tree = &unit.module.tree;
    if sets_texts_only(unit, branch) {
        return Purpose::Unknown;
    }
    let whole = tree.ancestors(at).find(|&one| tree.kind(one) == Kind::If);
    if decides_device(unit, whole.unwrap_or(branch)) || negated && ends_before_device(unit, branch)
    {
        Purpose::PicksDevice
    } else if !negated && distinguishes_platforms(unit, branch) {
        Purpose::DistinguishesPlatforms
    } else if !negated && asks_for_nvidia(unit, branch) {
        Purpose::NeedsNvidia
    } else {
        skips(unit, branch)
    }
}

/// What a call does with the answer as its argument. `up` is the list of arguments, or the keyword argument.
fn of_argument(unit: &ModuleView<'_>, argument: NodeId, up: NodeId) -> Purpose {
    let tree = &unit.module.tree;
    let mut above = tree.ancestors(argument);
    let call = above.find(|&one| tree.kind(one) == Kind::Call);
    let word = call.map_or(&b""[..], |call| unit.module.callee_word(call));
    if is_word(&unit.python_values().availability.guards, word) {
        return Purpose::GuardsTest;
    }
    let keyword = Some(up).filter(|&up| tree.kind(up) == Kind::KeywordArgument);
    let name = keyword.and_then(|keyword| tree.child(keyword, Field::Name));
    if name.is_some_and(|name| is_platform_name(unit, tree.word(name))) {
        Purpose::NamesPlatform
    } else {
        Purpose::Unknown
    }
}

/// What the code does with a variable that has the answer, or with the answer that a function returns.
fn of_name(unit: &ModuleView<'_>, name: NodeId, kind: SlotKind) -> Term<Purpose> {
    let word = unit.module.last_name(name);
    if is_platform_name(unit, &word) {
        let picks = kind == SlotKind::Variable && picks_device(unit, name);
        Term::Fact(if picks {
            Purpose::PicksDevice
        } else {
            Purpose::NamesPlatform
        })
    } else if is_feature(unit, &word) || unit.module.tree.kind(name) != Kind::Identifier {
        Term::Fact(Purpose::Unknown)
    } else {
        Term::Of(Slot::bound_to(unit, name, kind))
    }
}

/// Whether uses of a flag that is called after CUDA pick a device, and none is about the platform: `"cuda:0" if IS_CUDA else
/// "mps:0"`, `if self.is_cuda: self.device = torch.device("cuda")`. A project that has code for MUSA has a flag of its own
/// for it.
fn picks_device(unit: &ModuleView<'_>, flag: NodeId) -> bool {
    if unit.modules.has_musa() {
        return false;
    }
    let (mut picks, mut others) = (false, false);
    let mut note = |unit: &ModuleView<'_>, node: NodeId| match of_expression(unit, node) {
        Term::Fact(Purpose::PicksDevice) => picks = true,
        Term::Fact(Purpose::GuardsTest | Purpose::Unknown) => {}
        _ => others = true,
    };
    if unit.module.tree.kind(flag) == Kind::Attribute {
        each_use_of_attribute(unit, &unit.module.last_name(flag), &mut note);
    } else {
        let slot = Slot::bound_to(unit, flag, SlotKind::Variable);
        each_use_of(unit, &slot, &mut note);
    }
    picks && !others
}

/// What the code does with a slot that has the answer, at all uses of the slot.
fn equation(unit: &ModuleView<'_>, slot: &Slot) -> Term<Purpose> {
    let mut uses = Vec::new();
    each_use_of(unit, slot, &mut |unit, node| {
        let tree = &unit.module.tree;
        uses.push(match slot.kind {
            SlotKind::Return => match tree.parent(node) {
                Some(call) if tree.kind(call) == Kind::Call => of_expression(unit, call),
                _ => Term::Fact(Purpose::Unknown),
            },
            _ => of_expression(unit, node),
        });
    });
    Term::Join(uses)
}

/// Whether a branch skips a test: `if not torch.cuda.is_available(): pytest.skip(…)`.
fn skips(unit: &ModuleView<'_>, statement: NodeId) -> Purpose {
    let tree = &unit.module.tree;
    let words = &unit.python_values().availability.guards;
    let body = tree.child(statement, Field::Consequence);
    let mut inside = body
        .into_iter()
        .flat_map(|body| tree.below(body).take(NODES));
    let skips = inside.any(|node| {
        tree.kind(node) == Kind::Call && {
            let word = String::from_utf8_lossy(unit.module.callee_word(node)).to_ascii_lowercase();
            words.contains(&word)
        }
    });
    if skips {
        Purpose::GuardsTest
    } else {
        Purpose::Unknown
    }
}

/// Whether a name says that its value is the platform.
fn is_platform_name(unit: &ModuleView<'_>, name: &[u8]) -> bool {
    is_word(&unit.python_values().availability.tells, name)
}

/// Whether a name is one of some words, in any case and with any underscores around it.
fn is_word(words: &[String], name: &[u8]) -> bool {
    let name = String::from_utf8_lossy(name).to_ascii_lowercase();
    words.iter().any(|word| name.trim_matches('_') == *word)
}
