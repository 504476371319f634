//! Questions that stay CUDA's and by which a program takes the host for its device: `"cuda" if … else "cpu"`.

use crate::python::builds::opens_build;
use crate::python::{ModuleView, reach};
use torchada_mapping::has;
use torchada_syntax::python::{Field, Kind, Literal, NodeId};

/// How many nodes of a value are looked at.
const NODES: usize = 32;

/// How many statements of a block are looked at.
const STATEMENTS: usize = 64;

/// Whether a program takes the host where a question that stands at `node` says no, and another device where it says yes.
pub fn takes_host(unit: &ModuleView<'_>, node: NodeId) -> bool {
    let tree = &unit.module.tree;
    let mut at = node;
    let mut is_negated = false;
    while let Some(up) = tree.parent(at) {
        match tree.kind(up) {
            Kind::Call if tree.field(at) == Field::Function => {}
            Kind::Parenthesized => {}
            Kind::Boolean => {
                let is_or = tree.operator(up) == b"or";
                if is_or != is_negated && other_side_asks(unit, up, at) {
                    return false;
                }
            }
            Kind::Not => is_negated = !is_negated,
            Kind::Comparison => {
                if !tree.compares_with_none(up) {
                    return false;
                }
                is_negated ^= matches!(tree.operator(up), b"is" | b"==");
            }
            Kind::Conditional if tree.ordinal(at) == 1 => {
                let sides = [0, 2].map(|side| tree.nth(up, side));
                let [Some(yes), Some(no)] = sides else {
                    return false;
                };
                let (device, other) = if is_negated { (no, yes) } else { (yes, no) };
                let is_device = !is_host(unit, device) && !has_answer(unit, device, node);
                return is_host(unit, other) && is_device;
            }
            Kind::If | Kind::Elif if tree.field(at) == Field::Condition => {
                return is_taken_by_branch(unit, up, is_negated);
            }
            _ => return false,
        }
        at = up;
    }
    false
}

/// Whether a build makes an extension for the GPU where a question says yes: `use_cuda = torch.version.cuda and …`, and then
/// `CUDAExtension if use_cuda else CppExtension`.
pub(super) fn leaves_extension_out(unit: &ModuleView<'_>, question: NodeId) -> bool {
    let tree = &unit.module.tree;
    let around = tree.ancestors(question).take_while(|&one| {
        matches!(
            tree.kind(one),
            Kind::Boolean | Kind::Not | Kind::Parenthesized | Kind::Comparison
        )
    });
    let turns = around.filter(|&one| match tree.kind(one) {
        Kind::Not => true,
        Kind::Comparison => matches!(tree.operator(one), b"is" | b"=="),
        _ => false,
    });
    turns.count() % 2 == 0 && unit.is_musa() && opens_build(unit, question)
}

/// Whether a value has the answer itself in it, so that it tells CUDA's release and names no device: `f"cu{torch.version.cuda}"`.
fn has_answer(unit: &ModuleView<'_>, value: NodeId, question: NodeId) -> bool {
    let tree = &unit.module.tree;
    let asked = unit.resolve(question).map(|one| one.name);
    let mut inside = tree.with_below(value).take(NODES);
    asked.is_some_and(|asked| {
        inside.any(|one| {
            tree.kind(one) == Kind::Attribute
                && unit.resolve(one).is_some_and(|name| name.name == asked)
        })
    })
}

/// Whether another side of a condition asks for a GPU, too: MUSA may be found there.
fn other_side_asks(unit: &ModuleView<'_>, condition: NodeId, own: NodeId) -> bool {
    let tree = &unit.module.tree;
    let sides = tree.children(condition).filter(|&side| side != own);
    let mut inside = sides.flat_map(|side| tree.with_below(side).take(NODES));
    inside.any(|one| {
        tree.kind(one) == Kind::Attribute
            && unit
                .resolve(one)
                .is_some_and(|name| unit.python_values().is_gpu_question(&name.name))
    })
}

/// Whether some statements give the host for the device: `return torch.device("cpu"), torch.float32`, `self.device = "cpu"`; or
/// the one expression among them is the host.
pub fn gives_host(unit: &ModuleView<'_>, statements: &[NodeId]) -> bool {
    let tree = &unit.module.tree;
    let is_one = |value: NodeId| match tree.kind(value) {
        Kind::Tuple | Kind::ExpressionList => tree.children(value).any(|one| is_host(unit, one)),
        _ => is_host(unit, value),
    };
    statements.iter().any(|&one| match result_of(unit, one) {
        Some(result) => is_one(result.value),
        None => is_one(one),
    })
}

/// What a block hands on: what it returns, or assigns to a name.
struct BlockResult<'t> {
    /// The target; `None` where the block returns.
    target: Option<&'t [u8]>,
    value: NodeId,
}

fn is_taken_by_branch(unit: &ModuleView<'_>, branch: NodeId, is_negated: bool) -> bool {
    let tree = &unit.module.tree;
    let Some(body) = tree.child(branch, Field::Consequence) else {
        return false;
    };
    let whole = match tree.kind(branch) {
        Kind::If => Some(branch),
        _ => tree.parent(branch),
    };
    let Some(whole) = whole.filter(|&one| tree.kind(one) == Kind::If) else {
        return false;
    };
    // An arm that MUSA takes.
    let mut arms = std::iter::once(whole).chain(tree.children(whole));
    let mut conditions = arms
        .by_ref()
        .filter_map(|arm| tree.child(arm, Field::Condition));
    if conditions.any(|condition| reach::answer(unit, condition) == Some(true)) {
        return false;
    }
    let own = block_results(unit, body);
    if is_negated {
        return own.iter().any(|one| is_host(unit, one.value));
    }
    let last = tree.otherwise(whole);
    let last = last.and_then(|arm| tree.child(arm, Field::Body));
    let around = |is_behind: bool| {
        let block = tree.parent(whole).into_iter();
        let all = block.flat_map(|block| tree.children(block));
        all.filter(move |&one| if is_behind { one > whole } else { one < whole })
    };
    own.iter().any(|one| {
        let is_same = |other: &BlockResult<'_>| other.target == one.target;
        let default = match (last, one.target) {
            (Some(last), _) => block_results(unit, last).into_iter().find(is_same),
            (None, None) => around(true)
                .take(STATEMENTS)
                .find_map(|statement| result_of(unit, statement).filter(is_same)),
            (None, Some(_)) => around(false)
                .filter_map(|statement| result_of(unit, statement).filter(is_same))
                .last(),
        };
        default.is_some_and(|default| is_host(unit, default.value)) && !is_host(unit, one.value)
    })
}

/// What the statements of a block hand on.
fn block_results<'u>(unit: &'u ModuleView<'_>, block: NodeId) -> Vec<BlockResult<'u>> {
    let statements = unit.module.tree.children(block).take(STATEMENTS);
    statements
        .filter_map(|statement| result_of(unit, statement))
        .collect()
}

fn result_of<'u>(unit: &'u ModuleView<'_>, statement: NodeId) -> Option<BlockResult<'u>> {
    let tree = &unit.module.tree;
    let (target, value) = if tree.kind(statement) == Kind::Return {
        (None, tree.nth(statement, 0)?)
    } else {
        let (target, value) = tree.assignment(statement)?;
        (Some(tree.word(target)), value)
    };
    Some(BlockResult { target, value })
}

/// Whether a value is the host's device: `"cpu"`, `torch.device("cpu")`, `CPU_DEVICE`. The builder of extensions without a GPU
/// is the host's, too.
fn is_host(unit: &ModuleView<'_>, value: NodeId) -> bool {
    let tree = &unit.module.tree;
    let hosts = &unit.python_values().vendors.host;
    let is_one = |word: &[u8]| {
        let word = word.to_ascii_lowercase();
        word.split(|one| matches!(one, b'_' | b':'))
            .any(|part| has(hosts, part))
    };
    match tree.kind(value) {
        Kind::Str => Literal::read(tree, value).is_some_and(|one| has(hosts, one.value())),
        Kind::Identifier | Kind::Attribute => {
            let name = unit.module.last_name(value);
            let builders = &unit.context.knowledge.builds.extensions;
            name == builders.host_builder.as_bytes() || is_one(&name)
        }
        Kind::Parenthesized => tree.nth(value, 0).is_some_and(|one| is_host(unit, one)),
        // `torch.device("cpu")`
        Kind::Call => {
            let mut arguments = tree.arguments(value).take(NODES);
            let first = arguments.next();
            first.is_some_and(|one| tree.kind(one) == Kind::Str && is_host(unit, one))
                && arguments.next().is_none()
        }
        _ => false,
    }
}
