//! Builders that are reached through their module: `cpp_extension.CUDAExtension`, `torch.utils.cpp_extension.load`.

use std::collections::BTreeMap;

use super::counterparts::{binder, counterpart};
use super::extensions::is_builder;
use super::grouped_edits::GroupedEdits;
use super::lines::insertion_behind;
use crate::Outcome;
use crate::python::PythonUnit;
use torchada_mapping::Evidence;
use torchada_syntax::python::{BoundValue, Field, Kind, NodeId};

/// One use of a name through the module.
struct ModuleUse {
    /// `cpp_extension.CUDAExtension`
    node: NodeId,
    /// Its last name.
    name: NodeId,
    /// The counterpart of the name.
    to: Option<(String, Evidence)>,
}

/// The uses through a name that an import binds, by the place of the import.
pub(super) fn check(unit: &PythonUnit<'_>, out: &mut Outcome) {
    let tree = &unit.module.tree;
    let mut direct: BTreeMap<NodeId, Vec<ModuleUse>> = BTreeMap::new();
    let mut dotted: BTreeMap<NodeId, Vec<ModuleUse>> = BTreeMap::new();
    for node in tree.of(Kind::Attribute) {
        if tree.is_broken(node) {
            continue;
        }
        let (Some(name), Some((root, parts))) =
            (tree.child(node, Field::Attribute), unit.chain(node))
        else {
            continue;
        };
        let Some(found) = unit
            .module
            .resolve(node)
            .filter(|one| is_builder(unit, &one.name))
        else {
            continue;
        };
        let bindings = unit.module.meanings(root);
        let import = bindings
            .iter()
            .find(|one| matches!(one.what, BoundValue::Import(_)));
        let Some(bound) = import.map(|one| one.at) else {
            continue;
        };
        let to = counterpart(unit, &found.name);
        let uses = if parts.len() == 1 {
            &mut direct
        } else {
            &mut dotted
        };
        uses.entry(bound)
            .or_default()
            .push(ModuleUse { node, name, to });
    }
    for (bound, uses) in direct {
        through_name(unit, out, bound, &uses);
    }
    for (bound, uses) in dotted {
        through_path(unit, out, bound, &uses);
    }
}

/// `cpp_extension.X`, `ext.X`
fn through_name(unit: &PythonUnit<'_>, out: &mut Outcome, bound: NodeId, uses: &[ModuleUse]) {
    let tree = &unit.module.tree;
    let home = &unit.context.knowledge.builds.extensions.home;
    let Some((package, last)) = home.rsplit_once('.') else {
        return;
    };
    let Some(import) = binder(unit, bound).filter(|_| uses.iter().any(|one| one.to.is_some()))
    else {
        return;
    };
    let names = tree.children(import);
    let names = names.filter(|&one| tree.field(one) == Field::Name);
    let is_all = names.count() == 1 && uses.iter().all(|one| one.to.is_some());
    let alias = tree.parent_if(bound, Kind::AliasedImport);
    let mut edits = GroupedEdits::claiming(unit, out);
    if is_all {
        let module = tree.child(import, Field::ModuleName);
        match (module, alias.and_then(|up| tree.child(up, Field::Name))) {
            (Some(module), name) => {
                edits.put_at(module, package, Evidence::Confirmed);
                edits.put_at(name.unwrap_or(bound), last, Evidence::Confirmed);
            }
            (None, Some(path)) => edits.put_at(path, home, Evidence::Confirmed),
            (None, None) => return,
        }
    } else {
        let text = format!("from {package} import {last}");
        let (at, text) = insertion_behind(unit, import, &text);
        edits.put(at, &text, Evidence::Confirmed);
    }
    for one in uses {
        let Some((to, evidence)) = &one.to else {
            continue;
        };
        unit.claim(edits.out, one.name);
        if is_all && alias.is_some() {
            edits.put_at(one.name, to, *evidence);
        } else {
            edits.put_at(one.node, &format!("{last}.{to}"), *evidence);
        }
    }
}

/// `torch.utils.cpp_extension.X`
fn through_path(unit: &PythonUnit<'_>, out: &mut Outcome, bound: NodeId, uses: &[ModuleUse]) {
    let tree = &unit.module.tree;
    let home = &unit.context.knowledge.builds.extensions.home;
    if uses.iter().all(|one| one.to.is_none()) {
        return;
    }
    let modules = &unit.python_values().builds.modules;
    // The statement that imports the very module, else the one that binds the first name.
    let bindings = unit.module.meanings(bound);
    let names_it = |one: NodeId| {
        tree.parent(one)
            .is_some_and(|path| modules.contains(&tree.shown(path)))
    };
    let best = bindings.iter().map(|one| one.at).find(|&one| names_it(one));
    let Some(import) = binder(unit, best.unwrap_or(bound)) else {
        return;
    };
    let mut edits = GroupedEdits::claiming(unit, out);
    let (at, text) = insertion_behind(unit, import, &format!("import {home}"));
    edits.put(at, &text, Evidence::Confirmed);
    for one in uses {
        if let Some((to, evidence)) = &one.to {
            unit.claim(edits.out, one.name);
            edits.put_at(one.node, &format!("{home}.{to}"), *evidence);
        }
    }
}
