//! Options of nvcc in strings that the other rules could not connect with a compiler.

use std::collections::BTreeSet;

use super::diagnostics::STAYS;
use super::flag_edits::text;
use crate::flags::{FlagAction, Translator};
use crate::python::inference::{StringRole, string_role};
use crate::python::{ModuleView, PythonUnit};
use crate::{Outcome, Rule};
use torchada_diagnostic::Code;
use torchada_syntax::python::{Kind, NodeId};

/// Options that are left.
pub struct LeftOptions;

impl Rule<PythonUnit<'_>> for LeftOptions {
    fn name(&self) -> &'static str {
        "python-left-options"
    }

    fn codes(&self) -> &'static [Code] {
        &[STAYS]
    }

    fn check(&self, unit: &PythonUnit<'_>, out: &mut Outcome) {
        if !unit.is_musa() || super::is_done(unit) {
            return;
        }
        let tree = &unit.module.tree;
        let mut first = None;
        let mut shown = BTreeSet::new();
        for &node in unit.module.strings() {
            if tree.kind(node) != Kind::Str {
                continue;
            }
            let Some(option) = option(unit, node) else {
                continue;
            };
            let range = tree.range(node);
            let is_covered = unit.is_claimed(out, node)
                || unit.is_edited(out, node)
                || out.findings.iter().any(|one| one.range.overlaps(range))
                || out.kept.iter().any(|one| one.range.overlaps(range))
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
            let message = format!("{} {stay}, for nvcc", shown.join(", "));
            let advice = unit.context.knowledge.builds.extensions.advice.left.clone();
            out.findings
                .push(unit.finding(STAYS, range, message).help(advice));
        }
    }
}

/// The option of nvcc's that a literal begins with; not one that other programs have, too.
fn option(unit: &ModuleView<'_>, node: NodeId) -> Option<String> {
    // Few strings begin so, and only these are taken apart.
    let written = unit.module.tree.word(node);
    let mut inside = written
        .iter()
        .skip_while(|&&byte| !matches!(byte, b'"' | b'\''))
        .skip_while(|&&byte| matches!(byte, b'"' | b'\''));
    inside.next().filter(|&&byte| byte == b'-')?;
    let text = text(unit, node).filter(|text| text.starts_with('-'))?;
    let words: Vec<&str> = text.split_whitespace().collect();
    let found = Translator::new(unit.context, unit.settings).translate(&words);
    let is_nvccs = found.action != FlagAction::Stays && !found.is_shared;
    is_nvccs.then(|| words.first().copied().unwrap_or_default().to_owned())
}
