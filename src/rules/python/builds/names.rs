//! Names that a module imports from `PyTorch`'s builder of extensions, such as `CUDAExtension`, `BuildExtension`,
//! `CUDA_HOME` and `load`: each becomes the name that `torch_musa` has for it.

use super::counterparts::counterpart;
use super::grouped_edits::GroupedEdits;
use super::lines::{insertion_behind, removal_ranges};
use crate::Outcome;
use crate::python::torch::keywords::too_much;
use crate::python::{ModuleView, PythonUnit, inference};
use torchada_diagnostic::codes::python::OUT_OF_REACH;
use torchada_mapping::Evidence;
use torchada_syntax::python::{BoundValue, Field, Kind, Literal, NodeId};
use torchada_text::{TextRange, last_part};

/// The number of uses of a name that change with it. A name with more uses stays.
const USES: usize = 150;

/// Names of builders.
pub fn check(unit: &PythonUnit<'_>, out: &mut Outcome) {
    if !super::names_builders(unit) {
        return;
    }
    let tree = &unit.module.tree;
    for node in tree.nodes().filter(|&node| !tree.is_broken(node)) {
        match tree.kind(node) {
            Kind::ImportFrom => imported(unit, out, node),
            Kind::Str => quoted(unit, out, node),
            _ => {}
        }
    }
    super::modules::check(unit, out);
    for call in tree.of(Kind::Call) {
        too_many(unit, out, call);
    }
}

/// A keyword that `torch_musa`'s function does not take.
fn too_many(unit: &PythonUnit<'_>, out: &mut Outcome, call: NodeId) {
    let tree = &unit.module.tree;
    let Some(callee) = tree.callee(call) else {
        return;
    };
    let Some(found) = unit
        .resolve(callee)
        .filter(|one| counterpart(unit, &one.name).is_some())
    else {
        return;
    };
    if let Some(keyword) = too_much(unit, callee, &found.name) {
        let last = last_part(&found.name);
        let message = format!("`{last}` of torch_musa takes no `{keyword}`");
        let help = "leave the keyword out, or see what torch_musa's function takes";
        unit.report(out, OUT_OF_REACH, tree.range(callee), message, help);
    }
}

/// A name of an import.
struct ImportedName {
    /// The whole item of the statement, with its alias.
    whole: NodeId,
    name: NodeId,
    alias: Option<NodeId>,
    /// The counterpart of the name, and the places where the module uses the old name.
    to: Option<(String, Evidence, Vec<NodeId>)>,
}

/// `from torch.utils.cpp_extension import BuildExtension, CppExtension, CUDAExtension`
fn imported(unit: &PythonUnit<'_>, out: &mut Outcome, node: NodeId) {
    let tree = &unit.module.tree;
    let Some(module) = tree.child(node, Field::ModuleName) else {
        return;
    };
    let path = tree.shown(module);
    if !unit.python_values().builds.modules.contains(&path) {
        return;
    }
    let items: Vec<ImportedName> = tree
        .children(node)
        .filter(|&one| one != module)
        .filter_map(|one| item(unit, one, &path))
        .collect();
    if items.iter().all(|item| item.to.is_none()) {
        return;
    }
    let home = &unit.context.knowledge.builds.extensions.home;
    let mut edits = GroupedEdits::claiming(unit, out);
    if items.iter().all(|item| item.to.is_some()) {
        edits.put_at(module, home, Evidence::Confirmed);
        for item in &items {
            if let Some((to, evidence, uses)) = &item.to {
                let to = written(unit, item, to, uses);
                edits.put_at(item.whole, &to, *evidence);
                rename_uses(&mut edits, item);
            }
        }
        return;
    }
    // Some stay: the others get an import of their own.
    let ranges: Vec<(TextRange, bool)> = items
        .iter()
        .map(|item| (tree.range(item.whole), item.to.is_some()))
        .collect();
    for range in removal_ranges(unit.text, &ranges, false) {
        edits.put(range, "", Evidence::Confirmed);
    }
    let mut names = Vec::new();
    for item in &items {
        if let Some((to, _, uses)) = &item.to {
            names.push(written(unit, item, to, uses));
            unit.claim(edits.out, item.name);
            rename_uses(&mut edits, item);
        }
    }
    let import = format!("from {home} import {}", names.join(", "));
    let (at, text) = insertion_behind(unit, node, &import);
    edits.put(at, &text, Evidence::Confirmed);
}

fn item(unit: &ModuleView<'_>, one: NodeId, path: &str) -> Option<ImportedName> {
    let tree = &unit.module.tree;
    let (name, alias) = match tree.kind(one) {
        Kind::DottedName => (one, None),
        Kind::AliasedImport => (tree.child(one, Field::Name)?, tree.child(one, Field::Alias)),
        _ => return None,
    };
    let word = tree.shown(name);
    let full = format!("{path}.{word}");
    let to = counterpart(unit, &full).map(|(to, evidence)| {
        let uses = if to == word || alias.is_some() {
            Vec::new()
        } else {
            uses_of(unit, name, &full, &to)
        };
        (to, evidence, uses)
    });
    Some(ImportedName {
        whole: one,
        name,
        alias,
        to,
    })
}

/// The text of the item in the import: the new name alone if all uses of the old one change, else the new name bound to
/// the old one.
fn written(unit: &ModuleView<'_>, item: &ImportedName, to: &str, uses: &[NodeId]) -> String {
    let tree = &unit.module.tree;
    let word = unit.shown(tree.range(item.name));
    match item.alias {
        Some(alias) => format!("{to} as {}", tree.shown(alias)),
        None if to == word || !uses.is_empty() => to.to_owned(),
        None => format!("{to} as {word}"),
    }
}

/// The places that use an imported name and can follow it: none where another module takes it from here, where it
/// may be something else, or where the new name is taken.
fn uses_of(unit: &ModuleView<'_>, name: NodeId, full: &str, to: &str) -> Vec<NodeId> {
    let tree = &unit.module.tree;
    let word = tree.word(name);
    let (_, bindings) = unit.module.bindings(name, word);
    let only = bindings.iter().all(|one| match &one.what {
        BoundValue::Import(path) => path == full,
        BoundValue::Nothing => true,
        _ => false,
    });
    let taken = !unit.module.places_of(to.as_bytes()).is_empty();
    if !only || taken {
        return Vec::new();
    }
    let nothing = bindings
        .iter()
        .filter(|one| one.what == BoundValue::Nothing);
    let mut found: Vec<NodeId> = nothing.map(|one| one.at).collect();
    let mut outside = false;
    let Some(bound) = bindings.first() else {
        return Vec::new();
    };
    inference::each_use_while(unit, bound.at, &mut |other, node| {
        outside = other.index != unit.index;
        found.push(node);
        !outside
    });
    let quoted = format!("\"{}\"", String::from_utf8_lossy(word));
    let exported = unit.contains("__all__") && unit.contains(&quoted);
    if outside || exported || found.len() > USES {
        return Vec::new();
    }
    found
}

/// Let the uses of an imported name follow it.
fn rename_uses(edits: &mut GroupedEdits<'_>, item: &ImportedName) {
    if let Some((to, evidence, uses)) = &item.to {
        for &node in uses {
            edits.put_at(node, to, *evidence);
        }
    }
}

/// `patch("torch.utils.cpp_extension.CUDA_HOME")`
fn quoted(unit: &PythonUnit<'_>, out: &mut Outcome, node: NodeId) {
    let tree = &unit.module.tree;
    let literal = Literal::plain(tree, node).filter(|_| super::names_module(unit, node));
    let Some(literal) = literal else {
        return;
    };
    let name = literal.text().into_owned();
    let whole = literal.in_file(TextRange::new(0, literal.value().len()));
    if let Some((to, evidence)) = counterpart(unit, &name)
        && let Some(range) = whole
    {
        let home = &unit.context.knowledge.builds.extensions.home;
        let mut edits = GroupedEdits::claiming(unit, out);
        edits.put(range, &format!("{home}.{to}"), evidence);
        unit.claim(out, node);
    }
}
