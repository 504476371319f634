//! Devices of packages that are not `PyTorch`'s: `warp.zeros(8, device="cuda")`, `tensorview.from_numpy(x).cuda()`.
//! Such a package has no device of MUSA's, so its devices stay even where those of torch change.

use super::own_device_objects::{called_package, imported, may_use, package};
use super::own_device_parameters::by_own_function;
use crate::Outcome;
use crate::python::inference;
use crate::python::inference::{by_name, entry_dictionary, only_value, values_of_own_field};
use crate::python::torch::keywords::unpacked_in;
use crate::python::{ModuleView, PythonUnit};
use torchada_diagnostic::codes::python::{CUDA_TOOL_STRING, REFUSED_DEVICE};
use torchada_mapping::{OwnDevices, has};
use torchada_syntax::python::{Consumer, Field, Kind, Literal, NodeId};
use torchada_text::TextRange;

/// Texts that name devices of packages other than `PyTorch`.
pub fn check(unit: &PythonUnit<'_>, out: &mut Outcome) {
    let rows = &unit.python_values().own_devices;
    let mut used = rows.iter().filter(|row| may_use(unit, row)).peekable();
    let uses_one = used.peek().is_some();
    if used.any(|row| row.refuses) {
        report_refused(unit, out);
    }
    let alone = alone(unit);
    let texts = rows.iter().flat_map(|row| &row.texts);
    let texts: Vec<&str> = texts.map(String::as_str).collect();
    for literal in unit.literals(&texts) {
        let is_device = || rows.iter().any(|row| row.is_device(literal.value()));
        if unit.is_claimed(out, literal.node) || !is_device() {
            continue;
        }
        let of = unit.module.use_of(literal.node);
        let by_function = || by_own_function(unit, &of);
        let row = match of.consumer {
            Consumer::Docstring | Consumer::Statement | Consumer::Message => continue,
            Consumer::Argument { .. } | Consumer::Keyword { .. } if !uses_one => by_function(),
            _ if !uses_one => continue,
            Consumer::Argument { call, .. } | Consumer::Keyword { call, .. } => {
                called_package(unit, call).or_else(by_function).or(alone)
            }
            // `def load(path, device="cuda")`
            Consumer::Default { name, .. } => handed_on(unit, name).or(alone),
            Consumer::DictValue { pair } => entry_handed_on(unit, pair).or(alone),
            // `self.model.device == "cuda"`
            Consumer::Comparison { other, .. } => {
                let by_value = || value_handed_on(unit, other);
                package(unit, other).or_else(by_value).or(alone)
            }
            Consumer::Target { target } => handed_on(unit, target).or(alone),
            _ => alone,
        };
        let by_class = || package_of_class(unit, literal.node);
        let row = row.or_else(|| uses_one.then(by_class)?);
        if let Some(row) = row.filter(|row| row.is_device(literal.value())) {
            let range = unit.claim(out, literal.node);
            let message = format!("{} stays: it is {}", unit.shown(range), row.what);
            report(unit, out, row, range, message);
        }
    }
}

/// Report the devices of `PyTorch`'s that are handed to a package which refuses those of MUSA's: `WhisperModel(name,
/// device=device)`.
fn report_refused(unit: &PythonUnit<'_>, out: &mut Outcome) {
    let tree = &unit.module.tree;
    for call in tree.of(Kind::Call) {
        let arguments = tree.arguments(call);
        let mut named = arguments.filter_map(|one| {
            let name = tree
                .child(one, Field::Name)
                .filter(|_| tree.kind(one) == Kind::KeywordArgument)?;
            let value = tree.child(one, Field::Value)?;
            let is_device = by_name(unit, tree.word(name)).is_device();
            (is_device && matches!(tree.kind(value), Kind::Identifier | Kind::Attribute))
                .then_some(value)
        });
        let Some(value) = named.find(|&value| !is_hosts(unit, value)) else {
            continue;
        };
        let row = called_package(unit, call).filter(|row| row.refuses);
        if let Some(row) = row {
            let shown = tree.shown(value);
            let device = if value_handed_on(unit, value).is_some() {
                "CUDA's device, which no machine with MUSA's GPUs has"
            } else {
                "MUSA's device on MUSA"
            };
            let message = format!("`{shown}` is {device}, and this takes {}", row.what);
            let help = row.advice.clone();
            unit.report(out, REFUSED_DEVICE, tree.range(value), message, help);
        }
    }
}

/// Whether a variable only holds the name of the host's device.
fn is_hosts(unit: &ModuleView<'_>, name: NodeId) -> bool {
    let hosts = &unit.python_values().vendors.host;
    let value = only_value(unit, name);
    let text = value.and_then(|value| Literal::read(&unit.module.tree, value));
    text.is_some_and(|text| has(hosts, text.value()))
}

/// The package that the value of a variable, or of a field of `self`, is handed to as an argument: `kind = "cuda"`,
/// `OrtValue.ortvalue_from_numpy(x, kind)`.
fn handed_on<'u>(unit: &ModuleView<'u>, target: NodeId) -> Option<&'u OwnDevices> {
    let tree = &unit.module.tree;
    let mut found = None;
    let mut look = |node: NodeId| {
        let call = unit.module.use_of(node).consumer.call();
        found = found.or_else(|| called_package(unit, call?));
    };
    let object = tree.child(target, Field::Object);
    match tree.kind(target) {
        // `options["device"] = "cuda"`
        Kind::Subscript => return dictionary_handed_on(unit, tree.child(target, Field::Value)?),
        Kind::Identifier => inference::each_use_here(unit, target, &mut look),
        Kind::Attribute if object.is_some_and(|object| tree.word(object) == b"self") => {
            inference::each_attribute(unit, target, &mut look);
        }
        _ => {}
    }
    found
}

/// The package that a variable, or a field of `self`, is handed to which is set to the text of a device: `kind == "cuda"`,
/// where `kind = "cuda" if has_gpu else "cpu"` stands before.
fn value_handed_on<'u>(unit: &ModuleView<'u>, name: NodeId) -> Option<&'u OwnDevices> {
    let tree = &unit.module.tree;
    let values = match tree.kind(name) {
        Kind::Identifier => only_value(unit, name).into_iter().collect(),
        Kind::Attribute => values_of_own_field(unit, name),
        _ => return None,
    };
    let texts: Vec<Literal> = values
        .into_iter()
        .flat_map(|value| tree.with_below(value))
        .filter_map(|one| Literal::read(tree, one))
        .collect();
    let is_device = |row: &&OwnDevices| texts.iter().any(|text| row.is_device(text.value()));
    (!texts.is_empty())
        .then(|| handed_on(unit, name))
        .flatten()
        .filter(is_device)
}

/// The package that all devices of a class belong to: its methods import the package, and nothing in it is torch's.
fn package_of_class<'u>(unit: &ModuleView<'u>, text: NodeId) -> Option<&'u OwnDevices> {
    let tree = &unit.module.tree;
    let class = tree.class_around(text)?;
    let torch = &unit.python_values().torch_names;
    let is_torchs =
        |one: NodeId| tree.kind(one) == Kind::Identifier && torch.is_root(tree.word(one));
    let imports = || {
        tree.below(class)
            .filter(|&one| matches!(tree.kind(one), Kind::Import | Kind::ImportFrom))
    };
    let found = imported(unit, imports(), |_| true)?;
    (!tree.below(class).any(is_torchs)).then_some(found)
}

/// The package that gets an entry of a dictionary: as a keyword, `options = {"backend": "nccl"}`, `group(**options)`, or in
/// the dictionary, `xgboost.train({"device": "cuda"}, data)`.
fn entry_handed_on<'u>(unit: &ModuleView<'u>, pair: NodeId) -> Option<&'u OwnDevices> {
    let dictionary = unit.module.tree.parent(pair)?;
    if let Some(call) = unit.module.use_of(dictionary).consumer.call() {
        return called_package(unit, call);
    }
    dictionary_handed_on(unit, entry_dictionary(unit, pair)?)
}

/// The package that gets a dictionary, or its entries as keywords.
fn dictionary_handed_on<'u>(unit: &ModuleView<'u>, name: NodeId) -> Option<&'u OwnDevices> {
    let unpacked = unpacked_in(unit, name).find_map(|call| called_package(unit, call));
    unpacked.or_else(|| handed_on(unit, name))
}

/// Report that code stays because a package has devices of its own.
pub fn report(
    unit: &PythonUnit<'_>,
    out: &mut Outcome,
    row: &OwnDevices,
    range: TextRange,
    message: String,
) {
    unit.report(out, CUDA_TOOL_STRING, range, message, row.advice.clone());
}

/// The package that all devices of a module belong to: the module imports it and does not mention torch.
pub fn alone<'u>(unit: &ModuleView<'u>) -> Option<&'u OwnDevices> {
    if mentions_torch(unit) {
        return None;
    }
    let imports = unit.module.tree.of_any(&[Kind::Import, Kind::ImportFrom]);
    imported(unit, imports, |row| row.alone)
}

/// Whether a text that names a device goes to the project itself, whose C++ has the same name, from a module that
/// does not mention torch. Such a text stays, and is reported.
pub fn is_projects(unit: &PythonUnit<'_>, out: &mut Outcome, range: TextRange, to: &str) -> bool {
    let Some(home) = home(unit) else {
        return false;
    };
    let shown = unit.shown(range);
    let message = format!(
        "{shown} stays: it is the project's own name of a device, which `{home}` has as well, and nothing here speaks of PyTorch"
    );
    let help =
        format!("where the project comes to know MUSA's device as `{to}`, write that here, too");
    unit.report(out, CUDA_TOOL_STRING, range, message, help);
    true
}

/// The C++ of the project's that has names of devices and backends of its own, for a module that does not mention torch.
pub fn home<'u>(unit: &PythonUnit<'u>) -> Option<&'u str> {
    let home = unit.modules.project().device_home_path(unit.path);
    home.filter(|_| !mentions_torch(unit))
}

fn mentions_torch(unit: &ModuleView<'_>) -> bool {
    unit.python_values().mentions_torch(unit.module.tree.text())
}
