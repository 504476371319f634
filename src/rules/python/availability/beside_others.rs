//! A question for a GPU beside questions for other platforms: whether its answer leads to the GPU, as `torch.cuda` does.

use super::built_extension::imports_built_extension;
use super::decides::ends_before_device;
use super::host_taken::gives_host;
use super::purpose::{purpose, why_it_stays};
use super::unrelated::{NODES, uses_cuda_module};
use crate::python::ModuleView;
use crate::python::inference::{StringRole, is_cudas_device, only_value, string_role};
use crate::python::platforms::conditions::{
    alternatives_in_branches, condition_names_other_platform, other_platforms_in,
};
use crate::python::reach;
use crate::python::reserved::alternatives::Alternatives;
use crate::python::reserved::alternatives_beside::rivals_of_device;
use torchada_mapping::stub::StubKnowledge;
use torchada_mapping::{ValueKind, has};
use torchada_syntax::python::{BoundValue, Consumer, Field, Kind, Literal, NodeId};

/// Whether a question for a GPU tells CUDA from other platforms, so that it stays CUDA's.
pub fn separates_platforms(unit: &ModuleView<'_>, question: NodeId) -> bool {
    condition_names_other_platform(unit, question) && !leads_to_gpu(unit, question)
}

/// Whether a port to MUSA's names makes a question for a GPU ask for MUSA's.
pub fn becomes_musas(unit: &ModuleView<'_>, call: NodeId) -> bool {
    let tree = &unit.module.tree;
    let callee = tree.callee(call);
    callee.is_some_and(|callee| !separates_platforms(unit, callee))
        && why_it_stays(purpose(unit, call)).is_none()
}

/// Whether a question that other platforms are asked for beside is one for the GPU that the port runs on: the code that the
/// answer leads to uses the GPU, or the condition only leaves other platforms out.
pub fn leads_to_gpu(unit: &ModuleView<'_>, question: NodeId) -> bool {
    let tree = &unit.module.tree;
    let call = tree.call_of(question);
    let Some(call) = call.filter(|_| unit.is_musa()) else {
        return false;
    };
    let others = alternatives_in_branches(unit, question);
    if others == Alternatives::Musa {
        return false;
    }
    if asks_for_any(unit, call) {
        return true;
    }
    let condition = tree.whole_condition(call);
    let around = tree.condition_around(call);
    let negated = around.filter(|&up| tree.kind(up) == Kind::Not).count() % 2 == 1;
    if reach::answer(unit, condition) == Some(negated) {
        return false;
    }
    let Some(whole) = tree.parent(condition) else {
        return false;
    };
    match tree.kind(whole) {
        Kind::If | Kind::Elif if tree.field(condition) == Field::Condition => {
            let body = tree.child(whole, Field::Consequence);
            if negated {
                return ends_before_device(unit, whole)
                    || body.is_some_and(|body| leaves_gpu(unit, body));
            }
            body.is_some_and(|body| uses_gpu(unit, body) || names_gpu_or_fails(unit, whole, body))
                || names_device_beside(unit, condition)
        }
        Kind::Conditional if tree.ordinal(condition) == 1 => {
            let side = tree.nth(whole, if negated { 2 } else { 0 });
            side.is_some_and(|side| uses_gpu(unit, side))
        }
        Kind::Conditional if is_left_to_gpu(unit, whole, condition) => true,
        Kind::Lambda | Kind::Pair if is_entry_of_gpu(unit, condition) => true,
        // Nobody but the GPU is left where all others are left out.
        _ => others == Alternatives::None,
    }
}

/// Whether a side of a conditional expression is what is left for the GPU: `False if xpu_request else cuda.is_available()`.
/// The other side, which may be for other platforms, asks for no GPU.
fn is_left_to_gpu(unit: &ModuleView<'_>, whole: NodeId, side: NodeId) -> bool {
    let tree = &unit.module.tree;
    let condition = tree.nth(whole, 1);
    let is_others = condition.is_some_and(|one| other_platforms_in(unit, one));
    tree.ordinal(side) == 2
        && is_others
        && condition.is_some_and(|one| !uses_gpu(unit, one))
        && tree.nth(whole, 0).is_some_and(|one| !uses_gpu(unit, one))
}

/// Whether a question is what a table has for CUDA's device, and the key becomes MUSA's:
/// `{"cuda": lambda: cuda.is_available(), "xpu": lambda: xpu.is_available()}`.
fn is_entry_of_gpu(unit: &ModuleView<'_>, question: NodeId) -> bool {
    let tree = &unit.module.tree;
    let mut value = question;
    let mut around = tree.ancestors(question).take(NODES);
    let pair = around.find(|&one| {
        let is_through = matches!(tree.kind(one), Kind::Lambda | Kind::Parenthesized);
        value = if is_through { one } else { value };
        !is_through
    });
    let key = pair
        .filter(|&one| tree.kind(one) == Kind::Pair && tree.field(value) == Field::Value)
        .and_then(|pair| tree.child(pair, Field::Key));
    key.is_some_and(|key| is_musas_device(unit, key))
}

/// Whether a block takes the host for the device: `elif not torch.cuda.is_available(): device = "cpu"`. Who does not come
/// to it has a GPU, and the device that was chosen before. A project that has code for MUSA asks for it where it wants to.
fn leaves_gpu(unit: &ModuleView<'_>, body: NodeId) -> bool {
    let statements: Vec<NodeId> = unit.module.tree.children(body).take(NODES).collect();
    !unit.modules.has_musa() && gives_host(unit, &statements)
}

/// Whether a condition compares with CUDA's device beside the question, and that becomes MUSA's:
/// `kind == "cuda" and torch.cuda.is_available()`.
fn names_device_beside(unit: &ModuleView<'_>, condition: NodeId) -> bool {
    let tree = &unit.module.tree;
    let mut inside = tree.below(condition).take(NODES);
    inside.any(|one| {
        tree.kind(one) == Kind::Str
            && matches!(
                unit.module.use_of(one).consumer,
                Consumer::Comparison { .. }
            )
            && is_musas_device(unit, one)
    })
}

/// Whether a condition asks with a question for a GPU whether there is any of several: `cuda.is_available() or
/// xpu.is_available()`, `not cuda.is_available() and not xpu.is_available()`; or leaves another vendor's out, too:
/// `not cuda.is_available() or torch.version.hip`. It says of MUSA what it says of CUDA. A project that has code for MUSA
/// asks for it where it wants to.
fn asks_for_any(unit: &ModuleView<'_>, call: NodeId) -> bool {
    let tree = &unit.module.tree;
    let (mut side, mut negated) = (call, false);
    let mut around = loop {
        let Some(up) = tree.parent(side).filter(|_| !unit.modules.has_musa()) else {
            return false;
        };
        match tree.kind(up) {
            Kind::Not => negated = !negated,
            Kind::Parenthesized => {}
            Kind::Boolean => break up,
            _ => return false,
        }
        side = up;
    };
    let joined = tree.operator(around);
    let is_or = joined == b"or";
    if is_or != negated || !is_or {
        return is_or != negated;
    }
    loop {
        let mut others = tree.operands(around).filter(|&one| one != side);
        if others.any(|one| reach::answer(unit, one) == Some(false)) {
            return true;
        }
        // `(a or b) or c`
        let up = tree.parent(around);
        match up.filter(|&up| tree.kind(up) == Kind::Boolean && tree.operator(up) == joined) {
            Some(up) => (side, around) = (around, up),
            None => return false,
        }
    }
}

/// Whether a branch of a function gives CUDA's name, and the function raises where no branch gives one: without an answer
/// for MUSA the program ends there. The name may be the project's own word for the GPU.
fn names_gpu_or_fails(unit: &ModuleView<'_>, branch: NodeId, body: NodeId) -> bool {
    let tree = &unit.module.tree;
    let is_cudas = |value: NodeId| unit.is_cudas_word(value);
    let mut statements = tree.children(body);
    let gives = statements
        .any(|one| tree.kind(one) == Kind::Return && tree.nth(one, 0).is_some_and(is_cudas));
    let around = tree
        .ancestors(branch)
        .find(|&one| tree.kind(one) == Kind::Block);
    let last = around.and_then(|block| tree.children(block).last());
    gives && !unit.modules.has_musa() && last.is_some_and(|one| tree.kind(one) == Kind::Raise)
}

/// Whether code uses the module for CUDA or an extension that the tree builds, or names a device of `PyTorch`'s that is CUDA's,
/// or the backend of its groups.
fn uses_gpu(unit: &ModuleView<'_>, node: NodeId) -> bool {
    let tree = &unit.module.tree;
    let is_device = |text: NodeId| is_musas_device(unit, text);
    let values = &unit.python_values();
    // `device = FAST`, where `FAST = torch.device("cuda")`.
    let is_constant = |name: NodeId| {
        let value = only_value(unit, name).filter(|&value| tree.kind(value) == Kind::Call);
        let mut parts = value
            .into_iter()
            .flat_map(|value| tree.below(value).take(NODES));
        parts.any(|one| tree.kind(one) == Kind::Str && is_device(one))
    };
    let is_moved = |call: NodeId| {
        let word = unit.module.callee_word(call);
        let mut members = values.members.iter().filter(|one| one.call);
        members.any(|one| one.cuda.as_bytes() == word)
    };
    // `device = "gpu"`: the project's own word for whatever GPU there is.
    let is_gpu = |text: NodeId| {
        let value = Literal::read(tree, text);
        value.is_some_and(|value| has(&values.vendors.any_gpu, value.value()))
    };
    uses_cuda_module(unit, node)
        || tree
            .with_below(node)
            .take(NODES)
            .any(|one| match tree.kind(one) {
                Kind::Str => is_device(one) || is_gpu(one) || is_cudas_backend(unit, one),
                Kind::Identifier => is_constant(one),
                Kind::Call => is_moved(one) || calls_use_of_module(unit, one),
                Kind::Import | Kind::ImportFrom => imports_built_extension(unit, one),
                _ => false,
            })
}

/// Whether a call calls a function of the module's own that uses the module for CUDA: `configure_cuda()`.
fn calls_use_of_module(unit: &ModuleView<'_>, call: NodeId) -> bool {
    let tree = &unit.module.tree;
    let name = tree
        .callee(call)
        .filter(|&one| tree.kind(one) == Kind::Identifier);
    let meanings = name.map(|name| unit.module.meanings(name));
    meanings.is_some_and(|meanings| {
        let mut values = meanings.iter().map(|one| &one.what);
        values.any(|what| match what {
            BoundValue::Function(function) => uses_cuda_module(unit, *function),
            _ => false,
        })
    })
}

/// Whether a text is the name of CUDA's device that becomes MUSA's.
fn is_musas_device(unit: &ModuleView<'_>, text: NodeId) -> bool {
    if !is_cudas_device(unit, text) {
        return false;
    }
    let of = unit.module.use_of(text);
    string_role(unit, &of).is_device() && rivals_of_device(unit, &of) == Alternatives::None
}

/// Whether a text is CUDA's backend of process groups.
fn is_cudas_backend(unit: &ModuleView<'_>, text: NodeId) -> bool {
    let value = Literal::read(&unit.module.tree, text);
    let backends = &StubKnowledge::builtin().backends;
    let is_named = |value: Literal| {
        let mut backends = backends.iter();
        backends.any(|one| one.cuda.as_bytes() == value.value())
    };
    value.is_some_and(is_named)
        && string_role(unit, &unit.module.use_of(text)) == StringRole::Known(ValueKind::Backend)
}

/// Whether a condition asks for the GPU that the port runs on: it compares with the name of CUDA's device, or asks whether
/// there is such a device, and that becomes MUSA's.
pub fn asks_for_gpu(unit: &ModuleView<'_>, condition: NodeId) -> bool {
    let tree = &unit.module.tree;
    let is_answer =
        |value: NodeId| tree.kind(value) == Kind::Call && asks_for_musas_gpu(unit, value);
    let mut parts = tree.with_below(condition).take(NODES);
    tree.kind(condition) != Kind::Not
        && parts.any(|one| match tree.kind(one) {
            Kind::Str => is_musas_device(unit, one),
            Kind::Call => asks_for_musas_gpu(unit, one),
            Kind::Identifier => only_value(unit, one).is_some_and(is_answer),
            _ => false,
        })
}

/// Whether a call asks for a GPU, and the port asks for MUSA's.
fn asks_for_musas_gpu(unit: &ModuleView<'_>, call: NodeId) -> bool {
    unit.asks_for_gpu(call) && becomes_musas(unit, call)
}
