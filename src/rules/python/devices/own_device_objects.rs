//! Whose objects values are: those of a package that has devices of its own, such as `wp.get_device(name)`.

use crate::python::ModuleView;
use crate::python::inference::callee::{annotation, class_of};
use crate::python::inference::limits::OBJECT_STEPS;
use crate::python::inference::{only_value, values_of_own_field};
use torchada_mapping::{OwnDevices, has};
use torchada_syntax::python::{BoundValue, Field, Kind, NodeId};
use torchada_text::{first_part, last_part};

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
            let leaves = |word: &&[u8]| has(&row.leaves, word);
            let left = passed.iter().any(leaves) || leaves(&last(unit, at));
            return (!left || at == expression).then_some(row);
        }
        at = match tree.kind(at) {
            Kind::Call => tree.callee(at)?,
            Kind::Attribute => match made_of_field(unit, at) {
                // `self.session`, which one statement sets.
                Some(only) if at != expression || is_call_or_annotation(unit, only) => only,
                _ => {
                    passed.push(last(unit, at));
                    tree.child(at, Field::Object)?
                }
            },
            // `device: wp.Device | None`
            Kind::Binary | Kind::Parenthesized => tree.nth(at, 0)?,
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
    only_value(unit, name).or_else(|| match unit.module.meanings(name) {
        [only] if only.what == BoundValue::Parameter => annotation(unit, only.at),
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
fn is_call_or_annotation(unit: &ModuleView<'_>, value: NodeId) -> bool {
    let tree = &unit.module.tree;
    let up = tree.parent(value);
    tree.kind(value) == Kind::Call || up.is_some_and(|up| tree.field(up) == Field::Type)
}

/// The package whose objects a member may belong to that `PyTorch`'s objects have, too: the module imports the package,
/// and nothing shows that the object is `PyTorch`'s.
pub fn shares_member<'u>(unit: &ModuleView<'u>, member: &str) -> Option<&'u OwnDevices> {
    let shares = |row: &&OwnDevices| has(&row.members, member);
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
    let root = first_part(name);
    unit.modules.files_of(unit.index, root).is_empty()
}

/// The package that a class of the tree's takes its base from, by an object of the class: `class Model(WhisperModel)`.
pub fn base_of<'u>(unit: &ModuleView<'u>, object: NodeId) -> Option<&'u OwnDevices> {
    let (file, class) = class_of(unit, object)?;
    let bases = unit.modules.each_class(file, class, &mut |_, _| false);
    let mut rows = unit.python_values().own_devices.iter();
    rows.find(|row| {
        bases
            .iter()
            .any(|base| row.has(base) && is_meant(unit, base))
    })
}

/// The package with devices of its own whose function a call calls.
pub fn called_package<'u>(unit: &ModuleView<'u>, call: NodeId) -> Option<&'u OwnDevices> {
    let callee = unit.module.tree.callee(call)?;
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

/// The first package with devices of its own, of those that a test lets pass, among imports.
pub fn imported<'u>(
    unit: &ModuleView<'u>,
    imports: impl Iterator<Item = NodeId>,
    passes: impl Fn(&OwnDevices) -> bool,
) -> Option<&'u OwnDevices> {
    let tree = &unit.module.tree;
    let rows = &unit.python_values().own_devices;
    let names = imports.filter_map(|import| {
        tree.child(import, Field::ModuleName)
            .or_else(|| tree.imported_names(import).next())
    });
    let mut names = names.map(|name| tree.shown(name));
    names.find_map(|name| {
        let mut rows = rows.iter().filter(|row| passes(row));
        rows.find(|row| row.has(&name) && is_outside(unit, &name))
    })
}

/// Whether the text of a module has the last part of a package's name in it.
pub fn may_use(unit: &ModuleView<'_>, row: &OwnDevices) -> bool {
    let mut names = row.packages.iter();
    names.any(|name| unit.contains(last_part(name)))
}
