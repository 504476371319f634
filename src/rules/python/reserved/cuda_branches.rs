//! Branches that only CUDA takes: their code stays as it is.

use rustc_hash::FxHashSet;

use super::alternatives::Alternatives;
use super::code::{ReserveTrigger, Reserved};
use super::cuda_conditions::{branches, picks_cuda};
use super::musa_branches::{returned_after_other_platform, with_same_body};
use super::musa_counterparts::{
    entry_beside_musas, guarded, reassigned_for_musa, with_musa_counterpart,
};
use super::platform_records;
use crate::python::{ModuleView, PythonUnit, availability, reach};
use torchada_diagnostic::KeptReason;
use torchada_diagnostic::codes::python::{
    HOST_TAKEN, NO_ARM, ONE_OF_SEVERAL, TAKES_ELSE, TELLS_PLATFORM,
};
use torchada_mapping::has;
use torchada_project::replay::Cause;
use torchada_syntax::python::{Field, Kind, Literal, NodeId};
use torchada_text::TextRange;

/// The code of branches that only CUDA takes, of a chain of `if` or of a `match` that has branches for other platforms,
/// too; and code next to its counterpart for MUSA.
pub fn reserved(unit: &PythonUnit<'_>) -> Vec<Reserved> {
    let tree = &unit.module.tree;
    let branches = branches(unit).into_iter();
    let chains = tree.of_any(&[Kind::If, Kind::Elif]);
    let conditions = chains.filter_map(|arm| tree.child(arm, Field::Condition));
    let conditions: FxHashSet<TextRange> = conditions.map(|one| tree.range(one)).collect();
    let mut found: Vec<Reserved> = branches
        .map(|(branch, others)| Reserved {
            // The findings about branches that a chain lacks stand at its condition, so they stay there.
            except: if conditions.contains(&branch) {
                &[NO_ARM, TAKES_ELSE]
            } else {
                &[]
            },
            ..Reserved::silent(branch, reason(others))
        })
        .collect();
    let kinds = [
        Kind::Boolean,
        Kind::Function,
        Kind::Assignment,
        Kind::Decorated,
        Kind::If,
        Kind::Return,
        Kind::Pair,
        Kind::Comparison,
        Kind::Call,
    ];
    for node in tree.of_any(&kinds) {
        let twin = |range: TextRange| Reserved::silent(range, KeptReason::MusaTwin);
        match tree.kind(node) {
            Kind::Boolean => found.extend(question(unit, node)),
            Kind::Comparison => found.extend(on_cuda_alone(unit, node)),
            Kind::Call => {
                found.extend(on_cuda_alone(unit, node));
                found.extend(platform_records::reserved(unit, node));
            }
            Kind::Pair => {
                found.extend(entry_of_cudas(unit, node));
                found.extend(entry_beside_musas(unit, node).map(twin));
            }
            Kind::Function => {
                found.extend(with_musa_counterpart(unit, node).map(twin));
                found.extend(with_same_body(unit, node).map(twin));
            }
            Kind::Assignment => found.extend(with_musa_counterpart(unit, node).map(twin)),
            Kind::Decorated => found.extend(guarded(unit, node).map(twin)),
            Kind::Return => found.extend(returned_module(unit, node)),
            _ => {
                let reassigned = reassigned_for_musa(unit, node).into_iter();
                found.extend(
                    reassigned.map(|range| Reserved::silent(range, KeptReason::MusaBranch)),
                );
            }
        }
    }
    found
}

/// A question for CUDA and more that stays: what holds together with it does, too.
fn question(unit: &ModuleView<'_>, node: NodeId) -> Option<Reserved> {
    let others = picks_cuda(unit, node);
    let stays = others != Alternatives::None && !asks_for_builder(unit, node);
    stays.then(|| Reserved {
        except: &[
            TELLS_PLATFORM,
            HOST_TAKEN,
            ONE_OF_SEVERAL,
            NO_ARM,
            TAKES_ELSE,
        ],
        ..Reserved::silent(unit.module.tree.range(node), reason(others))
    })
}

/// A question whether something is CUDA's, where that is not MUSA's.
fn on_cuda_alone(unit: &ModuleView<'_>, node: NodeId) -> Option<Reserved> {
    holds_on_cuda_alone(unit, node).then(|| Reserved {
        except: &[NO_ARM, TAKES_ELSE, ONE_OF_SEVERAL],
        ..Reserved::silent(unit.module.tree.range(node), KeptReason::MusaBranch)
    })
}

/// CUDA's module, where a function gives back other platforms' modules before.
fn returned_module(unit: &PythonUnit<'_>, node: NodeId) -> Option<Reserved> {
    let module = returned_after_other_platform(unit, node).filter(|_| unit.is_musa())?;
    let range = unit.module.tree.range(module);
    let message = format!(
        "`{}` stays: other platforms' modules are given back beside it",
        unit.shown(range)
    );
    let help = format!("add an arm for `{}`", unit.python_values().module.musa);
    let finding = unit.finding(ONE_OF_SEVERAL, range, message).help(help);
    Some(Reserved {
        finding: Some(finding),
        ..Reserved::silent(range, KeptReason::VendorBranch)
    })
}

/// Whether an expression asks whether something is CUDA's, in a project that tells MUSA's from it: `kind == "cuda"`,
/// `backend == Backend.NCCL`, `device.startswith("cuda")`.
fn holds_on_cuda_alone(unit: &ModuleView<'_>, node: NodeId) -> bool {
    let tree = &unit.module.tree;
    let fronts = &unit.python_values().words_of_calls.compares_front;
    let may_ask = match tree.kind(node) {
        Kind::Comparison => true,
        Kind::Call => has(fronts, unit.module.callee_word(node)),
        _ => false,
    };
    let tells = || unit.distinguishes_musa_from_cuda() || unit.distinguishes_musas_backend();
    let says = || reach::verdict(unit, node);
    may_ask && tells() && says().is_some_and(|says| says.cause == Cause::BesideMusa)
}

/// The entry of a dictionary for CUDA without one for MUSA, in a project that tells MUSA's devices from CUDA's: the key stays,
/// so its value does.
fn entry_of_cudas(unit: &PythonUnit<'_>, pair: NodeId) -> Option<Reserved> {
    let tree = &unit.module.tree;
    if tree.kind(pair) != Kind::Pair || !unit.distinguishes_musa_from_cuda() {
        return None;
    }
    let key = Literal::read(tree, tree.child(pair, Field::Key)?)?;
    let device = unit.device_named(key.value())?;
    entry_beside_musas(unit, pair).is_none().then(|| {
        let range = tree.range(key.node);
        let message = format!(
            "{} stays: the entry is CUDA's, and MUSA has none beside it",
            unit.shown(range)
        );
        let help = format!("add an entry for `{}`", device.to);
        Reserved {
            when: ReserveTrigger::IfEdited,
            finding: Some(unit.finding(ONE_OF_SEVERAL, range, message).help(help)),
            ..Reserved::silent(tree.range(pair), KeptReason::MusaBranch)
        }
    })
}

/// Why a branch for CUDA stays.
fn reason(others: Alternatives) -> KeptReason {
    match others {
        Alternatives::Musa => KeptReason::MusaBranch,
        _ => KeptReason::VendorBranch,
    }
}

/// Whether a condition has a question in it that picks the builder of an extension.
fn asks_for_builder(unit: &ModuleView<'_>, condition: NodeId) -> bool {
    let tree = &unit.module.tree;
    let mut callees = tree
        .below(condition)
        .filter(|&one| tree.field(one) == Field::Function && tree.kind(one) == Kind::Attribute);
    callees.any(|callee| {
        let name = unit.module.resolve(callee);
        name.is_some_and(|name| unit.python_values().is_gpu_question(&name.name))
            && availability::is_for_builder(unit, callee)
    })
}
