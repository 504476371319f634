//! Flags, lists of sources and keywords for CUDA in a module that builds extensions: the port of the build changes
//! them, together.

use std::collections::BTreeSet;

use super::extensions::{LEFT_TO_BUILD, has_word, is_builder};
use super::unit::contains;
use super::{PythonRule, PythonUnit};
use crate::diagnostic::Code;
use crate::rules::Outcome;
use crate::syntax::python::{Field, Kind, Literal, NodeId};
use crate::text::TextRange;

/// What is given to builders of extensions.
pub struct BuildFlags;

impl PythonRule for BuildFlags {
    fn name(&self) -> &'static str {
        "python-build-flags"
    }

    fn codes(&self) -> &'static [Code] {
        &[]
    }

    fn check(&self, unit: &PythonUnit<'_>, out: &mut Outcome) {
        let tree = &unit.module.tree;
        let builds = &unit.positions().builds;
        let is_named = |module: &String| contains(unit.text, module.as_bytes());
        if !builds.modules.iter().any(is_named) {
            return;
        }
        let mut said: BTreeSet<TextRange> = BTreeSet::new();
        for node in tree.nodes() {
            let found = match tree.kind(node) {
                Kind::Str => flag(unit, out, node),
                Kind::KeywordArgument => keyword(unit, node),
                _ => None,
            };
            let Some((range, what)) = found else { continue };
            if said.insert(range) {
                let message =
                    format!("{what} for CUDA stay: they are left to the port of the build");
                let finding = unit.finding(LEFT_TO_BUILD, range, message);
                out.findings.push(finding.help(builds.advice_flags.clone()));
            }
        }
    }
}

/// `-U__CUDA_NO_HALF_OPERATORS__`, with the list that it stands in; `{"nvcc": …}`.
fn flag(unit: &PythonUnit<'_>, out: &Outcome, node: NodeId) -> Option<(TextRange, &'static str)> {
    let tree = &unit.module.tree;
    let range = tree.range(node);
    let literal = Literal::read(tree, node)?;
    let builds = &unit.positions().builds;
    let up = tree.parent(node)?;
    let whole = match tree.kind(up) {
        Kind::List | Kind::Tuple => tree.range(up),
        _ => range,
    };
    let mut endings = builds.sources.iter();
    if endings.any(|ending| literal.value().ends_with(ending.as_bytes())) {
        return (whole != range).then_some((whole, "sources"));
    }
    if out.is_claimed_at(range.start) || !has_word(unit, literal.value()) {
        return None;
    }
    if tree.kind(up) == Kind::Pair && tree.field(node) == Field::Key {
        let mut compilers = builds.compilers.iter();
        let is_compiler = compilers.any(|one| one.as_bytes() == literal.value());
        return is_compiler.then_some((range, "flags"));
    }
    let is_flag = literal.value().starts_with(b"-");
    is_flag.then_some((whole, "flags"))
}

/// `load(extra_cuda_cflags=…)`
fn keyword(unit: &PythonUnit<'_>, node: NodeId) -> Option<(TextRange, &'static str)> {
    let tree = &unit.module.tree;
    let name = tree.child(node, Field::Name)?;
    if !has_word(unit, tree.word(name)) {
        return None;
    }
    let call = tree.parent(node).and_then(|list| tree.parent(list))?;
    let callee = tree.child(call, Field::Function)?;
    let callee = unit.resolve(callee)?;
    is_builder(unit, &callee.name).then(|| (tree.range(name), "arguments"))
}
