//! Imports of `PyTorch`'s modules for CUDA, and of names from them: `import torch.cuda as tc`, `from torch.cuda.amp
//! import autocast`.

use std::cell::LazyCell;
use std::ops::Deref;

use super::names::{self, Verdict, left, verdict};
use super::used_members::UsedMembers;
use crate::python::platforms::names::report_import;
use crate::python::{ModuleView, PythonUnit};
use crate::{Change, Outcome};
use torchada_diagnostic::Finding;
use torchada_diagnostic::codes::python::{OUT_OF_REACH, STANDS_IN, STAR};
use torchada_mapping::Evidence;
use torchada_syntax::python::{BoundValue, Field, Kind, NodeId};
use torchada_text::TextRange;

/// Imports of `PyTorch`'s modules for CUDA.
pub fn check(unit: &PythonUnit<'_>, out: &mut Outcome) {
    if !unit.is_musa() {
        return;
    }
    let tree = &unit.module.tree;
    let members = LazyCell::new(|| UsedMembers::new(unit));
    for node in tree.of_any(&[Kind::Import, Kind::ImportFrom]) {
        if tree.is_broken(node) {
            continue;
        }
        if tree.kind(node) == Kind::Import {
            import(unit, out, node, &members);
        } else {
            import_from(unit, out, node, &members);
        }
    }
}

/// `import a.b`, `import a.b as c`.
fn import(
    unit: &PythonUnit<'_>,
    out: &mut Outcome,
    node: NodeId,
    members: &impl Deref<Target = UsedMembers>,
) {
    let tree = &unit.module.tree;
    for name in tree.children(node) {
        let path = match tree.kind(name) {
            Kind::AliasedImport => tree.child(name, Field::Name),
            _ => Some(name),
        };
        let Some(path) = path.filter(|&path| tree.kind(path) == Kind::DottedName) else {
            continue;
        };
        let shown = unit.shown(tree.range(path));
        match verdict(unit, &shown) {
            Verdict::Becomes(to, evidence) => {
                let alias = tree.child(name, Field::Alias);
                if alias.is_none() && members.all_stay(unit, &shown) {
                    let range = tree.range(path);
                    let finding = left(unit, STANDS_IN, None, &shown, range);
                    out.report(finding);
                    continue;
                }
                if alias.is_some_and(|alias| is_needed(unit, out, alias, &shown, members)) {
                    continue;
                }
                let mut home = unit.python_values().import_home(&to);
                let root = |name: &str| name.split('.').next().map(str::to_owned);
                if alias.is_none() && root(&home) != root(&shown) {
                    // The statement binds the first word of the dotted name, and the uses need that word.
                    home = format!("{}, {home}", root(&shown).unwrap_or_default());
                }
                let change = change(unit, path, &home, evidence);
                unit.change(out, change);
            }
            Verdict::Left(code, row) => {
                let range = tree.range(path);
                out.report(left(unit, code, row, &shown, range));
            }
            Verdict::NotOurs | Verdict::Same => {}
        }
    }
}

/// `from a.b import c as d, e`: the module becomes another one if the counterparts of all imported names are in that
/// other one.
fn import_from(
    unit: &PythonUnit<'_>,
    out: &mut Outcome,
    node: NodeId,
    members: &impl Deref<Target = UsedMembers>,
) {
    let tree = &unit.module.tree;
    let Some(module) = tree.child(node, Field::ModuleName) else {
        return;
    };
    if tree.kind(module) != Kind::DottedName {
        return;
    }
    let path = unit.shown(tree.range(module));
    let mut names: Vec<(NodeId, Option<NodeId>, String)> = Vec::new();
    for one in tree.children(node) {
        match tree.kind(one) {
            Kind::WildcardImport => {
                if !matches!(verdict(unit, &path), Verdict::NotOurs) {
                    let range = tree.range(module);
                    let message = format!(
                        "`from {path} import *` stays: which of its names are used is not known"
                    );
                    let finding = unit.finding(STAR, range, message);
                    out.report(finding.help("import the names that are used, one by one"));
                }
                return;
            }
            Kind::DottedName if one != module => {
                let word = unit.shown(tree.range(one));
                names.push((one, None, word));
            }
            Kind::AliasedImport => {
                if let Some(name) = tree.child(one, Field::Name) {
                    let word = unit.shown(tree.range(name));
                    names.push((name, tree.child(one, Field::Alias), word));
                }
            }
            _ => {}
        }
    }
    let mut targets: Vec<(NodeId, Option<NodeId>, String, String)> = Vec::new();
    let mut evidence = Evidence::Confirmed;
    let mut home: Option<String> = None;
    let mut stays = false;
    let mut ours = false;
    for (name, alias, word) in names {
        let full = format!("{path}.{word}");
        if report_import(unit, out, name, &full) {
            stays = true;
            continue;
        }
        match verdict(unit, &full) {
            Verdict::Becomes(to, found) => {
                if is_needed(unit, out, alias.unwrap_or(name), &full, members) {
                    stays = true;
                    home.get_or_insert_with(|| path.clone());
                    continue;
                }
                ours = true;
                evidence = evidence.max(found);
                let (front, last) = to.rsplit_once('.').unwrap_or(("", &to));
                stays |= home.as_deref().is_some_and(|home| home != front);
                home = Some(front.to_owned());
                targets.push((name, alias, word, last.to_owned()));
            }
            Verdict::Left(code, row) => {
                let range = tree.range(name);
                out.report(left(unit, code, row, &full, range));
                stays = true;
            }
            Verdict::NotOurs | Verdict::Same => {
                // The name stays in its module, so the statement has to import from that module.
                stays |= home.as_deref().is_some_and(|home| home != path);
                home.get_or_insert_with(|| path.clone());
            }
        }
    }
    let Some(home) = home.filter(|_| ours) else {
        return;
    };
    if stays {
        for (name, _, word, _) in targets {
            let full = format!("{path}.{word}");
            let range = tree.range(name);
            let code = OUT_OF_REACH;
            let finding = left(unit, code, None, &full, range);
            out.report(
                finding.help("import it by itself: the other names of this import have to stay"),
            );
        }
        return;
    }
    let group = out.group();
    if home != path {
        let home = unit.python_values().import_home(&home);
        let change = change(unit, module, &home, evidence);
        unit.change(out, change.group(group));
    }
    for (name, alias, word, last) in targets {
        let full = format!("{path}.{word}");
        let range = tree.range(name);
        out.findings.extend(names::difference(unit, &full, range));
        if word == last {
            continue;
        }
        // The code goes on to use the name that the statement binds.
        let to = if alias.is_some() {
            last
        } else {
            format!("{last} as {word}")
        };
        let change = change(unit, name, &to, evidence);
        unit.change(out, change.group(group));
    }
}

/// Whether the code uses a member of a module that the module's counterpart lacks, so that its import stays.
fn is_needed(
    unit: &PythonUnit<'_>,
    out: &mut Outcome,
    bound: NodeId,
    path: &str,
    members: &impl Deref<Target = UsedMembers>,
) -> bool {
    let tree = &unit.module.tree;
    let Some(lacking) = members.lacking(unit, tree.word(bound), path) else {
        return false;
    };
    out.report(needed_for(unit, path, &lacking, tree.range(bound)));
    true
}

/// The finding about a module that stays because its counterpart lacks a member.
pub fn needed_for(unit: &PythonUnit<'_>, module: &str, lacking: &str, range: TextRange) -> Finding {
    if let Verdict::Left(code, row) = verdict(unit, lacking)
        && code == STANDS_IN
    {
        let message = format!(
            "`{module}` stays: `{lacking}` is asked of it, which the runtime package stands in for"
        );
        let advice = row.and_then(|row| row.advice.as_deref());
        let help = format!(
            "nothing is to be done where `import torchada` runs before this. {}",
            advice.unwrap_or_default()
        );
        return unit
            .finding(STANDS_IN, range, message)
            .help(help.trim_end());
    }
    let finding = left(unit, OUT_OF_REACH, None, module, range);
    finding.help(format!(
        "`{lacking}` is asked of it, which its counterpart lacks: keep such code out of the path for MUSA, then import the counterpart"
    ))
}

fn change<'r>(unit: &ModuleView<'_>, node: NodeId, to: &'r str, evidence: Evidence) -> Change<'r> {
    Change::new(unit.module.tree.range(node), to).evidence(evidence)
}

/// The dotted name that a name stands for after the edits of the imports. `hidden` is the dotted name before them, and
/// stays where the import stays.
pub fn after_import(unit: &PythonUnit<'_>, out: &Outcome, root: NodeId, hidden: &str) -> String {
    let name = unit.module.tree.word(root);
    let (_, bindings) = unit.module.bindings(root, name);
    let changed = bindings.iter().any(|binding| {
        // The value of the assignment is a dotted name that another edit translates.
        if matches!(binding.what, BoundValue::Value(_)) {
            return true;
        }
        let statement = unit
            .module
            .tree
            .ancestors(binding.at)
            .find(|&one| matches!(unit.module.tree.kind(one), Kind::Import | Kind::ImportFrom));
        let range = statement.map(|one| unit.module.tree.range(one));
        range.is_some_and(|range| out.edits.within(range).next().is_some())
    });
    match verdict(unit, hidden) {
        Verdict::Becomes(to, _) if changed => to,
        _ => hidden.to_owned(),
    }
}
