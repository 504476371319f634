//! Arguments for builders of extensions that are for CUDA and that no other rule changed: flags in lists whose use is
//! unknown, sources that keep CUDA's ending.

use std::collections::BTreeSet;

use super::extensions::{has_word_of_builds, is_builder};
use super::is_done;
use crate::Outcome;
use crate::python::{ModuleView, PythonUnit};
use torchada_diagnostic::KeptReason;
use torchada_diagnostic::codes::python::LEFT_TO_BUILD;
use torchada_mapping::{Section, has};
use torchada_syntax::python::{Field, Kind, Literal, NodeId};
use torchada_text::TextRange;

/// Reports arguments for CUDA that builders of extensions still have.
pub fn check(unit: &PythonUnit<'_>, out: &mut Outcome) {
    let tree = &unit.module.tree;
    let builds = &unit.python_values().builds;
    let is_named = |module: &String| unit.contains(module);
    if !builds.modules.iter().any(is_named) {
        return;
    }
    let done = unit.is_musa() && is_done(unit);
    let renamed: BTreeSet<usize> = unit
        .modules
        .renamed_mentions()
        .into_iter()
        .map(|(range, _)| range.end)
        .collect();
    let mut reported: BTreeSet<TextRange> = BTreeSet::new();
    for node in tree.nodes() {
        let found = match tree.kind(node) {
            Kind::Str => argument_for_cuda(unit, out, node, &renamed),
            Kind::KeywordArgument => keyword(unit, out, node),
            _ => None,
        };
        let Some((range, what)) = found else { continue };
        if !reported.insert(range) {
            continue;
        }
        let reason = if done {
            Some(KeptReason::MusaBranch)
        } else {
            // The package ports the sources, and translates the flags, where they are built.
            (!unit.is_musa() && unit.imports_stub()).then_some(KeptReason::AtRunTime)
        };
        if let Some(reason) = reason {
            out.keep(range, reason);
            continue;
        }
        let message = format!("{what} for CUDA stay: they are left to the port of the build");
        let advice = match what {
            "sources" => &unit.context.knowledge.builds.extensions.advice.sources,
            _ => &builds.advice_flags,
        };
        unit.report(out, LEFT_TO_BUILD, range, message, advice.clone());
    }
}

/// `-U__CUDA_NO_HALF_OPERATORS__`, with the list that it stands in; `"kernel.cu"`; `{"nvcc": …}`.
fn argument_for_cuda(
    unit: &PythonUnit<'_>,
    out: &Outcome,
    node: NodeId,
    renamed: &BTreeSet<usize>,
) -> Option<(TextRange, &'static str)> {
    let tree = &unit.module.tree;
    let range = tree.range(node);
    let literal = Literal::read(tree, node)?;
    let builds = &unit.python_values().builds;
    let up = tree.parent(node)?;
    let whole = match tree.kind(up) {
        Kind::List | Kind::Tuple => tree.range(up),
        _ => range,
    };
    let mut endings = builds.sources.iter();
    if let Some(ending) = endings.find(|ending| literal.value().ends_with(ending.as_bytes())) {
        // The front may have places for values: `f"{folder}/kernel.cu"`.
        let len = literal.value().len();
        let end = literal.in_file(TextRange::new(len - ending.len(), len));
        let follows = end.is_some_and(|end| renamed.contains(&end.end));
        return (whole != range && !follows).then_some((whole, "sources"));
    }
    if out.is_claimed_at(range.start) {
        return None;
    }
    if tree.kind(up) == Kind::Pair && tree.field(node) == Field::Key {
        let is_compiler = has(&builds.compilers, literal.value());
        return is_compiler.then_some((range, "flags"));
    }
    let is_one = is_flag(unit, literal.value()) && !is_hosts_architecture(unit, &literal);
    is_one.then_some((whole, "flags"))
}

/// Whether a host's architecture stands behind an option, so that it is none of nvcc's: `["-arch", "arm64"]`.
fn is_hosts_architecture(unit: &PythonUnit<'_>, option: &Literal) -> bool {
    let tree = &unit.module.tree;
    let known = &unit.python_values().builds.host_architectures;
    let up = tree.parent(option.node);
    let next = up.and_then(|up| tree.nth(up, tree.ordinal(option.node) + 1));
    let next = next.and_then(|next| Literal::read(tree, next));
    next.is_some_and(|next| has(known, next.value()))
}

/// Whether an option has a value behind it where nvcc's of that name takes none: `-G Ninja` is `CMake`'s.
fn is_with_value(unit: &ModuleView<'_>, name: &[u8], value: &[u8]) -> bool {
    let next = value
        .get(name.len()..)
        .and_then(|rest| rest.strip_prefix(b" "));
    let next = next.map(<[u8]>::trim_ascii_start).and_then(<[u8]>::first);
    let takes = |name| unit.context.knowledge.builds.flags.takes_value(name);
    let takes = std::str::from_utf8(name).is_ok_and(takes);
    name.len() == 2 && !takes && next.is_some_and(|&first| first != b'-')
}

/// Whether a text is an option of nvcc's, or defines a macro of CUDA's.
fn is_flag(unit: &ModuleView<'_>, value: &[u8]) -> bool {
    let end = value.iter().position(|byte| matches!(byte, b'=' | b' '));
    let name = value.get(..end.unwrap_or(value.len())).unwrap_or_default();
    if is_with_value(unit, name, value) {
        return false;
    }
    if has(&unit.context.knowledge.builds.flags.asking, value) {
        return false;
    }
    let is_in = |section, word: &[u8]| unit.context.row(section, word).is_some();
    let defines = name.starts_with(b"-D") || name.starts_with(b"-U");
    name.starts_with(b"-") && (is_in(Section::Flags, value) || is_in(Section::Flags, name))
        || defines
            && name
                .get(2..)
                .is_some_and(|name| is_in(Section::Names, name))
}

/// `load(extra_cuda_cflags=…)`
fn keyword(
    unit: &PythonUnit<'_>,
    out: &Outcome,
    node: NodeId,
) -> Option<(TextRange, &'static str)> {
    let tree = &unit.module.tree;
    let name = tree.child(node, Field::Name)?;
    let range = tree.range(name);
    let changed = out.edits.within(range).any(|edit| edit.range == range);
    if changed || !has_word_of_builds(unit, tree.word(name)) {
        return None;
    }
    let callee = unit.callee_name(tree.call_with(node)?)?;
    is_builder(unit, &callee.name).then_some((range, "arguments"))
}
