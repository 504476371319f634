//! Findings about flags and libraries: about those that a port removes, and about those that stay.

use crate::Outcome;
use crate::flags::{FlagAction, LeftOut, Loss, Obstacle, Translation};
use crate::python::PythonUnit;
use torchada_diagnostic::codes::python::TOO_WEAK;
use torchada_diagnostic::codes::python::{LEFT_OUT, NEEDLESS, STAYS};
use torchada_syntax::python::NodeId;
use torchada_text::TextRange;

/// Report a flag or a library that stays.
pub(super) fn report_kept(
    unit: &PythonUnit<'_>,
    out: &mut Outcome,
    item: NodeId,
    found: &Translation,
) {
    let range = unit.module.tree.range(item);
    // A finding inside this option, such as one about its architecture, is more exact than this one.
    if out.findings.iter().any(|one| one.range.overlaps(range)) {
        return;
    }
    let shown = &found.shown;
    let (code, why) = match found.action {
        FlagAction::Remains(Obstacle::WithoutValue) => {
            (STAYS, "its value stands elsewhere".to_owned())
        }
        FlagAction::Remains(Obstacle::TooWeak(evidence)) => {
            let evidence = evidence.as_str();
            (
                TOO_WEAK,
                format!("what is known of it has only the evidence `{evidence}`"),
            )
        }
        FlagAction::Remains(Obstacle::WithoutCounterpart) => {
            (STAYS, "it has no known counterpart on MUSA".to_owned())
        }
        FlagAction::Remains(Obstacle::ChoosesOutput) => {
            (STAYS, "it says what nvcc makes".to_owned())
        }
        _ => (STAYS, "it can't be taken out here".to_owned()),
    };
    let finding = unit.finding(code, range, format!("`{shown}` stays: {why}"));
    let advice = found.advice.clone();
    let advice = advice.unwrap_or_else(|| {
        unit.context
            .knowledge
            .builds
            .extensions
            .advice
            .library
            .clone()
    });
    out.report(finding.help(advice));
}

/// Take back the findings about a stretch that is removed, such as those about the architectures in
/// `-gencode=arch=compute_80`.
pub(super) fn drop_findings_in(out: &mut Outcome, gone: TextRange) {
    out.findings.retain(|one| !gone.covers(one.range));
    out.kept.retain(|one| !gone.covers(one.range));
}

/// One finding for each reason, at the first of what went.
pub(super) fn report_left_out(
    unit: &PythonUnit<'_>,
    out: &mut Outcome,
    gone: &[(TextRange, LeftOut)],
) {
    let known = &unit.context.knowledge.builds.extensions.advice;
    for loss in [Loss::Gpus, Loss::Needless, Loss::Unknown] {
        let mut of = gone.iter().filter(|(_, one)| one.loss == loss).peekable();
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
        let (code, message) = match loss {
            Loss::Gpus if unit.settings.targets.is_empty() => (
                NEEDLESS,
                format!("{names} left out: they name CUDA's architectures"),
            ),
            Loss::Gpus => (
                NEEDLESS,
                format!(
                    "{names} left out: the port is for {}",
                    unit.settings.targets.join(" and ")
                ),
            ),
            Loss::Needless => (
                NEEDLESS,
                format!("{names} left out: MUSA's build does without"),
            ),
            Loss::Unknown => (
                LEFT_OUT,
                format!("{names} left out: no counterpart of mcc's is known"),
            ),
        };
        let help = match loss {
            Loss::Gpus => known.targets.clone(),
            _ if advice.is_empty() => known.unknown.clone(),
            _ => advice.join(" "),
        };
        unit.report(out, code, range, message, help);
    }
}
