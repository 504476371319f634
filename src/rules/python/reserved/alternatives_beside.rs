//! Finds the other platforms that stand as alternatives next to CUDA.

use super::alternatives::Alternatives;
use crate::python::ModuleView;
use crate::python::devices::compared;
use crate::python::devices::compared::{
    compared, compared_by_front, decided, has_other_side, is_compared_with_device,
    is_type_of_device,
};
use crate::python::inference::{class_body, is_project_platform_name, parameter_of_member};
use torchada_mapping::has;
use torchada_syntax::python::{Binding, Consumer, Field, Kind, Literal, NodeId, Use};

/// The platforms that are alternatives to a value in its list, dictionary, `match` or chain of `if`.
pub fn alternatives_to(unit: &ModuleView<'_>, of: &Use) -> Alternatives {
    alternatives(unit, of, platform)
}

/// The platforms that are alternatives to a value which is a device by its role. Other devices of `PyTorch`'s are none: what
/// the code does for `"cuda"` is what it does for the GPU that the port runs on. The name of a platform that `PyTorch` has no
/// device of says that the value is the project's own; and a project that has code for MUSA already keeps its arms.
pub fn rivals_of_device(unit: &ModuleView<'_>, of: &Use) -> Alternatives {
    if unit.modules.has_musa() && !is_of_own_making(unit, of) {
        // Such a project knows what the type of MUSA's devices is: what is not CUDA's is MUSA's way, too.
        let is_known = if unit.distinguishes_musa_from_cuda() {
            is_compared_with_device(unit, of)
        } else {
            is_type_of_device(unit, of) && has_other_side(unit, of)
        };
        // A chain of `if` without an arm for MUSA gets one finding as a whole, so its value counts as one that has an arm.
        let is_arm = || {
            let decided = decided(unit, of).map(|one| unit.module.tree.kind(one));
            is_known && matches!(decided, Some(Kind::If | Kind::Elif))
        };
        return match alternatives_to(unit, of) {
            Alternatives::None if is_known => Alternatives::Musa,
            Alternatives::OtherVendors if is_arm() => Alternatives::Musa,
            found => found,
        };
    }
    if is_type_of_device(unit, of) {
        return among(unit, neighbours(unit, of)).only_musa();
    }
    alternatives(unit, of, rival_platform)
}

fn is_of_own_making(unit: &ModuleView<'_>, of: &Use) -> bool {
    let subject = match of.consumer {
        Consumer::Target { target } => Some(target),
        Consumer::Argument { call, .. } => compared_by_front(unit, call),
        _ => of.compared_with(),
    };
    subject.is_some_and(|subject| compared::is_of_own_making(unit, subject))
}

fn alternatives(
    unit: &ModuleView<'_>,
    of: &Use,
    platform: fn(&ModuleView<'_>, &str) -> Alternatives,
) -> Alternatives {
    let found = among_by(unit, neighbours(unit, of), platform);
    // A function that knows MUSA already returns it to the callers that want it.
    match among(unit, compared(unit, of).into_iter()) {
        Alternatives::Musa => Alternatives::Musa,
        _ if found == Alternatives::None && is_project_platform_name(unit, of) => {
            Alternatives::OtherVendors
        }
        _ => found,
    }
}

/// The literals next to a value in its list, dictionary, `match`, chain of `if` or choices.
pub fn neighbours(unit: &ModuleView<'_>, of: &Use) -> impl Iterator<Item = Literal> {
    let choices = choices(unit, of);
    let allowed = crate::python::inference::options::allowed(unit, of);
    // The items of a member's value are arguments for one constructor.
    let is_list = parameter_of_member(unit, of).is_none();
    let near = is_list.then(|| unit.module.sibling_literals(of));
    let near = near.into_iter().flatten();
    near.chain(choices)
        .chain(allowed)
        .chain(other_choices(unit, of))
        .chain(cases(unit, of))
        .chain(set_elsewhere(unit, of))
}

/// The names of MUSA, and of platforms that `PyTorch` has no device of, in the conditional expressions that a value is one
/// side of: `"musa" if kind == "musa" else "cuda"`.
fn other_choices(unit: &ModuleView<'_>, of: &Use) -> Vec<Literal> {
    let tree = &unit.module.tree;
    let conditionals = of
        .choices()
        .filter(|&one| tree.kind(one) == Kind::Conditional);
    let parts = conditionals.flat_map(|one| tree.below(one).take(CASES));
    let texts = parts.filter_map(|part| Literal::read(tree, part));
    let words = &unit.python_values().vendors;
    let is_wanted =
        |text: &Literal| has(&words.target, text.value()) || has(&words.no_devices, text.value());
    texts.filter(is_wanted).collect()
}

/// The other literals that the code assigns to the name which takes the value.
fn set_elsewhere(unit: &ModuleView<'_>, of: &Use) -> Vec<Literal> {
    let tree = &unit.module.tree;
    let Consumer::Target { target } = of.consumer else {
        return Vec::new();
    };
    if tree.kind(target) != Kind::Identifier {
        return Vec::new();
    }
    // `class Kind(Enum): CUDA = "cuda"; XPU = "xpu"`
    if let Some(body) = class_body(unit, target) {
        let is_platform =
            |one: &Literal| among(unit, std::iter::once(one.clone())) != Alternatives::None;
        return members(unit, body).filter(is_platform).collect();
    }
    let bindings = unit.module.meanings(target);
    let values = bindings.iter().take(CASES).filter_map(Binding::value);
    values
        .filter_map(|value| Literal::read(tree, value))
        .collect()
}

/// The texts that the names of a class are set to.
pub fn members(unit: &ModuleView<'_>, body: NodeId) -> impl Iterator<Item = Literal> {
    let tree = &unit.module.tree;
    tree.children(body).take(CASES).filter_map(|statement| {
        let inner = tree.nth(statement, 0)?;
        Literal::read(tree, tree.child(inner, Field::Right)?)
    })
}

/// Whether a branch sets a name to CUDA's platform, and other code sets the same name to other platforms.
pub fn sets_one_of_several(unit: &ModuleView<'_>, branch: NodeId) -> bool {
    let tree = &unit.module.tree;
    let assigned = tree.consequence(branch);
    let mut values = assigned.filter_map(|statement| tree.assignment(statement));
    values.any(|(_, value)| {
        unit.is_cudas_word(value)
            && alternatives_to(unit, &unit.module.use_of(value)) != Alternatives::None
    })
}

/// The values of the other cases that a test is run with: `[pytest.param("cuda", marks=…), …]`.
fn cases(unit: &ModuleView<'_>, of: &Use) -> Vec<Literal> {
    let tree = &unit.module.tree;
    let words = &unit.python_values().words_of_calls;
    let is_case =
        |node| tree.kind(node) == Kind::Call && has(&words.cases, unit.module.callee_word(node));
    // Plain values next to a plain one are among the siblings already.
    let (item, place, plain) = match of.consumer {
        Consumer::Argument {
            call,
            position: Some(position),
        } if is_case(call) => (Some(call), position, true),
        _ => (of.items().next(), 0, false),
    };
    let list = item.and_then(|item| tree.parent(item));
    let items = list.into_iter().flat_map(|list| tree.children(list));
    items
        .take(CASES)
        .filter_map(|item| {
            let value = if is_case(item) {
                tree.nth(tree.child(item, Field::Arguments)?, place)?
            } else {
                Some(item).filter(|_| plain)?
            };
            Literal::read(tree, value)
        })
        .collect()
}

/// The platforms whose names are among the literals.
pub fn among(unit: &ModuleView<'_>, literals: impl Iterator<Item = Literal>) -> Alternatives {
    among_by(unit, literals, platform)
}

/// MUSA, and the platforms that `PyTorch` has no device of, among some words in lower case.
pub fn among_words<'w>(
    unit: &ModuleView<'_>,
    words: impl Iterator<Item = &'w str>,
) -> Alternatives {
    words.fold(Alternatives::None, |found, word| {
        found.or(rival_platform(unit, word))
    })
}

/// The platforms among the literals that are no devices of `PyTorch`'s.
pub fn rivals_among(
    unit: &ModuleView<'_>,
    literals: impl Iterator<Item = Literal>,
) -> Alternatives {
    among_by(unit, literals, rival_platform)
}

fn among_by(
    unit: &ModuleView<'_>,
    literals: impl Iterator<Item = Literal>,
    platform: fn(&ModuleView<'_>, &str) -> Alternatives,
) -> Alternatives {
    let mut found = Alternatives::None;
    for literal in literals {
        let text = literal.text().to_ascii_lowercase();
        // `xpu:0` is one, too.
        found = found.or(platform(unit, text.split(':').next().unwrap_or_default()));
    }
    found
}

/// The platform that a word in lower case belongs to. Beside one that no machine with another GPU is, such as Apple's,
/// CUDA is no choice among several: it stands for any other GPU.
pub fn platform(unit: &ModuleView<'_>, word: &str) -> Alternatives {
    let words = &unit.python_values().vendors;
    let is_in = |list: &[String]| has(list, word);
    if is_in(&words.target) {
        Alternatives::Musa
    } else if is_in(&words.others) && !is_in(&words.no_rivals) {
        Alternatives::OtherVendors
    } else {
        Alternatives::None
    }
}

/// The platform that a word belongs to, if it is MUSA or one that `PyTorch` has no device of.
fn rival_platform(unit: &ModuleView<'_>, word: &str) -> Alternatives {
    let no_devices = &unit.python_values().vendors.no_devices;
    match platform(unit, word) {
        Alternatives::OtherVendors if !unit.modules.has_musa() && !has(no_devices, word) => {
            Alternatives::None
        }
        found => found,
    }
}

/// The choices of an option whose default the value is.
fn choices(unit: &ModuleView<'_>, of: &Use) -> Vec<Literal> {
    let known = &unit.context.knowledge.python_strings.options;
    let tree = &unit.module.tree;
    // `def device(default="cuda", choices=["cuda", …])`
    let name = match of.consumer {
        Consumer::Keyword { call, name } if tree.kind(call) == Kind::Call => name,
        Consumer::Default { name, .. } => name,
        _ => return Vec::new(),
    };
    let list = tree.parent(name).and_then(|argument| tree.parent(argument));
    let list = list.filter(|_| has(&known.values, tree.word(name)));
    listed_choices(unit, list)
}

/// The literals that the argument or parameter `choices` of a list has.
fn listed_choices(unit: &ModuleView<'_>, list: Option<NodeId>) -> Vec<Literal> {
    let tree = &unit.module.tree;
    let all = list.into_iter().flat_map(|list| tree.children(list));
    let choices = all.filter(|&one| {
        let name = tree.child(one, Field::Name);
        name.is_some_and(|name| tree.word(name) == b"choices")
    });
    choices
        .filter_map(|one| tree.child(one, Field::Value))
        .flat_map(|value| tree.children(value))
        .filter_map(|one| Literal::read(tree, one))
        .collect()
}

/// How many cases of a test are looked at.
const CASES: usize = 256;
