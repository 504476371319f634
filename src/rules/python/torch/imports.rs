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
use torchada_text::{TextRange, first_part};

/// The used members, which most modules need not look for.
type Members<'m> = dyn Deref<Target = UsedMembers> + 'm;

/// Imports of `PyTorch`'s modules for CUDA.
pub fn check(unit: &PythonUnit<'_>, out: &mut Outcome) {
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
fn import(unit: &PythonUnit<'_>, out: &mut Outcome, node: NodeId, members: &Members<'_>) {
    let tree = &unit.module.tree;
    for name in tree.children(node) {
        let path = match tree.kind(name) {
            Kind::AliasedImport => tree.child(name, Field::Name),
            _ => Some(name),
        };
        let Some(path) = path.filter(|&path| tree.kind(path) == Kind::DottedName) else {
            continue;
        };
        let shown = tree.shown(path);
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
                let root = first_part(&shown);
                if alias.is_none() && first_part(&home) != root {
                    // The statement binds the first word of the dotted name, and the uses need that word.
                    home = format!("{root}, {home}");
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
fn import_from(unit: &PythonUnit<'_>, out: &mut Outcome, node: NodeId, members: &Members<'_>) {
    let tree = &unit.module.tree;
    let module = tree.child(node, Field::ModuleName);
    let Some(module) = module.filter(|&one| tree.kind(one) == Kind::DottedName) else {
        return;
    };
    let path = tree.shown(module);
    let mut parts = tree.children(node);
    if parts.any(|one| tree.kind(one) == Kind::WildcardImport) {
        return report_star(unit, out, module, &path);
    }
    let mut port = ImportPort {
        module,
        path,
        home: None,
        stays: false,
        targets: Vec::new(),
        evidence: Evidence::Confirmed,
    };
    for one in tree.children(node) {
        let (name, alias) = match tree.kind(one) {
            Kind::DottedName if one != module => (Some(one), None),
            Kind::AliasedImport => (tree.child(one, Field::Name), tree.child(one, Field::Alias)),
            _ => continue,
        };
        if let Some(name) = name {
            port.add(unit, out, (name, alias), members);
        }
    }
    port.apply(unit, out);
}

/// Report a star, which may import names of CUDA's.
fn report_star(unit: &PythonUnit<'_>, out: &mut Outcome, module: NodeId, path: &str) {
    if !matches!(verdict(unit, path), Verdict::NotOurs) {
        let range = unit.module.tree.range(module);
        let message =
            format!("`from {path} import *` stays: which of its names are used is not known");
        let help = "import the names that are used, one by one";
        unit.report(out, STAR, range, message, help);
    }
}

/// A name that has a counterpart.
struct Target {
    name: NodeId,
    alias: Option<NodeId>,
    word: String,
    /// The counterpart's name in its module.
    counterpart: String,
}

/// What becomes of an import of names from a module.
struct ImportPort {
    module: NodeId,
    path: String,
    /// The module that the names looked at so far are in after the port.
    home: Option<String>,
    /// Whether they are not all in one module, so that the import has to stay.
    stays: bool,
    /// The names that have counterparts.
    targets: Vec<Target>,
    /// The weakest evidence for one of these.
    evidence: Evidence,
}

impl ImportPort {
    /// Add a name of the import, which may have an alias.
    fn add(
        &mut self,
        unit: &PythonUnit<'_>,
        out: &mut Outcome,
        (name, alias): (NodeId, Option<NodeId>),
        members: &Members<'_>,
    ) {
        let range = unit.module.tree.range(name);
        let word = unit.shown(range);
        let full = format!("{}.{word}", self.path);
        if report_import(unit, out, name, &full) {
            self.stays = true;
            return;
        }
        match verdict(unit, &full) {
            Verdict::Becomes(to, found) => {
                if is_needed(unit, out, alias.unwrap_or(name), &full, members) {
                    self.stays = true;
                    self.home.get_or_insert_with(|| self.path.clone());
                    return;
                }
                self.evidence = self.evidence.max(found);
                let (front, last) = to.rsplit_once('.').unwrap_or(("", &to));
                self.stays |= self.home.as_deref().is_some_and(|home| home != front);
                self.home = Some(front.to_owned());
                self.targets.push(Target {
                    name,
                    alias,
                    word,
                    counterpart: last.to_owned(),
                });
            }
            Verdict::Left(code, row) => {
                out.report(left(unit, code, row, &full, range));
                self.stays = true;
            }
            Verdict::NotOurs | Verdict::Same => {
                // The name stays in its module, so the statement has to import from that module.
                self.stays |= self.home.as_deref().is_some_and(|home| home != self.path);
                self.home.get_or_insert_with(|| self.path.clone());
            }
        }
    }

    /// Import the counterparts, or report the names that have some where the import has to stay.
    fn apply(self, unit: &PythonUnit<'_>, out: &mut Outcome) {
        let tree = &unit.module.tree;
        let path = &self.path;
        let Some(home) = self.home.filter(|_| !self.targets.is_empty()) else {
            return;
        };
        if self.stays {
            for target in &self.targets {
                let full = format!("{path}.{}", target.word);
                let finding = left(unit, OUT_OF_REACH, None, &full, tree.range(target.name));
                let help = "import it by itself: the other names of this import have to stay";
                out.report(finding.help(help));
            }
            return;
        }
        let group = out.group();
        if home != *path {
            let home = unit.python_values().import_home(&home);
            let change = change(unit, self.module, &home, self.evidence);
            unit.change(out, change.group(group));
        }
        for target in self.targets {
            let word = &target.word;
            let full = format!("{path}.{word}");
            let range = tree.range(target.name);
            out.findings.extend(names::difference(unit, &full, range));
            if *word == target.counterpart {
                continue;
            }
            // The code goes on to use the name that the statement binds.
            let to = if target.alias.is_some() {
                target.counterpart
            } else {
                format!("{} as {word}", target.counterpart)
            };
            let change = change(unit, target.name, &to, self.evidence);
            unit.change(out, change.group(group));
        }
    }
}

/// Whether the code uses a member of a module that the module's counterpart lacks, so that its import stays.
fn is_needed(
    unit: &PythonUnit<'_>,
    out: &mut Outcome,
    bound: NodeId,
    path: &str,
    members: &Members<'_>,
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
