//! What is said of flags and libraries that go, and of those that stay.

use super::options::{Gone, Why};
use crate::diagnostic::{Code, Severity};
use crate::rules::Outcome;
use crate::rules::python::PythonUnit;
use crate::syntax::python::NodeId;
use crate::text::TextRange;

/// Flags that go, because mcc does without them.
pub const NEEDLESS: Code = Code {
    id: "PY093",
    severity: Severity::Note,
    title: "options of nvcc that mcc does without are left out",
};

/// Flags that go, although nobody knows what mcc has in their place.
pub const LEFT_OUT: Code = Code {
    id: "PY094",
    severity: Severity::Warning,
    title: "options of nvcc without a known counterpart are left out",
};

/// A flag or a library that stays.
pub const STAYS: Code = Code {
    id: "PY095",
    severity: Severity::Warning,
    title: "an option or a library of CUDA's stays in a build",
};

/// A flag or a library that stays, because nobody knows better.
pub(super) fn stays(
    unit: &PythonUnit<'_>,
    out: &mut Outcome,
    item: NodeId,
    shown: &str,
    advice: Option<String>,
) {
    let known = &unit.context.knowledge.builds.extensions.advice;
    let message = format!("`{shown}` stays: it has no known counterpart on MUSA");
    let finding = unit.finding(STAYS, unit.module.tree.range(item), message);
    let advice = advice.unwrap_or_else(|| known.library.clone());
    out.findings.push(finding.help(advice));
}

/// Take back what was said of a stretch that goes: of the architectures in `-gencode=arch=compute_80`.
pub(super) fn silence(out: &mut Outcome, gone: TextRange) {
    out.findings.retain(|one| !gone.covers(one.range));
    out.kept.retain(|one| !gone.covers(one.range));
}

/// One finding for each reason, at the first of what went.
pub(super) fn say(unit: &PythonUnit<'_>, out: &mut Outcome, gone: &[(TextRange, Gone)]) {
    let known = &unit.context.knowledge.builds.extensions.advice;
    for why in [Why::Architecture, Why::Needless, Why::Unknown] {
        let mut of = gone.iter().filter(|(_, one)| one.why == why).peekable();
        let Some(&&(range, _)) = of.peek() else {
            continue;
        };
        let mut names: Vec<String> = Vec::new();
        let mut advice: Vec<&str> = Vec::new();
        for (_, one) in of {
            let shown = format!("`{}`", one.shown);
            if !names.contains(&shown) {
                names.push(shown);
            }
            if let Some(text) = one.advice.as_deref()
                && !advice.contains(&text)
            {
                advice.push(text);
            }
        }
        let names = names.join(", ");
        let (code, message) = match why {
            Why::Architecture if unit.settings.targets.is_empty() => (
                NEEDLESS,
                format!("{names} left out: they name CUDA's architectures"),
            ),
            Why::Architecture => (
                NEEDLESS,
                format!(
                    "{names} left out: the port is for {}",
                    unit.settings.targets.join(" and ")
                ),
            ),
            Why::Needless | Why::HandedOn => (
                NEEDLESS,
                format!("{names} left out: MUSA's build does without"),
            ),
            Why::Unknown => (
                LEFT_OUT,
                format!("{names} left out: no counterpart of mcc's is known"),
            ),
        };
        let help = match why {
            Why::Architecture => known.targets.clone(),
            _ if advice.is_empty() => known.unknown.clone(),
            _ => advice.join(" "),
        };
        out.findings
            .push(unit.finding(code, range, message).help(help));
    }
}
