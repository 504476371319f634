//! Host sources that include the headers of half-precision types. MUSA's headers of this kind compile with mcc alone.

use std::collections::{BTreeMap, BTreeSet};

use super::arguments::argument;
use super::counterparts::counterpart;
use super::extensions::is_builder;
use super::flag_lists::{builder, plain, sources};
use crate::python::{ModuleView, PythonUnit};
use crate::{Change, Outcome};
use torchada_diagnostic::codes::python::{LEFT_TO_BUILD, NEEDS_MCC};
use torchada_diagnostic::{Code, Severity};
use torchada_mapping::has;
use torchada_project::paths;
use torchada_syntax::python::{Field, Kind, NodeId};
use torchada_text::{TextRange, last_part};

/// Host sources of extensions.
pub fn check(unit: &PythonUnit<'_>, out: &mut Outcome) {
    if !super::is_of_build(unit) {
        return;
    }
    let tree = &unit.module.tree;
    let mut known = BTreeMap::new();
    let mut seen = BTreeSet::new();
    for call in tree.of(Kind::Call) {
        let is_for_host = is_host_builder(unit, call);
        if !is_for_host && builder(unit, call).is_none() {
            continue;
        }
        let Some(literals) = handed(unit, call) else {
            continue;
        };
        if is_for_host {
            device_source(unit, out, call, &literals);
            continue;
        }
        let found = literals
            .iter()
            .find_map(|&literal| needs(unit, literal, &mut known));
        seen.extend(literals);
        if let Some(found) = found {
            force_mcc(unit, out, call, &found);
        }
    }
    // Sources that reach a builder in a way that nobody could follow.
    let strings = unit.module.strings().iter().copied();
    let left = strings
        .filter(|literal| !seen.contains(literal))
        .find_map(|literal| needs(unit, literal, &mut known));
    if let Some(found) = left {
        report(unit, out, &found);
    }
}

/// The literals of which the sources of a builder's call are made.
fn handed(unit: &ModuleView<'_>, call: NodeId) -> Option<BTreeSet<NodeId>> {
    let tree = &unit.module.tree;
    let table = &unit.context.knowledge.builds.extensions.sources;
    let argument = tree
        .keyword(call, table.keyword.as_bytes())
        .or_else(|| tree.argument(call, table.position));
    let argument = argument.filter(|&one| tree.kind(one) != Kind::KeywordArgument);
    Some(sources(unit, argument?))
}

/// Whether a call is one of `PyTorch`'s builder of extensions without a GPU.
fn is_host_builder(unit: &ModuleView<'_>, call: NodeId) -> bool {
    let known = &unit.context.knowledge.builds.extensions;
    unit.callee_name(call).is_some_and(|one| {
        one.is_sure() && last_part(&one.name) == known.host_builder && is_builder(unit, &one.name)
    })
}

/// Report a source for the GPU that the call of the builder without one names: nvcc finds all of CUDA's by itself. What
/// stands in a list elsewhere may be there for another builder.
fn device_source(
    unit: &PythonUnit<'_>,
    out: &mut Outcome,
    call: NodeId,
    literals: &BTreeSet<NodeId>,
) {
    let known = &unit.context.knowledge.builds.extensions;
    let name = |&literal: &NodeId| String::from_utf8(plain(unit, literal)?).ok();
    let tree = &unit.module.tree;
    let is_inside = |literal: &&NodeId| tree.range(call).covers(tree.range(**literal));
    let mut names = literals.iter().filter(is_inside).filter_map(name);
    let source = names.find(|name| unit.context.knowledge.files.is_cuda(name));
    let mut builders = known.builders.iter();
    let to = builders.find_map(|one| counterpart(unit, one));
    let callee = tree.callee(call);
    if let Some(((source, (to, _)), callee)) = source.zip(to).zip(callee) {
        let message = format!(
            "`{}` gets `{source}`, and adds none of torch_musa's headers and libraries, as its `{to}` does",
            known.host_builder
        );
        let code = Code {
            severity: Severity::Warning,
            ..LEFT_TO_BUILD
        };
        let help = format!(
            "write `{to}`, with a dictionary of flags by compiler; for another builder `include_paths(musa=True)` and `library_paths(musa=True)` of `{}` have the folders",
            known.home
        );
        unit.report(out, code, tree.range(callee), message, help);
    }
}

/// A host source that mcc has to compile.
struct HostSource {
    /// The string that names the source.
    literal: NodeId,
    /// Its path.
    path: String,
    /// The header that it reaches.
    header: String,
}

/// The host source that a literal names, one of those that a pattern names.
fn needs(
    unit: &ModuleView<'_>,
    literal: NodeId,
    known: &mut BTreeMap<usize, Option<String>>,
) -> Option<HostSource> {
    let table = &unit.context.knowledge.builds.extensions.host;
    let name = String::from_utf8(plain(unit, literal)?).ok()?;
    let name = name.trim_start_matches("./");
    let stem = table
        .endings
        .iter()
        .find_map(|ending| name.strip_suffix(ending.as_str()))?;
    if stem.is_empty() || name.contains(char::is_whitespace) {
        return None;
    }
    let folder = paths::folder(unit.path);
    let mut files = unit.modules.files_like(folder, name);
    if files.is_empty() && (!name.contains('*') || name.contains('/')) {
        files = unit.modules.files_like("", name);
    }
    let exact = format!("{folder}/{name}");
    // Of several files of one name, nobody knows which is meant.
    if !name.contains('*') && files.len() > 1 {
        files.retain(|(_, path)| *path == exact.trim_start_matches('/'));
    }
    files.into_iter().find_map(|(file, path)| {
        let header = known.entry(file).or_insert_with(|| {
            let mut headers = table.headers.iter();
            headers
                .find(|header| unit.modules.sees_header(file, header))
                .cloned()
        });
        let header = header.clone()?;
        Some(HostSource {
            literal,
            path: path.to_owned(),
            header,
        })
    })
}

/// `"cxx": ["force_mcc", …]`, or a finding.
fn force_mcc(unit: &PythonUnit<'_>, out: &mut Outcome, call: NodeId, found: &HostSource) {
    let known = &unit.context.knowledge.builds.extensions;
    let flag = format!("\"{}\"", known.host.flag);
    let place = place(unit, call, &flag);
    if let Some((at, text)) = place
        && unit.change(out, Change::new(TextRange::new(at, at), &text))
    {
        return;
    }
    report(unit, out, found);
}

fn report(unit: &PythonUnit<'_>, out: &mut Outcome, found: &HostSource) {
    let known = &unit.context.knowledge.builds.extensions;
    let HostSource { path, header, .. } = found;
    let message = format!("`{path}` includes `{header}`, which on MUSA only mcc compiles");
    let range = unit.module.tree.range(found.literal);
    unit.report(out, NEEDS_MCC, range, message, known.advice.host.clone());
}

/// Whether a part of a list, or of a list of arguments, is one of its items.
fn is_item(unit: &ModuleView<'_>, part: NodeId) -> bool {
    !matches!(unit.module.tree.kind(part), Kind::Operator | Kind::Comment)
}

/// The place for the flag, and the text to insert there.
fn place(unit: &ModuleView<'_>, call: NodeId, flag: &str) -> Option<(usize, String)> {
    let tree = &unit.module.tree;
    let known = &unit.context.knowledge.builds.extensions;
    let Some(argument) = argument(unit, call) else {
        let last = tree
            .arguments(call)
            .filter(|&one| is_item(unit, one))
            .last()?;
        if tree.kind(last) == Kind::DictionarySplat {
            return None;
        }
        let text = format!(", {}={{\"{}\": [{flag}]}}", known.arguments, known.host_key);
        return Some((tree.range(last).end, text));
    };
    if tree.kind(argument) != Kind::Dictionary {
        return None;
    }
    let is_hosts = |key: &NodeId| plain(unit, *key).is_some_and(|key| has(&known.host_keys, key));
    let Some(host) = tree.keys(argument).find(is_hosts) else {
        let first = tree.keys(argument).next()?;
        let text = format!("\"{}\": [{flag}], ", known.host_key);
        return Some((tree.range(first).start, text));
    };
    let value = tree.child(tree.parent(host)?, Field::Value)?;
    match tree.kind(value) {
        Kind::List => Some(match tree.children(value).find(|&one| is_item(unit, one)) {
            Some(first) => (tree.range(first).start, format!("{flag}, ")),
            None => (tree.range(value).start + 1, flag.to_owned()),
        }),
        Kind::Identifier | Kind::Binary => Some((tree.range(value).start, format!("[{flag}] + "))),
        _ => None,
    }
}
