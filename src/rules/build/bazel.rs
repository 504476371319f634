//! Bazel's files: rules and repositories for CUDA, which have no public counterpart.

use super::BuildUnit;
use super::grouped_findings::GroupedFindings;
use crate::Outcome;
use torchada_diagnostic::KeptReason;
use torchada_diagnostic::codes::build::BAZEL;
use torchada_mapping::files::BuildLanguage;
use torchada_mapping::has;
use torchada_syntax::is_identifier_part;
use torchada_text::TextRange;

/// Rules of Bazel's.
pub fn check(unit: &BuildUnit<'_>, out: &mut Outcome) {
    if unit.language != BuildLanguage::Bazel {
        return;
    }
    let mut findings = GroupedFindings::new(unit, out);
    let known = &unit.context.knowledge.builds.scripts.bazel;
    let mut start = 0;
    for word in unit.text.split(|&byte| !is_identifier_part(byte)) {
        let range = TextRange::new(start, start + word.len());
        start = range.end + 1;
        let is_known = has(&known.rules, word);
        if is_known && !unit.is_comment(range.start) {
            findings.report(BAZEL, range, &known.advice);
        }
    }
    findings.keep_words(
        TextRange::new(0, unit.text.len()),
        KeptReason::ProjectDeclared,
    );
    findings.finish();
}
