//! Devices of packages that are not `PyTorch`'s: `warp.zeros(8, device="cuda")`, `tensorview.from_numpy(x).cuda()`.
//! Such a package has no device of MUSA's, so its devices stay even where those of torch change.

use super::inference::callee::{annotation, class_of};
use super::inference::limits::OBJECT_STEPS;
use super::inference::options::has;
use super::inference::{
    self, StringRole, by_name, entry_dictionary, only_value, values_of_own_field,
};
use super::keywords::unpacked_in;
use super::tool_strings::CUDA_TOOL_STRING;
use super::{ModuleView, PythonUnit};
use crate::{Outcome, Rule};
use torchada_diagnostic::{Code, Severity};
use torchada_mapping::{OwnDevices, ValueKind};
use torchada_syntax::python::{Consumer, Field, Kind, Literal, NodeId, What};
use torchada_text::TextRange;

/// A device of `PyTorch`'s goes to a package that has no such device of MUSA's.
pub const REFUSED_DEVICE: Code = Code {
    id: "PY066",
    severity: Severity::Error,
    title: "a device is handed to a package that has none of MUSA's",
};

/// Texts that name devices of packages other than `PyTorch`.
pub struct OwnDeviceStrings;

impl Rule<PythonUnit<'_>> for OwnDeviceStrings {
    fn name(&self) -> &'static str {
        "python-own-devices"
    }

    fn codes(&self) -> &'static [Code] {
        &[CUDA_TOOL_STRING, REFUSED_DEVICE]
    }

    fn check(&self, unit: &PythonUnit<'_>, out: &mut Outcome) {
        let rows = &unit.python_values().own_devices;
        if !rows.iter().any(|row| may_use(unit, row)) {
            return;
        }
        if rows.iter().any(|row| row.refuses && may_use(unit, row)) {
            report_refused(unit, out);
        }
        let alone = alone(unit);
        let texts = rows.iter().flat_map(|row| &row.texts);
        let texts: Vec<&str> = texts.map(String::as_str).collect();
        for literal in unit.literals(&texts) {
            if unit.is_claimed(out, literal.node) {
                continue;
            }
            let row = match unit.module.use_of(literal.node).consumer {
                Consumer::Docstring | Consumer::Statement | Consumer::Message => continue,
                Consumer::Argument { call, .. } | Consumer::Keyword { call, .. } => {
                    called_package(unit, call).or(alone)
                }
                Consumer::DictValue { pair } => unpacked_for(unit, pair).or(alone),
                // `self.model.device == "cuda"`
                Consumer::Comparison { other, .. } => {
                    let by_value = || value_handed_on(unit, other);
                    package(unit, other).or_else(by_value).or(alone)
                }
                Consumer::Target { target } => handed_on(unit, target).or(alone),
                _ => alone,
            };
            let row = row.or_else(|| package_of_class(unit, literal.node));
            if let Some(row) = row.filter(|row| row.is_device(literal.value())) {
                unit.claim(out, literal.node);
                let range = unit.module.tree.range(literal.node);
                let message = format!("{} stays: it is {}", unit.shown(range), row.what);
                report(unit, out, row, range, message);
            }
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
            let is_device = by_name(unit, tree.word(name)) == StringRole::Known(ValueKind::Device);
            (is_device && matches!(tree.kind(value), Kind::Identifier | Kind::Attribute))
                .then_some(value)
        });
        let Some(value) = named.find(|&value| !is_hosts(unit, value)) else {
            continue;
        };
        let row = called_package(unit, call).filter(|row| row.refuses);
        if let Some(row) = row {
            let shown = unit.shown(tree.range(value));
            let device = if value_handed_on(unit, value).is_some() {
                "CUDA's device, which no machine with MUSA's GPUs has"
            } else {
                "MUSA's device on MUSA"
            };
            let message = format!("`{shown}` is {device}, and this takes {}", row.what);
            let finding = unit.finding(REFUSED_DEVICE, tree.range(value), message);
            out.findings.push(finding.help(row.advice.clone()));
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

/// The package with devices of its own whose function a call calls.
fn called_package<'u>(unit: &ModuleView<'u>, call: NodeId) -> Option<&'u OwnDevices> {
    let callee = unit.module.tree.child(call, Field::Function)?;
    package(unit, callee)
        .or_else(|| base_of(unit, call))
        .or_else(|| by_method(unit, call))
}

/// The package whose objects alone have the method that a call calls: `binding.bind_output(name, device)`.
fn by_method<'u>(unit: &ModuleView<'u>, call: NodeId) -> Option<&'u OwnDevices> {
    let word = unit.module.callee_word(call);
    let mut rows = unit.python_values().own_devices.iter();
    let row = rows.find(|row| has(&row.methods, word) && may_use(unit, row))?;
    let own = unit.modules.methods(&String::from_utf8_lossy(word));
    own.is_empty().then_some(row)
}

/// The package that the value of a variable, or of a field of `self`, is handed to as an argument: `kind = "cuda"`,
/// `OrtValue.ortvalue_from_numpy(x, kind)`.
fn handed_on<'u>(unit: &ModuleView<'u>, target: NodeId) -> Option<&'u OwnDevices> {
    let tree = &unit.module.tree;
    let mut found = None;
    let mut look = |other: &ModuleView<'_>, node: NodeId| {
        if let Consumer::Argument { call, .. } | Consumer::Keyword { call, .. } =
            other.module.use_of(node).consumer
            && other.index == unit.index
        {
            found = found.or_else(|| called_package(unit, call));
        }
    };
    let object = tree.child(target, Field::Object);
    match tree.kind(target) {
        Kind::Identifier => inference::each_use(unit, target, &mut look),
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
        .flat_map(|value| std::iter::once(value).chain(tree.below(value)))
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
    let class = tree
        .ancestors(text)
        .find(|&one| tree.kind(one) == Kind::Class)?;
    let torch = unit.python_values().module.cuda.split('.').next()?;
    let is_torchs =
        |one: NodeId| tree.kind(one) == Kind::Identifier && tree.word(one) == torch.as_bytes();
    let imports = || {
        tree.below(class)
            .filter(|&one| matches!(tree.kind(one), Kind::Import | Kind::ImportFrom))
    };
    let found = imported(unit, imports(), |_| true)?;
    (!tree.below(class).any(is_torchs)).then_some(found)
}

/// The package that a class of the tree's takes its base from, by an object of the class: `class Model(WhisperModel)`.
fn base_of<'u>(unit: &ModuleView<'u>, object: NodeId) -> Option<&'u OwnDevices> {
    let (file, class) = class_of(unit, object)?;
    let bases = unit.modules.each_class(file, class, &mut |_, _| false);
    let mut rows = unit.python_values().own_devices.iter();
    rows.find(|row| {
        bases
            .iter()
            .any(|base| row.has(base) && is_meant(unit, base))
    })
}

/// The package that takes an entry of a dictionary as a keyword: `options = {"backend": "nccl"}`, `group(**options)`.
fn unpacked_for<'u>(unit: &ModuleView<'u>, pair: NodeId) -> Option<&'u OwnDevices> {
    let name = entry_dictionary(unit, pair)?;
    unpacked_in(unit, name).find_map(|call| called_package(unit, call))
}

/// Report that code stays because a package has devices of its own.
pub fn report(
    unit: &PythonUnit<'_>,
    out: &mut Outcome,
    row: &OwnDevices,
    range: TextRange,
    message: String,
) {
    let finding = unit.finding(CUDA_TOOL_STRING, range, message);
    out.findings.push(finding.help(row.advice.clone()));
}

/// The package with devices of its own that an expression comes from: the expression is a name of the package, or a
/// value that the package's functions, or methods of such values, have made.
pub fn package<'u>(unit: &ModuleView<'u>, expression: NodeId) -> Option<&'u OwnDevices> {
    let tree = &unit.module.tree;
    let mut rows = unit.python_values().own_devices.iter();
    rows.find(|row| may_use(unit, row))?;
    let mut at = expression;
    let mut passed: Vec<&[u8]> = Vec::new();
    for _ in 0..OBJECT_STEPS {
        let named = matches!(tree.kind(at), Kind::Identifier | Kind::Attribute);
        if named && let Some(row) = row_of(unit, at) {
            let leaves = |word: &&[u8]| row.leaves.iter().any(|one| one.as_bytes() == *word);
            let left = passed.iter().any(leaves) || leaves(&last(unit, at));
            return (!left || at == expression).then_some(row);
        }
        at = match tree.kind(at) {
            Kind::Call => tree.child(at, Field::Function)?,
            Kind::Attribute => match made_of_field(unit, at) {
                // `self.session`, which one statement sets.
                Some(only) if at != expression || says_itself(unit, only) => only,
                _ => {
                    passed.push(last(unit, at));
                    tree.child(at, Field::Object)?
                }
            },
            // `device: wp.Device | None`
            Kind::Binary => tree.nth(at, 0)?,
            Kind::Parenthesized => tree.nth(at, 0)?,
            Kind::Identifier => match made_of(unit, at) {
                Some(value) => value,
                None => return base_of(unit, at),
            },
            _ => return None,
        };
    }
    None
}

fn last<'u>(unit: &ModuleView<'u>, name: NodeId) -> &'u [u8] {
    let tree = &unit.module.tree;
    let end = tree.child(name, Field::Attribute).unwrap_or(name);
    tree.word(end)
}

/// The value of a variable that has a single one, or the annotation of a parameter.
fn made_of(unit: &ModuleView<'_>, name: NodeId) -> Option<NodeId> {
    let tree = &unit.module.tree;
    only_value(unit, name).or_else(|| match unit.module.bindings(name, tree.word(name)).1 {
        [only] if only.what == What::Parameter => annotation(unit, only.at),
        _ => None,
    })
}

/// What a field of `self` is set to by a single statement besides those that set it to None, or its annotation.
fn made_of_field(unit: &ModuleView<'_>, field: NodeId) -> Option<NodeId> {
    let tree = &unit.module.tree;
    let values = values_of_own_field(unit, field);
    let typed = values.iter().find_map(|&value| {
        let annotation = tree.child(tree.parent(value)?, Field::Type)?;
        tree.nth(annotation, 0)
    });
    let mut made = values
        .into_iter()
        .filter(|&value| tree.kind(value) != Kind::None);
    match (typed, made.next(), made.next()) {
        (Some(typed), ..) => Some(typed),
        (None, only, None) => only,
        _ => None,
    }
}

/// Whether a node is a call, or stands in an annotation.
fn says_itself(unit: &ModuleView<'_>, value: NodeId) -> bool {
    let tree = &unit.module.tree;
    let up = tree.parent(value);
    tree.kind(value) == Kind::Call || up.is_some_and(|up| tree.field(up) == Field::Type)
}

/// The package whose objects a member may belong to that `PyTorch`'s objects have, too: the module imports the package,
/// and nothing shows that the object is `PyTorch`'s.
pub fn shares_member<'u>(unit: &ModuleView<'u>, member: &str) -> Option<&'u OwnDevices> {
    let shares = |row: &&OwnDevices| row.members.iter().any(|one| one == member);
    let rows = &unit.python_values().own_devices;
    rows.iter()
        .find(|row| shares(row) && may_use(unit, row))
        .and_then(|_| {
            let imports = unit.module.tree.of_any(&[Kind::Import, Kind::ImportFrom]);
            imported(unit, imports, |row| shares(&row))
        })
}

/// The row of the package that a name leads into.
fn row_of<'u>(unit: &ModuleView<'u>, name: NodeId) -> Option<&'u OwnDevices> {
    let found = unit.resolve(name)?;
    let mut rows = unit.python_values().own_devices.iter();
    rows.find(|row| row.has(&found.name) && is_meant(unit, &found.name))
}

/// Whether a name that may be a package's is none of the tree's: a module may have the package's short name.
fn is_meant(unit: &ModuleView<'_>, name: &str) -> bool {
    let mut packages = unit
        .python_values()
        .own_devices
        .iter()
        .flat_map(|row| &row.packages);
    packages.any(|package| package.contains('.') && name.starts_with(package.as_str()))
        || is_outside(unit, name)
}

fn is_outside(unit: &ModuleView<'_>, name: &str) -> bool {
    let root = name.split('.').next().unwrap_or(name);
    unit.modules.files_of(unit.index, root).is_empty()
}

/// The package that all devices of a module belong to: the module imports it and does not mention torch.
fn alone<'u>(unit: &ModuleView<'u>) -> Option<&'u OwnDevices> {
    if speaks_of_torch(unit) {
        return None;
    }
    let imports = unit.module.tree.of_any(&[Kind::Import, Kind::ImportFrom]);
    imported(unit, imports, |row| row.alone)
}

/// The first package with devices of its own, of those that a test lets pass, among imports.
fn imported<'u>(
    unit: &ModuleView<'u>,
    imports: impl Iterator<Item = NodeId>,
    passes: impl Fn(&OwnDevices) -> bool,
) -> Option<&'u OwnDevices> {
    let tree = &unit.module.tree;
    let rows = &unit.python_values().own_devices;
    let names = imports.filter_map(|import| {
        tree.child(import, Field::ModuleName).or_else(|| {
            let first = tree.children(import).next()?;
            Some(tree.child(first, Field::Name).unwrap_or(first))
        })
    });
    let mut names = names.map(|name| unit.shown(tree.range(name)));
    names.find_map(|name| {
        let mut rows = rows.iter().filter(|row| passes(row));
        rows.find(|row| row.has(&name) && is_outside(unit, &name))
    })
}

/// Whether a text that names a device goes to the project itself, whose C++ has the same name, from a module that
/// does not mention torch. Such a text stays, and is reported.
pub fn is_projects(unit: &PythonUnit<'_>, out: &mut Outcome, range: TextRange, to: &str) -> bool {
    let Some(home) = unit
        .modules
        .project()
        .device_home_path(unit.path)
        .filter(|_| !speaks_of_torch(unit))
    else {
        return false;
    };
    let shown = unit.shown(range);
    let message = format!(
        "{shown} stays: it is the project's own name of a device, which `{home}` has as well, and nothing here speaks of PyTorch"
    );
    let help =
        format!("where the project comes to know MUSA's device as `{to}`, write that here, too");
    out.findings
        .push(unit.finding(CUDA_TOOL_STRING, range, message).help(help));
    true
}

fn speaks_of_torch(unit: &ModuleView<'_>) -> bool {
    let torch = unit.python_values().module.cuda.split('.').next();
    torch.is_none_or(|torch| unit.contains(torch))
}

/// Whether the text of a module has the last part of a package's name in it.
fn may_use(unit: &ModuleView<'_>, row: &OwnDevices) -> bool {
    let last = |name: &String| name.rsplit('.').next().map(str::to_owned);
    let mut names = row.packages.iter().filter_map(last);
    names.any(|name| unit.contains(&name))
}
