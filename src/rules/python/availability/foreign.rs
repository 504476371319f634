//! What an answer decides that has nothing to do with a device of MUSA's: a text for a report, which of several
//! other platforms it is, something of NVIDIA's.

use super::NODES;
use crate::mapping::gpus::Gpus;
use crate::rules::python::ModuleView;
use crate::rules::python::platform_conditions::{other_platforms_in, speaks_of_others};
use crate::syntax::python::{Field, Kind, Literal, NodeId};

/// Whether both branches set the same item to a text: `info["cuda"] = "available"`, and `"none"` else.
pub(super) fn is_told_in_words(unit: &ModuleView<'_>, branch: NodeId) -> bool {
    let tree = &unit.module.tree;
    let Some(body) = tree.child(branch, Field::Consequence) else {
        return false;
    };
    let other = tree
        .children(branch)
        .find(|&part| tree.kind(part) == Kind::Else)
        .and_then(|part| tree.child(part, Field::Body));
    let told: Vec<&[u8]> = other
        .into_iter()
        .flat_map(|other| texts_set(unit, other))
        .collect();
    texts_set(unit, body).any(|item| told.contains(&item))
}

/// The items that the statements of a block set to texts.
fn texts_set<'u>(unit: &'u ModuleView<'_>, block: NodeId) -> impl Iterator<Item = &'u [u8]> {
    let tree = &unit.module.tree;
    tree.children(block).take(NODES).filter_map(|statement| {
        let inner = tree
            .nth(statement, 0)
            .filter(|&inner| tree.kind(inner) == Kind::Assignment)?;
        let left = tree.child(inner, Field::Left)?;
        let text = Literal::read(tree, tree.child(inner, Field::Right)?)?;
        let is_device = || {
            let mut devices = unit.context.knowledge.devices.iter();
            devices.any(|one| text.value().starts_with(one.cuda.as_bytes()))
        };
        (tree.kind(left) == Kind::Subscript && !is_device()).then(|| tree.word(left))
    })
}

/// Whether other platforms are told apart in what the answer decides, and nothing of the module for CUDA is
/// used there.
pub(super) fn tells_apart(unit: &ModuleView<'_>, branch: NodeId) -> bool {
    let tree = &unit.module.tree;
    let Some(body) = tree.child(branch, Field::Consequence) else {
        return false;
    };
    let mut inside = tree.below(body).take(NODES);
    !names_module(unit, body)
        && inside.any(|node| {
            matches!(tree.kind(node), Kind::If | Kind::Elif)
                && tree
                    .child(node, Field::Condition)
                    .is_some_and(|condition| other_platforms_in(unit, condition))
        })
}

/// Whether what the answer decides asks for something of NVIDIA's by its name, and uses nothing of the module
/// for CUDA.
pub(super) fn asks_for_maker(unit: &ModuleView<'_>, branch: NodeId) -> bool {
    let tree = &unit.module.tree;
    let own = &unit.python_values().vendors.own;
    let devices = &unit.context.knowledge.devices;
    let Some(body) = tree.child(branch, Field::Consequence) else {
        return false;
    };
    let is_makers = |part: &str| {
        own.iter().any(|one| one == part) && devices.iter().all(|one| one.cuda != part)
    };
    let mut inside = tree.below(body).take(NODES);
    !names_module(unit, body)
        && inside.any(|node| {
            tree.kind(node) == Kind::Call && {
                let word = String::from_utf8_lossy(unit.module.callee_word(node));
                word.to_ascii_lowercase().split('_').any(is_makers)
            }
        })
}

/// Whether an import brings questions for other platforms: that it leads to code for a device says nothing.
pub(super) fn brings_others(unit: &ModuleView<'_>, import: NodeId) -> bool {
    let tree = &unit.module.tree;
    let mut names = tree.below(import).take(NODES);
    names.any(|node| {
        tree.kind(node) == Kind::Identifier
            && tree
                .parent(node)
                .is_some_and(|up| tree.field(up) != Field::ModuleName)
            && speaks_of_others(unit, tree.word(node))
    })
}

/// Whether a name says that a package or a library is there: `_triton_is_available`.
pub(super) fn is_feature(unit: &ModuleView<'_>, name: &[u8]) -> bool {
    let name = String::from_utf8_lossy(name).to_ascii_lowercase();
    let features = &unit.python_values().availability.features;
    name.split('_')
        .any(|part| features.iter().any(|one| one == part))
}

/// Whether a text only says of which device a number is asked: `get_device_properties("cuda")`,
/// `is_sm90_supported(torch.device("cuda"))`.
pub(super) fn is_of_capability(unit: &ModuleView<'_>, text: NodeId) -> bool {
    let tree = &unit.module.tree;
    let above = tree.ancestors(text).take_while(|&one| {
        let inside = [Kind::ArgumentList, Kind::KeywordArgument, Kind::Call];
        inside.contains(&tree.kind(one))
    });
    above
        .filter(|&one| tree.kind(one) == Kind::Call)
        .any(|call| asks_for_architecture(unit, call))
}

/// Whether a call asks for the numbers of what a GPU can do, or for one of its architectures.
fn asks_for_architecture(unit: &ModuleView<'_>, call: NodeId) -> bool {
    let word = unit.module.callee_word(call);
    let gpus = Gpus::builtin();
    gpus.values_named(word).any(|one| one.call) || gpus.speaks_of_architecture(word)
}

/// Whether an import brings questions for architectures, and nothing else.
pub(super) fn brings_architectures(unit: &ModuleView<'_>, import: NodeId) -> bool {
    let tree = &unit.module.tree;
    let gpus = Gpus::builtin();
    let module = tree.child(import, Field::ModuleName);
    let mut names = tree
        .children(import)
        .filter(|&one| Some(one) != module)
        .map(|one| tree.child(one, Field::Name).unwrap_or(one))
        .peekable();
    names.peek().is_some() && names.all(|name| gpus.speaks_of_architecture(tree.word(name)))
}

/// Whether a question stands in a function that gives an architecture, or in a module or a function that only
/// says what there is. A test of what an architecture has is none.
pub(super) fn stands_in_report(unit: &ModuleView<'_>, node: NodeId) -> bool {
    let tree = &unit.module.tree;
    let words = unit.python_values();
    let reports = |name: &str| words.availability.reports.iter().any(|one| one == name);
    let file = unit.path.rsplit('/').next().unwrap_or(unit.path);
    if file.split('.').next().is_some_and(reports) {
        return true;
    }
    let mut functions = tree
        .ancestors(node)
        .filter(|&one| tree.kind(one) == Kind::Function)
        .filter_map(|one| tree.child(one, Field::Name))
        .map(|name| String::from_utf8_lossy(tree.word(name)).to_ascii_lowercase());
    functions.any(|name| {
        let plain = name.trim_start_matches('_');
        let held = Gpus::builtin().kind_of_name(name.as_bytes());
        reports(plain.strip_prefix("get_").unwrap_or(plain)) || held.is_some()
    })
}

/// Whether something of the module for CUDA is used that does not ask for the platform.
pub(super) fn names_module(unit: &ModuleView<'_>, node: NodeId) -> bool {
    let tree = &unit.module.tree;
    let cuda = &unit.python_values().module.cuda;
    let platforms = &unit.python_values().platforms;
    tree.below(node).take(NODES).any(|node| {
        tree.kind(node) == Kind::Attribute
            && unit.resolve(node).is_some_and(|name| {
                let inside = name.name.strip_prefix(cuda.as_str());
                inside.is_some_and(|rest| rest.starts_with('.'))
                    && platforms.iter().all(|one| one.name != name.name)
            })
    })
}
