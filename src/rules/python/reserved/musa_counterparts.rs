//! Branches and names that a project has for MUSA already. Their counterparts for CUDA stay as they are.

use super::alternatives::Alternatives;
use super::alternatives_beside::platform;
use super::musa_branches::behind_rest;
use crate::python::ModuleView;
use crate::python::leaving::leaves;
use crate::python::reach::{name_musa, words};
use torchada_mapping::{has, has_part};
use torchada_project::python::Definition;
use torchada_syntax::python::{Consumer, Field, Kind, Literal, NodeId, Use};
use torchada_text::TextRange;

/// The code that MUSA never reaches because a branch for MUSA comes first: the later branches of the chain, and, where
/// the branch leaves the function, the code behind the chain.
pub fn behind_musa(unit: &ModuleView<'_>, branch: NodeId) -> Vec<TextRange> {
    let tree = &unit.module.tree;
    let asks = tree
        .child(branch, Field::Condition)
        .is_some_and(|condition| asks_for_musa(unit, condition));
    let chain = match tree.kind(branch) {
        Kind::Elif => tree.parent(branch),
        _ => Some(branch),
    };
    let Some(chain) = chain.filter(|_| asks) else {
        return Vec::new();
    };
    let later = tree.later_arms(chain).filter(|&part| part > branch);
    let mut found: Vec<TextRange> = later.map(|part| tree.range(part)).collect();
    if !leaves(unit, branch) {
        return found;
    }
    match sides_of_and(unit, branch) {
        Some(sides) => {
            let others: Vec<NodeId> = sides
                .into_iter()
                .filter(|&side| !asks_for_musa(unit, side))
                .collect();
            found.extend(behind_rest(unit, chain, &others));
        }
        None => {
            if let Some(block) = tree.parent(chain) {
                let end = tree.range(block).end;
                found.push(TextRange::new(tree.range(chain).end, end));
            }
        }
    }
    found
}

/// The sides of the `and` in the condition of a branch. Such a condition asks for more than the platform, so the code
/// behind the branch may run on MUSA.
fn sides_of_and(unit: &ModuleView<'_>, branch: NodeId) -> Option<Vec<NodeId>> {
    let tree = &unit.module.tree;
    let condition = tree.child(branch, Field::Condition)?;
    (tree.operator(condition) == b"and").then(|| tree.operands(condition).collect())
}

/// Whether a condition that distinguishes platforms holds on MUSA.
fn asks_for_musa(unit: &ModuleView<'_>, condition: NodeId) -> bool {
    let tree = &unit.module.tree;
    match tree.kind(condition) {
        Kind::Parenthesized | Kind::Boolean => {
            let mut sides = tree.children(condition);
            sides.any(|side| asks_for_musa(unit, side))
        }
        Kind::Call => tree
            .callee(condition)
            .is_some_and(|callee| names_musa(unit, callee)),
        Kind::Identifier | Kind::Attribute => names_musa(unit, condition),
        Kind::Comparison => {
            let equal = matches!(tree.operator(condition), b"==" | b"in" | b"is");
            let mut below = tree.below(condition).take(64);
            equal
                && below.any(|one| match tree.kind(one) {
                    Kind::Str => Literal::read(tree, one)
                        .is_some_and(|literal| is_musa(unit, &literal.text())),
                    // `RNGType.MUSA`
                    Kind::Attribute => {
                        is_musa(unit, &String::from_utf8_lossy(&unit.module.last_name(one)))
                    }
                    _ => false,
                })
        }
        _ => false,
    }
}

fn is_musa(unit: &ModuleView<'_>, word: &str) -> bool {
    platform(unit, &word.to_ascii_lowercase()) == Alternatives::Musa
}

/// Whether an expression is a name that says MUSA: `is_musa_available`, `torch.musa.is_available`, `IS_MUSA`.
pub fn names_musa(unit: &ModuleView<'_>, node: NodeId) -> bool {
    let tree = &unit.module.tree;
    matches!(tree.kind(node), Kind::Identifier | Kind::Attribute)
        && tree.word(node).len() < 128
        && name_musa(unit, &words(tree.word(node)))
}

/// The body of a function, or the value of a variable, whose name has a counterpart for MUSA in the project:
/// `is_cuda_available`, where `is_musa_available` exists.
pub fn with_musa_counterpart(unit: &ModuleView<'_>, node: NodeId) -> Option<TextRange> {
    let tree = &unit.module.tree;
    let (name, value) = match tree.kind(node) {
        Kind::Function => (Field::Name, Field::Body),
        Kind::Assignment => (Field::Left, Field::Right),
        _ => return None,
    };
    let name = tree.child(node, name)?;
    let value = tree.child(node, value)?;
    if tree.kind(name) != Kind::Identifier || !has_musa_counterpart(unit, name) {
        return None;
    }
    // The decorators of a test say when it runs.
    let decorated = tree.decorated(node);
    Some(tree.range(decorated.unwrap_or(value)))
}

/// Whether a value is a case of a parametrized test, and a mark of the case names a test for CUDA that the project has
/// for MUSA, too: `pytest.param("cuda", marks=skipif(not is_cuda_available()))`.
pub fn is_guarded_case(unit: &ModuleView<'_>, of: &Use) -> bool {
    let tree = &unit.module.tree;
    let cases = &unit.python_values().words_of_calls.cases;
    match of.consumer {
        Consumer::Argument { call, .. } if has(cases, unit.module.callee_word(call)) => {
            let mut below = tree.below(call).take(NAMES);
            below.any(|one| tree.kind(one) == Kind::Identifier && has_musa_counterpart(unit, one))
        }
        _ => false,
    }
}

/// The entry of a dictionary for CUDA, if another entry is for MUSA: `{"cuda": torch.cuda, "musa": torch.musa}`.
pub fn entry_beside_musas(unit: &ModuleView<'_>, pair: NodeId) -> Option<TextRange> {
    let tree = &unit.module.tree;
    if tree.kind(pair) != Kind::Pair {
        return None;
    }
    let is_cudas = unit.is_cudas_word(tree.child(pair, Field::Key)?);
    let others = tree.keys(tree.parent(pair)?).take(NAMES);
    let mut others = others.filter_map(|key| Literal::read(tree, key));
    let mut has_musas = || others.any(|key| is_musa(unit, &key.text()));
    (is_cudas && has_musas()).then(|| tree.range(pair))
}

/// How many nodes of such a case, and entries of such a dictionary, are looked at.
pub const NAMES: usize = 64;

/// Whether the project has a name for MUSA that corresponds to one of its names for CUDA.
pub fn has_musa_counterpart(unit: &ModuleView<'_>, node: NodeId) -> bool {
    let tree = &unit.module.tree;
    let word = unit.module.last_name(node);
    let own = &unit.python_values().vendors.own;
    if !has_part(own, &word) {
        return false;
    }
    let word = String::from_utf8_lossy(&word).into_owned();
    unit.context.knowledge.devices.iter().any(|device| {
        let (upper, to) = (
            device.cuda.to_ascii_uppercase(),
            device.to.to_ascii_uppercase(),
        );
        let counterpart = word.replace(&device.cuda, &device.to).replace(&upper, &to);
        if counterpart == word {
            return false;
        }
        let bound = tree.kind(node) == Kind::Identifier
            && !unit
                .module
                .bindings(node, counterpart.as_bytes())
                .1
                .is_empty();
        bound || is_defined(unit, node, &word, &counterpart)
    })
}

/// Whether an expression is a member of a class of the project's for which the class has a counterpart for MUSA:
/// `Kind.MULTI_GPU`, beside `Kind.MULTI_MUSA`.
pub fn is_member_beside_musas(unit: &ModuleView<'_>, node: NodeId) -> bool {
    let tree = &unit.module.tree;
    let vendors = &unit.python_values().vendors;
    let member = unit.module.last_name(node).to_ascii_lowercase();
    let mut words = vendors.own.iter().chain(&vendors.any_gpu).filter(|word| {
        let mut parts = member.split(|&byte| byte == b'_');
        parts.any(|part| part == word.as_bytes())
    });
    let Some(word) = words.next().filter(|_| unit.modules.has_musa()) else {
        return false;
    };
    let class = tree
        .child(node, Field::Object)
        .and_then(|object| unit.module.resolve(object))
        .and_then(|path| unit.modules.lookup(unit.index, &path.name));
    let Some(Definition::Class(file, _)) = class else {
        return false;
    };
    let member = String::from_utf8_lossy(&member).into_owned();
    let text = unit.modules.text_once(file);
    vendors.target.iter().any(|to| {
        let counterpart = member.replace(word.as_str(), to).to_ascii_uppercase();
        sets(&text, counterpart.as_bytes())
    })
}

/// Whether the module that a name comes from defines the counterpart of the name.
fn is_defined(unit: &ModuleView<'_>, node: NodeId, word: &str, counterpart: &str) -> bool {
    let Some(path) = unit.module.resolve(node) else {
        return false;
    };
    let Some(front) = path.name.strip_suffix(word) else {
        return false;
    };
    match unit
        .modules
        .lookup(unit.index, &format!("{front}{counterpart}"))
    {
        Some(Definition::Function(..) | Definition::Class(..)) => true,
        // The lookup takes every name that the outline does not list for a variable, so the text has to set the name.
        Some(Definition::Variable(file, name)) => {
            sets(&unit.modules.text_once(file), name.as_bytes())
        }
        _ => false,
    }
}

/// Whether a text has a statement that begins with a name and sets it.
fn sets(text: &[u8], name: &[u8]) -> bool {
    memchr::memmem::find_iter(text, name).any(|at| {
        let before = text.get(..at).unwrap_or_default();
        let after = text.get(at + name.len()..).unwrap_or_default();
        let starts = before
            .iter()
            .rev()
            .find(|&&byte| byte != b' ' && byte != b'\t')
            .is_none_or(|&byte| byte == b'\n');
        let after = after.trim_ascii_start();
        starts && (after.starts_with(b":") || after.starts_with(b"=") && !after.starts_with(b"=="))
    })
}

/// The body of a test that is skipped where a name of the project's for CUDA is false, if the project has a counterpart
/// of that name for MUSA: `@skipif(not IS_CUDA_AVAILABLE)`, `@require_cuda`.
pub fn guarded(unit: &ModuleView<'_>, node: NodeId) -> Option<TextRange> {
    let tree = &unit.module.tree;
    if tree.kind(node) != Kind::Decorated {
        return None;
    }
    let decorators = || {
        let parts = tree.children(node);
        parts.filter(|&part| tree.kind(part) == Kind::Decorator)
    };
    let below = || decorators().flat_map(|one| tree.below(one));
    let asks = below().any(|one| {
        let name = match tree.kind(one) {
            Kind::Not => tree.nth(one, 0),
            Kind::Identifier | Kind::Attribute => {
                let up = tree.parent(one);
                Some(one).filter(|_| up.is_some_and(|up| tree.kind(up) == Kind::Decorator))
            }
            _ => None,
        };
        name.is_some_and(|name| has_musa_counterpart(unit, name))
    });
    let knows_musa = below().any(|one| names_musa(unit, one));
    let function = tree
        .children(node)
        .find(|&one| matches!(tree.kind(one), Kind::Function | Kind::Class))?;
    let body = tree.child(function, Field::Body)?;
    (asks && !knows_musa).then(|| tree.range(body))
}

/// The assignment before a branch for MUSA, if the branch assigns to the same name again.
pub fn reassigned_for_musa(unit: &ModuleView<'_>, branch: NodeId) -> Vec<TextRange> {
    let tree = &unit.module.tree;
    let asks = tree.kind(branch) == Kind::If
        && tree
            .child(branch, Field::Condition)
            .is_some_and(|condition| asks_for_musa(unit, condition));
    let (Some(block), true) = (tree.parent(branch), asks) else {
        return Vec::new();
    };
    let assignment = |statement: NodeId| {
        let (left, _) = tree.assignment(statement)?;
        (tree.kind(left) == Kind::Identifier).then_some((tree.parent(left)?, left))
    };
    let set = tree.consequence(branch).filter_map(assignment);
    let set: Vec<&[u8]> = set.map(|(_, left)| tree.word(left)).collect();
    let before = tree.children(block).take_while(|&one| one < branch);
    // The last assignment before the branch counts, and only if nothing stands between the two.
    before
        .last()
        .and_then(assignment)
        .filter(|(_, left)| set.contains(&tree.word(*left)))
        .map(|(inner, _)| tree.range(inner))
        .into_iter()
        .collect()
}
