//! Names by which projects detect the platform: `torch.version.cuda`, `torch.cuda.is_available()`.

use rustc_hash::FxHashSet;

use crate::Outcome;
use crate::python::run_texts::{is_called_command, is_run};
use crate::python::{ModuleView, PythonUnit, availability};
use torchada_diagnostic::KeptReason;
use torchada_diagnostic::codes::python::TELLS_PLATFORM;
use torchada_mapping::{PlatformName, PlatformReport, has};
use torchada_syntax::python::{Consumer, Field, Kind, Literal, NodeId};
use torchada_text::last_part;

/// Names that tell the platform.
pub fn check(unit: &PythonUnit<'_>, out: &mut Outcome) {
    let tree = &unit.module.tree;
    let platforms = unit.python_values().platforms.iter();
    let lasts: FxHashSet<&[u8]> = platforms
        .map(|one| last_part(&one.name).as_bytes())
        .collect();
    for node in tree.nodes() {
        let last = match tree.kind(node) {
            Kind::Attribute => tree.child(node, Field::Attribute),
            Kind::Identifier if tree.field(node) == Field::Function => Some(node),
            _ => None,
        };
        if last.is_some_and(|last| lasts.contains(tree.word(last))) {
            report_platform_name(unit, out, node);
        }
    }
}

/// Report the import of a name that projects tell the platform by, and that is never another one: `from torch.version import
/// cuda`. Returns whether it is one.
pub fn report_import(
    unit: &PythonUnit<'_>,
    out: &mut Outcome,
    imported: NodeId,
    name: &str,
) -> bool {
    let mut platforms = unit.python_values().platforms.iter();
    let platform = platforms.find(|one| one.report == PlatformReport::Always && one.name == name);
    if let Some(platform) = platform {
        let range = unit.module.tree.range(imported);
        let help = platform.advice.clone();
        unit.report(out, TELLS_PLATFORM, range, always_stays(platform), help);
    }
    platform.is_some()
}

/// The message about a platform's name that the port keeps in every context.
fn always_stays(platform: &PlatformName) -> String {
    format!(
        "`{}` stays: projects tell the platform by it",
        platform.name
    )
}

/// Whether the code tests whether a value is None: `value is None`, `not value`.
fn is_absent(unit: &ModuleView<'_>, node: NodeId) -> bool {
    let tree = &unit.module.tree;
    let Some(parent) = tree.parent(node) else {
        return false;
    };
    match tree.kind(parent) {
        Kind::Not => true,
        Kind::Comparison => {
            tree.compares_with_none(parent) && matches!(tree.operator(parent), b"is" | b"==")
        }
        _ => false,
    }
}

/// Whether the code looks in a text for one of those named: `"cu" in torch.__version__`.
fn is_searched(unit: &ModuleView<'_>, node: NodeId, texts: &[String]) -> bool {
    let tree = &unit.module.tree;
    let Some(comparison) = tree.parent(node) else {
        return false;
    };
    let searches = tree.operator(comparison).ends_with(b"in");
    let sought = tree
        .nth(comparison, 0)
        .and_then(|one| Literal::read(tree, one));
    searches && sought.is_some_and(|one| has(texts, one.value()))
}

/// Whether the value of a name becomes a part of a text for people, which says `None` on MUSA: `f"compiled for CUDA
/// {torch.version.cuda}"`.
fn is_shown_to_people(unit: &ModuleView<'_>, node: NodeId) -> bool {
    let tree = &unit.module.tree;
    let of = unit.module.use_of(node);
    let messages = &unit.python_values().words_of_calls.messages;
    let is_shown = |call: NodeId| has(messages, unit.module.callee_word(call));
    if of.consumer == Consumer::Message
        || of.steps.is_empty() && of.consumer.call().is_some_and(is_shown)
    {
        return true;
    }
    let hole = tree.parent_if(node, Kind::Interpolation);
    let text = hole.and_then(|hole| Literal::read(tree, tree.parent(hole)?));
    let has_words = text.is_some_and(|text| {
        let words = text.value().trim_ascii();
        words.iter().any(u8::is_ascii_whitespace)
    });
    has_words && !is_run(unit, &of) && !is_called_command(unit, &of)
}

fn report_platform_name(unit: &PythonUnit<'_>, out: &mut Outcome, node: NodeId) {
    if unit.is_claimed(out, node) {
        return;
    }
    let Some(name) = unit.resolve(node) else {
        return;
    };
    let Some(platform) = unit
        .python_values()
        .platforms
        .iter()
        .find(|one| one.name == name.name)
    else {
        return;
    };
    let message = match platform.report {
        PlatformReport::Always if is_shown_to_people(unit, node) => {
            unit.claim(out, node);
            return out.keep(unit.module.tree.range(node), KeptReason::Prose);
        }
        PlatformReport::Always => always_stays(platform),
        PlatformReport::WhenAbsent if is_absent(unit, node) => {
            format!("`{}` is None on MUSA, as on CUDA", platform.name)
        }
        PlatformReport::BesideOthers
            if availability::beside_others::separates_platforms(unit, node)
                && !availability::is_for_builder(unit, node) =>
        {
            format!(
                "`{}` stays: another platform is asked for beside it",
                platform.name
            )
        }
        PlatformReport::Searched if is_searched(unit, node, &platform.texts) => {
            format!("`{}` names CUDA on no machine of MUSA's", platform.name)
        }
        PlatformReport::Denies => format!("`{}` is false on MUSA", platform.name),
        // Numbers are looked at where they are compared.
        PlatformReport::WhenAbsent
        | PlatformReport::BesideOthers
        | PlatformReport::Numbers
        | PlatformReport::Searched => return,
    };
    let finding = availability::finding_on_kept_question(unit, node, message);
    out.report(finding.help(platform.advice.clone()));
    unit.claim(out, node);
}
