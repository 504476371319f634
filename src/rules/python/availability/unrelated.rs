//! Answers that have nothing to do with a device of MUSA's: they decide the text of a report, which of several other
//! platforms the program runs on, or something of NVIDIA's.

use crate::python::ModuleView;
use crate::python::inference::names_cudas_device;
use crate::python::platforms::conditions::{mentions_others, other_platforms_in};
use torchada_mapping::python::gpus::Gpus;
use torchada_mapping::python::packages::Packages;
use torchada_mapping::{Section, has, has_part};
use torchada_project::paths;
use torchada_syntax::python::{Field, Kind, Literal, NodeId};
use torchada_text::last_part;

/// How many nodes of the code that an answer decides are looked at.
pub(super) const NODES: usize = 600;

/// Whether both branches set the same item to a text: `info["cuda"] = "available"`, and `"none"` else.
pub(super) fn sets_texts_only(unit: &ModuleView<'_>, branch: NodeId) -> bool {
    let tree = &unit.module.tree;
    let Some(body) = tree.child(branch, Field::Consequence) else {
        return false;
    };
    let other = tree.otherwise(branch);
    let other = other.and_then(|part| tree.child(part, Field::Body));
    let set_in_other: Vec<&[u8]> = other
        .into_iter()
        .flat_map(|other| texts_set(unit, other))
        .collect();
    texts_set(unit, body).any(|item| set_in_other.contains(&item))
}

/// The items that the statements of a block set to texts.
fn texts_set<'u>(unit: &'u ModuleView<'_>, block: NodeId) -> impl Iterator<Item = &'u [u8]> {
    let tree = &unit.module.tree;
    tree.children(block).take(NODES).filter_map(|statement| {
        let (left, value) = tree.assignment(statement)?;
        let text = Literal::read(tree, value)?;
        let is_device = || names_cudas_device(unit, &text);
        (tree.kind(left) == Kind::Subscript && !is_device()).then(|| tree.word(left))
    })
}

/// Whether the code that the answer decides asks for other platforms, and does not use the module for CUDA.
pub(super) fn distinguishes_platforms(unit: &ModuleView<'_>, branch: NodeId) -> bool {
    let tree = &unit.module.tree;
    decides_without_cuda(unit, branch, |node| {
        let condition = tree.child(node, Field::Condition);
        matches!(tree.kind(node), Kind::If | Kind::Elif)
            && condition.is_some_and(|condition| other_platforms_in(unit, condition))
    })
}

/// Whether the code that the answer decides has such a node, and does not use the module for CUDA.
fn decides_without_cuda(
    unit: &ModuleView<'_>,
    branch: NodeId,
    is_one: impl Fn(NodeId) -> bool,
) -> bool {
    let tree = &unit.module.tree;
    let body = tree.child(branch, Field::Consequence);
    body.is_some_and(|body| {
        !uses_cuda_module(unit, body) && tree.below(body).take(NODES).any(is_one)
    })
}

/// Whether the code that the answer decides asks for something of NVIDIA's by its name, and does not use the module for
/// CUDA.
pub(super) fn asks_for_nvidia(unit: &ModuleView<'_>, branch: NodeId) -> bool {
    let tree = &unit.module.tree;
    let own = &unit.python_values().vendors.own;
    let devices = &unit.context.knowledge.devices;
    let is_makers = |part: &str| has(own, part) && devices.iter().all(|one| one.cuda != part);
    decides_without_cuda(unit, branch, |node| match tree.kind(node) {
        Kind::Call => {
            let word = String::from_utf8_lossy(unit.module.callee_word(node));
            word.to_ascii_lowercase().split('_').any(is_makers)
        }
        Kind::Str => names_nvidias_package(unit, node),
        _ => false,
    })
}

/// Whether a text is a requirement of a package that is built for NVIDIA's GPUs: `"onnxruntime-gpu>=1.17"`.
pub(super) fn names_nvidias_package(unit: &ModuleView<'_>, text: NodeId) -> bool {
    let packages = Packages::builtin();
    Literal::plain_text(&unit.module.tree, text)
        .filter(|text| Packages::is_requirement(text))
        .and_then(|text| Some(packages.required(&text)?.1))
        .is_some_and(|known| packages.is_distribution(known))
}

/// Whether an import has questions for other platforms among its names. It says nothing then that the imported module
/// leads to code for a device.
pub(super) fn imports_questions_for_others(unit: &ModuleView<'_>, import: NodeId) -> bool {
    let tree = &unit.module.tree;
    let mut names = tree.below(import).take(NODES);
    names.any(|node| {
        tree.kind(node) == Kind::Identifier
            && tree
                .parent(node)
                .is_some_and(|up| tree.field(up) != Field::ModuleName)
            && mentions_others(unit, tree.word(node))
    })
}

/// Whether a name says that a package or a library is there: `_triton_is_available`.
pub(super) fn is_feature(unit: &ModuleView<'_>, name: &[u8]) -> bool {
    has_part(&unit.python_values().availability.features, name)
}

/// Whether a text only says which device a question for a capability is about: `get_device_properties("cuda")`,
/// `is_sm90_supported(torch.device("cuda"))`.
pub(super) fn is_argument_of_capability_question(unit: &ModuleView<'_>, text: NodeId) -> bool {
    let tree = &unit.module.tree;
    let above = tree.ancestors(text).take_while(|&one| {
        let inside = [Kind::ArgumentList, Kind::KeywordArgument, Kind::Call];
        inside.contains(&tree.kind(one))
    });
    above
        .filter(|&one| tree.kind(one) == Kind::Call)
        .any(|call| asks_for_architecture(unit, call))
}

/// Whether a call asks for the capability of a GPU, or for an architecture.
fn asks_for_architecture(unit: &ModuleView<'_>, call: NodeId) -> bool {
    let word = unit.module.callee_word(call);
    let gpus = Gpus::builtin();
    gpus.values_named(word).any(|one| one.call) || gpus.mentions_architecture(word)
}

/// Whether all names of an import are questions for architectures.
pub(super) fn imports_architecture_questions(unit: &ModuleView<'_>, import: NodeId) -> bool {
    let tree = &unit.module.tree;
    let gpus = Gpus::builtin();
    let mut names = tree.imported_names(import).peekable();
    names.peek().is_some() && names.all(|name| gpus.mentions_architecture(tree.word(name)))
}

/// Whether a question stands in code that only reports what the machine has: in a module or a function with the name of a
/// report, or in a function that returns an architecture.
pub(super) fn is_in_report(unit: &ModuleView<'_>, node: NodeId) -> bool {
    let tree = &unit.module.tree;
    let words = unit.python_values();
    let reports = |name: &str| has(&words.availability.reports, name);
    let file = paths::file_name(unit.path);
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
        let kind = Gpus::builtin().kind_of_name(name.as_bytes());
        reports(plain.strip_prefix("get_").unwrap_or(plain)) || kind.is_some()
    })
}

/// Whether code uses a name of the module for CUDA other than those that ask for the platform, the module itself as a value,
/// or what `PyTorch` calls the device in an enumeration: `torch.profiler.ProfilerActivity.CUDA`.
pub(super) fn uses_cuda_module(unit: &ModuleView<'_>, node: NodeId) -> bool {
    let tree = &unit.module.tree;
    let cuda = &unit.python_values().module.cuda;
    let platforms = &unit.python_values().platforms;
    let is_device = |member: &str| {
        let mut devices = unit.context.knowledge.devices.iter();
        devices.any(|one| one.cuda.to_ascii_uppercase() == member)
    };
    tree.below(node).take(NODES).any(|node| {
        tree.kind(node) == Kind::Attribute
            && unit.resolve(node).is_some_and(|name| {
                let inside = name.name.strip_prefix(cuda.as_str());
                let row = || {
                    let tables = unit.context.tables;
                    tables.get(Section::Python, name.name.as_bytes())
                };
                let is_value = || tree.parent_if(node, Kind::Attribute).is_none();
                is_device(last_part(&name.name)) && row().is_some()
                    || inside
                        .is_some_and(|rest| rest.starts_with('.') || rest.is_empty() && is_value())
                        && platforms.iter().all(|one| one.name != name.name)
            })
    })
}
