//! `CUDAExtension`, `CUDA_HOME`: names of the builders of extensions, which the port of the build changes.

use std::collections::BTreeSet;

use super::is_done;
use crate::build::toolkit::is_home;
use crate::python::{ModuleView, PythonUnit};
use crate::{Change, Outcome};
use torchada_diagnostic::KeptReason;
use torchada_diagnostic::codes::python::LEFT_TO_BUILD;
use torchada_mapping::{Runtime, Section, has};
use torchada_syntax::python::{Binding, BoundValue, Field, Kind, Literal, NodeId};
use torchada_text::{TextRange, contains, last_part};

/// Names of what builds extensions.
pub fn check(unit: &PythonUnit<'_>, out: &mut Outcome) {
    if !super::mentions_builders(unit, |word| unit.contains(word)) {
        return;
    }
    if unit.is_musa() {
        replaced(unit, out);
    }
    let mut reported = BTreeSet::new();
    let calls = calls(unit);
    let done = unit.is_musa() && is_done(unit);
    for (range, name) in places_named(unit) {
        if out.is_claimed_at(range.start) {
            continue;
        }
        out.claim_at(range.start);
        // The module has MUSA's builder beside CUDA's; or the package puts it in the place of this name.
        let reason = if done {
            Some(KeptReason::MusaBranch)
        } else {
            is_redirected(unit, &name).then_some(KeptReason::AtRunTime)
        };
        if let Some(reason) = reason {
            out.keep(range, reason);
            continue;
        }
        // The first place in a file gets a finding, and so does each call, because the calls have to change. The
        // other places are kept with a reason.
        if reported.insert(name.clone()) || calls.contains(&range) {
            report(unit, out, range, &name);
        } else {
            out.keep(range, KeptReason::LeftToBuild);
        }
    }
}

/// `cpp_extension._write_ninja_file = own`: the builder that a port takes does not ask for it there.
fn replaced(unit: &PythonUnit<'_>, out: &mut Outcome) {
    let tree = &unit.module.tree;
    for node in tree.of(Kind::Assignment) {
        let target = tree
            .child(node, Field::Left)
            .filter(|&target| tree.kind(target) == Kind::Attribute);
        let Some((target, found)) = target.and_then(|one| Some((one, unit.resolve(one)?))) else {
            continue;
        };
        if !is_builder(unit, &found.name) {
            continue;
        }
        let last = last_part(&found.name);
        if replaced_home(unit, out, node, last) {
            continue;
        }
        let message =
            format!("`{last}` is replaced in PyTorch's builder, which the port does not use");
        let help = "see whether torch_musa's module has the same name, and replace it there";
        unit.report(out, LEFT_TO_BUILD, tree.range(target), message, help);
    }
}

/// `cpp_extension.CUDA_HOME = os.environ["CONDA_PREFIX"]`: MUSA's toolkit comes in no environment of a package manager, so
/// its builder gets the folder of the SDK. Returns whether this is such a place.
fn replaced_home(unit: &PythonUnit<'_>, out: &mut Outcome, node: NodeId, last: &str) -> bool {
    let tree = &unit.module.tree;
    let toolkit = &unit.context.knowledge.builds.scripts.toolkit;
    let Some(value) = tree
        .child(node, Field::Right)
        .filter(|_| is_home(unit.context, last.as_bytes()))
    else {
        return false;
    };
    let text = tree.shown(value).to_ascii_lowercase();
    let is_elsewhere = toolkit.is_in_environment(&text);
    if is_elsewhere {
        let to = format!("\"{}\"", toolkit.to);
        unit.change(out, Change::new(tree.range(value), &to));
    }
    is_elsewhere
}

/// Whether the package for run time has a counterpart for a name.
fn is_redirected(unit: &ModuleView<'_>, name: &str) -> bool {
    let row = unit.context.row(Section::Python, name.as_bytes());
    let own = row.is_some_and(|row| row.runtime == Some(Runtime::Own));
    own && !unit.is_musa() && unit.imports_stub()
}

/// The names that are called.
fn calls(unit: &ModuleView<'_>) -> BTreeSet<TextRange> {
    let tree = &unit.module.tree;
    let calls = tree.of(Kind::Call);
    let called = calls.filter_map(|call| tree.callee(call));
    called
        .map(|one| tree.range(tree.child(one, Field::Attribute).unwrap_or(one)))
        .collect()
}

/// The places in the order of the text, with the dotted names that stand there.
fn places_named(unit: &ModuleView<'_>) -> Vec<(TextRange, String)> {
    let tree = &unit.module.tree;
    let mut found = Vec::new();
    for node in tree.nodes() {
        match tree.kind(node) {
            Kind::ImportFrom => imported(unit, node, &mut found),
            Kind::Attribute | Kind::Identifier => found.extend(used(unit, node)),
            Kind::Str => found.extend(quoted(unit, node)),
            _ => {}
        }
    }
    found.sort();
    found.dedup_by_key(|one| one.0);
    found
}

/// `from torch.utils.cpp_extension import CUDAExtension`
fn imported(unit: &ModuleView<'_>, node: NodeId, found: &mut Vec<(TextRange, String)>) {
    let tree = &unit.module.tree;
    let Some(module) = tree.child(node, Field::ModuleName) else {
        return;
    };
    let path = tree.shown(module);
    for name in tree.imported_names(node) {
        let full = format!("{path}.{}", tree.shown(name));
        if is_cudas(unit, &full) {
            found.push((tree.range(name), full));
        }
    }
}

/// A use of a name. What gets a value here is the project's own.
fn used(unit: &ModuleView<'_>, node: NodeId) -> Option<(TextRange, String)> {
    let tree = &unit.module.tree;
    // A name of the module's own that took the value follows it.
    let bindings = unit.module.meanings(node);
    let imports = |one: &Binding| matches!(one.what, BoundValue::Import(_));
    let is_own = !bindings.is_empty() && !bindings.iter().any(imports);
    if tree.is_bound_or_part(node)
        || is_own
        || !has_word_of_builds(unit, &unit.module.last_name(node))
    {
        return None;
    }
    let name = unit.resolve(node)?.name;
    let last = match tree.kind(node) {
        Kind::Attribute => tree.child(node, Field::Attribute)?,
        _ => node,
    };
    is_cudas(unit, &name).then(|| (tree.range(last), name))
}

/// `patch("torch.utils.cpp_extension.CUDA_HOME")`
fn quoted(unit: &ModuleView<'_>, node: NodeId) -> Option<(TextRange, String)> {
    let tree = &unit.module.tree;
    let name = Literal::plain_text(tree, node).filter(|_| super::names_module(unit, node))?;
    is_cudas(unit, &name).then(|| (tree.range(node), name))
}

/// Whether a name or a text has one of the words of builds for CUDA in it.
pub fn has_word_of_builds(unit: &ModuleView<'_>, name: &[u8]) -> bool {
    let name = name.to_ascii_lowercase();
    let mut words = unit.python_values().builds.words.iter();
    words.any(|word| contains(&name, word))
}

/// Whether a dotted name is one of a module that builds extensions.
pub fn is_builder(unit: &ModuleView<'_>, name: &str) -> bool {
    let front = name.rsplit_once('.').map(|(module, _)| module);
    front.is_some_and(|front| has(&unit.python_values().builds.modules, front))
}

/// Whether a dotted name is one of CUDA's in a module that builds extensions.
fn is_cudas(unit: &ModuleView<'_>, name: &str) -> bool {
    let last = last_part(name).as_bytes();
    let is_part = |one: &u8| one.is_ascii_alphanumeric() || *one == b'_';
    is_builder(unit, name) && last.iter().all(is_part) && has_word_of_builds(unit, last)
}

fn report(unit: &PythonUnit<'_>, out: &mut Outcome, range: TextRange, name: &str) {
    let builds = &unit.python_values().builds;
    let last = last_part(name);
    let row = unit.context.row(Section::Python, name.as_bytes());
    let help = match row.and_then(|row| row.to.as_deref()) {
        Some(to) => format!("{} torch_musa's own is `{to}`.", builds.advice),
        None => builds.advice_unlisted.clone(),
    };
    let message = format!("`{last}` stays: it is left to the port of the build");
    unit.report(out, LEFT_TO_BUILD, range, message, help);
}
