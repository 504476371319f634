//! Names of `PyTorch`'s that tests replace: the replacement has to follow the code that uses the name.

use crate::Outcome;
use crate::python::inference::is_member;
use crate::python::quoted::takes_dotted_name;
use crate::python::reserved::cuda_conditions::branches;
use crate::python::reserved::vendor_files;
use crate::python::{ModuleView, PythonUnit};
use torchada_diagnostic::KeptReason;
use torchada_diagnostic::codes::python::IN_STRING;
use torchada_syntax::python::{BoundValue, Kind, Literal, NodeId};
use torchada_text::{TextRange, last_part};

/// What the port does with a name at the places that use the name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum PatchTarget {
    /// The name changes at all its places, or no place is known.
    Changes,
    /// The name stays, since only CUDA takes the branches that use the name.
    Stays,
    /// The name changes at some places and stays at others.
    Both,
}

/// The number of modules that a test imports in which the name is looked for, and the number of places in each.
const MODULES: usize = 32;
const PLACES: usize = 64;

/// Whether a name that a test replaces surely changes at the places that use it; `None` if it stays.
pub fn follows(
    unit: &PythonUnit<'_>,
    out: &mut Outcome,
    home: Option<&str>,
    name: &str,
    to: &str,
    range: TextRange,
) -> Option<bool> {
    match patch_target(unit, home, name) {
        PatchTarget::Changes => Some(true),
        PatchTarget::Stays => {
            out.keep(range, KeptReason::VendorBranch);
            None
        }
        PatchTarget::Both => {
            let message = format!(
                "`{name}` stays: what is tested asks for it and for `{to}`, each in its branch"
            );
            let help = format!("replace the one that this test reaches; `--unsafe` writes `{to}`");
            unit.report(out, IN_STRING, range, message, help);
            Some(false)
        }
    }
}

/// In the portable dialect: a test replaces `torch.cuda.is_available`, but the ported code tests for MUSA,
/// too.
pub fn report_one_sided_patch(
    unit: &PythonUnit<'_>,
    out: &mut Outcome,
    range: TextRange,
    name: &str,
) {
    if !unit.python_values().is_gpu_question(name) || unit.is_musa() || !unit.imports_stub() {
        return;
    }
    let stub = &unit.python_values().entry;
    let message = format!(
        "`{name}` is replaced alone: what also asks `{}.{}()` still finds a GPU of MUSA's",
        stub.import, stub.asks
    );
    let help = format!("replace `{}.{}`, too", stub.import, stub.asks);
    unit.report(out, IN_STRING, range, message, help);
}

/// The change to a name that a test replaces: by the module that is named before it, else by the modules that the test
/// imports. `home`: the dotted name of the module, if one is named.
fn patch_target(unit: &ModuleView<'_>, home: Option<&str>, name: &str) -> PatchTarget {
    let mut files = match home {
        Some(home) => unit.modules.files_of(unit.index, home),
        None => imported(unit),
    };
    if home.is_some() {
        files = files.pop().into_iter().collect();
    }
    let (mut stays, mut changes) = (0, 0);
    for file in files {
        let last = last_part(name);
        if !is_member(&unit.modules.text_once(file), last.as_bytes()) {
            continue;
        }
        let Some(other) = unit.other(file) else {
            continue;
        };
        let tree = &other.module.tree;
        let mut left: Option<Vec<TextRange>> = None;
        let places = other.module.places_of(last.as_bytes());
        for &place in places.iter().take(PLACES) {
            let named = tree.attribute_of(place).and_then(|one| other.resolve(one));
            if named.is_none_or(|found| found.name != name) {
                continue;
            }
            let left = left.get_or_insert_with(|| left_in(&other));
            if left.iter().any(|one| one.covers(tree.range(place))) {
                stays += 1;
            } else {
                changes += 1;
            }
        }
    }
    match (stays, changes) {
        (0, _) => PatchTarget::Changes,
        (_, 0) => PatchTarget::Stays,
        _ => PatchTarget::Both,
    }
}

/// The code of a module that is CUDA's only, and stays.
fn left_in(unit: &ModuleView<'_>) -> Vec<TextRange> {
    if vendor_files::stays_whole(unit) {
        return vec![TextRange::new(0, unit.text.len())];
    }
    branches(unit).into_iter().map(|(range, _)| range).collect()
}

/// The modules of the tree's that a module imports by their names, or something of.
fn imported(unit: &ModuleView<'_>) -> Vec<usize> {
    let outline = unit.modules.outline(unit.index);
    let imports = outline.into_iter().flat_map(|one| &one.imports);
    let mut files: Vec<usize> = imports
        .filter_map(|one| unit.modules.files_of(unit.index, one.module).pop())
        .take(MODULES)
        .collect();
    files.sort_unstable();
    files.dedup();
    files
}

/// Whether a name is what stands for a module's `torch` in a test: the parameter that `@patch("module.torch")` fills, or the
/// name of `with patch("module.torch") as mock_torch`.
pub fn is_mock_of_torch(unit: &ModuleView<'_>, name: NodeId) -> bool {
    let tree = &unit.module.tree;
    let [binding] = unit.module.meanings(name) else {
        return false;
    };
    match binding.what {
        BoundValue::Parameter => replaces_torch_by_parameter(unit, binding.at),
        // `torch_module = types.ModuleType("torch")`
        BoundValue::Value(value) => is_module_called_torch(unit, value),
        BoundValue::Unknown => {
            let mut around = tree.ancestors(binding.at).take(STEPS);
            let target = around.find(|&one| tree.kind(one) == Kind::AsPattern);
            let call = target.and_then(|one| tree.nth(one, 0));
            call.is_some_and(|call| replaces_torch(unit, call) == Some(true))
        }
        _ => false,
    }
}

/// Whether a value is a new module that is called as torch is.
fn is_module_called_torch(unit: &ModuleView<'_>, value: NodeId) -> bool {
    let tree = &unit.module.tree;
    let makes = tree.kind(value) == Kind::Call && unit.module.callee_word(value) == b"ModuleType";
    let name = tree.argument(value, 0).filter(|_| makes);
    let text = name.and_then(|name| Literal::read(tree, name));
    text.is_some_and(|text| unit.python_values().torch_names.is_root(text.value()))
}

/// How many nodes lead from the name of a `with` to what it is the name of.
const STEPS: usize = 4;

/// Whether a parameter is the one that a decorator fills which replaces `torch`. The last decorator fills the first
/// parameter; one that says itself what it puts in the place fills none.
fn replaces_torch_by_parameter(unit: &ModuleView<'_>, parameter: NodeId) -> bool {
    let tree = &unit.module.tree;
    let list = tree.parent(parameter);
    let function = list.and_then(|list| tree.parent(list));
    let decorated = function.and_then(|function| tree.decorated(function));
    let (Some(list), Some(decorated)) = (list, decorated) else {
        return false;
    };
    let names = tree.children(list).filter(|&one| !tree.is_self(one));
    let place = names.into_iter().position(|one| one == parameter);
    let mut filling: Vec<bool> = tree
        .decorators(decorated)
        .filter_map(|call| replaces_torch(unit, call))
        .collect();
    filling.reverse();
    place
        .and_then(|place| filling.get(place))
        .is_some_and(|&is_torch| is_torch)
}

/// Whether a call replaces a module's `torch` by a mock: `patch("module.torch")`; `None` where it replaces nothing, or says
/// itself by what.
fn replaces_torch(unit: &ModuleView<'_>, call: NodeId) -> Option<bool> {
    let tree = &unit.module.tree;
    let is_patch = tree.kind(call) == Kind::Call && takes_dotted_name(unit, call);
    let text = Literal::read(tree, tree.argument(call, 0).filter(|_| is_patch)?)?;
    if tree.argument(call, 1).is_some() {
        return None;
    }
    let value = text.value();
    let name = value.rsplit(|&byte| byte == b'.').next();
    Some(name.is_some_and(|name| {
        name.len() < value.len() && unit.python_values().torch_names.is_root(name)
    }))
}
