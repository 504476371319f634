//! Options of nvcc and definitions for `CMake` in strings that no other rule could connect with a compiler.

use std::collections::BTreeSet;

use super::flag_edits::text;
use crate::Outcome;
use crate::build::CMAKE_OPTION_ADVICE;
use crate::flags::{FlagAction, Translator};
use crate::python::inference::{StringRole, string_role};
use crate::python::{ModuleView, PythonUnit};
use torchada_diagnostic::codes::python::STAYS;
use torchada_mapping::starts_with_one;
use torchada_syntax::python::{Kind, Literal, NodeId};
use torchada_text::Spans;

/// Options that are left.
pub fn check(unit: &PythonUnit<'_>, out: &mut Outcome) {
    if super::is_done(unit) {
        return;
    }
    let advice = &unit.context.knowledge.builds.extensions.advice.left;
    report(unit, out, nvccs_option, "for nvcc", advice);
    report(unit, out, cmakes_option, "for CMake", CMAKE_OPTION_ADVICE);
}

/// Report all options of a kind that strings begin with and that no rule spoke of, at the place of the first.
fn report(
    unit: &PythonUnit<'_>,
    out: &mut Outcome,
    option: fn(&ModuleView<'_>, NodeId) -> Option<String>,
    what: &str,
    advice: &str,
) {
    let tree = &unit.module.tree;
    let mut first = None;
    let mut shown = BTreeSet::new();
    let mut spoken_of: Option<Spans> = None;
    for &node in unit.module.strings() {
        if tree.kind(node) != Kind::Str || !begins_option(unit, node) {
            continue;
        }
        let Some(option) = option(unit, node) else {
            continue;
        };
        let range = tree.range(node);
        let spoken_of = spoken_of.get_or_insert_with(|| {
            let findings = out.findings.iter().map(|one| one.range);
            let mut spans = Spans::default();
            spans.extend(findings.chain(out.kept.iter().map(|one| one.range)));
            spans
        });
        let is_covered = unit.is_claimed(out, node)
            || unit.is_edited(out, node)
            || spoken_of.overlaps(range)
            || string_role(unit, &unit.module.use_of(node)) == StringRole::Text;
        if is_covered {
            continue;
        }
        unit.claim(out, node);
        first.get_or_insert(range);
        shown.insert(format!("`{option}`"));
    }
    if let Some(range) = first {
        let stay = if shown.len() == 1 { "stays" } else { "stay" };
        let shown: Vec<String> = shown.into_iter().collect();
        let message = format!("{} {stay}, {what}", shown.join(", "));
        unit.report(out, STAYS, range, message, advice.to_owned());
    }
}

/// Whether a string begins with a dash. Few do, and only these are taken apart.
fn begins_option(unit: &ModuleView<'_>, node: NodeId) -> bool {
    let written = unit.module.tree.word(node);
    let mut inside = written
        .iter()
        .skip_while(|&&byte| !matches!(byte, b'"' | b'\''))
        .skip_while(|&&byte| matches!(byte, b'"' | b'\''));
    inside.next() == Some(&b'-')
}

/// The definition for `CMake` that a literal begins with: `f"-DCMAKE_CUDA_COMPILER={path}"`. Others may define macros of
/// the code's.
fn cmakes_option(unit: &ModuleView<'_>, node: NodeId) -> Option<String> {
    let literal = Literal::read(&unit.module.tree, node)?;
    let name = literal.value().strip_prefix(b"-D")?;
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let len = name.iter().take_while(|byte| is_part(byte)).count();
    let name = String::from_utf8_lossy(name.get(..len)?);
    let known = &unit.context.knowledge.builds.cmake;
    let is_cmakes = starts_with_one(name.as_bytes(), &known.language_fronts)
        || known.variables.contains_key(&*name);
    is_cmakes.then(|| format!("-D{name}"))
}

/// The option of nvcc's that a literal begins with; not one that other programs have, too.
fn nvccs_option(unit: &ModuleView<'_>, node: NodeId) -> Option<String> {
    let text = text(unit, node).filter(|text| text.starts_with('-'))?;
    let words: Vec<&str> = text.split_whitespace().collect();
    let found = Translator::new(unit.context, unit.settings).translate(&words);
    let is_nvccs = found.action != FlagAction::Stays && !found.is_shared;
    is_nvccs.then(|| words.first().copied().unwrap_or_default().to_owned())
}
