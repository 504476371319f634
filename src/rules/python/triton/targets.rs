//! Targets of Triton kernels: constructed ones, and the active one.

use crate::python::{ModuleView, PythonUnit};
use crate::{Change, Outcome};
use torchada_diagnostic::Applicability;
use torchada_diagnostic::codes::python::TARGET;
use torchada_mapping::python::triton::Triton as Table;
use torchada_syntax::python::{BoundValue, Field, Kind, Literal, NodeId};
use torchada_text::TextRange;

/// How many nodes of an expression are looked at.
pub(super) const REACH: usize = 256;

/// Report a target of CUDA's that the code constructs: `GPUTarget("cuda", 80, 32)`.
pub(super) fn check_construction(unit: &PythonUnit<'_>, out: &mut Outcome, call: NodeId) {
    let table = Table::builtin();
    let tree = &unit.module.tree;
    let names = &table.target;
    if unit.module.callee_word(call) != names.word.as_bytes() {
        return;
    }
    let first = tree
        .argument(call, 0)
        .and_then(|first| Literal::read(tree, first))
        .filter(|literal| literal.value() == names.cuda.as_bytes());
    let Some(literal) = first else { return };
    let range = tree.range(call);
    let message = format!("`{}` is a target of CUDA's", unit.shown(range));
    unit.report(out, TARGET, range, message, names.advice.clone());
    unit.claim(out, literal.node);
}

/// Report a comparison of the active target with CUDA's: `get_current_target().backend == "cuda"`.
pub(super) fn check_comparison(unit: &PythonUnit<'_>, out: &mut Outcome, node: NodeId) {
    let table = Table::builtin();
    let tree = &unit.module.tree;
    let names = &table.target;
    let is_backend = |side: NodeId| {
        tree.kind(side) == Kind::Attribute
            && tree
                .child(side, Field::Attribute)
                .is_some_and(|one| tree.word(one) == names.member.as_bytes())
            && tree
                .child(side, Field::Object)
                .is_some_and(|object| is_active_target(unit, object))
    };
    if !tree.children(node).take(REACH).any(is_backend) {
        return;
    }
    let below = tree.below(node).take(REACH);
    let literal = below
        .filter_map(|one| Literal::read(tree, one))
        .find(|literal| literal.value() == names.cuda.as_bytes());
    let Some(literal) = literal else { return };
    let range = tree.range(node);
    let message = format!("`{}` asks for NVIDIA's backend", unit.shown(range));
    let help = format!(
        "on MUSA the backend is `{}`: where the branch is for every GPU, let it pass, too",
        names.musa
    );
    unit.report(out, TARGET, range, message, help);
    unit.claim(out, literal.node);
    let place = TextRange::new(0, names.cuda.len());
    let alone = tree.parent(literal.node) == Some(node);
    let place = literal.in_file(place);
    if let Some(range) = place.filter(|_| alone && unit.is_musa()) {
        unit.change(
            out,
            Change::new(range, &names.musa).applicability(Applicability::Unsafe),
        );
    }
}

/// Whether an expression is the active target: the call that gives the target, or a name that is bound to this call.
fn is_active_target(unit: &ModuleView<'_>, node: NodeId) -> bool {
    let table = Table::builtin();
    let tree = &unit.module.tree;
    let is_getter_call = |node| {
        tree.kind(node) == Kind::Call
            && unit.module.callee_word(node) == table.target.getter.as_bytes()
    };
    let values = |name| unit.module.meanings(name).iter();
    is_getter_call(node)
        || tree.kind(node) == Kind::Identifier
            && values(node)
                .any(|one| matches!(one.what, BoundValue::Value(value) if is_getter_call(value)))
}
