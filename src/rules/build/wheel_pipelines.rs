//! Tables of `pyproject.toml` that say how wheels are built on other machines, such as those of cibuildwheel.

use super::BuildUnit;
use super::grouped_findings::GroupedFindings;
use torchada_diagnostic::codes::build::PIPELINE;
use torchada_text::{TextRange, is_within};

/// Report what in such tables is set up for CUDA, by the keys of the lines.
pub(super) fn report(unit: &BuildUnit<'_>, findings: &mut GroupedFindings<'_>) {
    let advice = &unit.context.knowledge.builds.scripts.pipelines.advice;
    let mut is_inside = false;
    let mut start = 0;
    for line in unit.text.split_inclusive(|&byte| byte == b'\n') {
        let shown = line.trim_ascii();
        let at = start + line.len() - line.trim_ascii_start().len();
        let range = TextRange::new(at, at + shown.len());
        start += line.len();
        if shown.starts_with(b"[") && shown.ends_with(b"]") {
            let name = unit.shown(range);
            let name = name.trim_matches(['[', ']', ' ']);
            is_inside = is_one(unit, name);
        }
        let is_meant = is_inside && !shown.starts_with(b"#") && findings.is_cudas(range);
        if is_meant && !findings.is_handled(range) {
            let line = unit.shown(range);
            let key = line.split('=').next().unwrap_or_default();
            let key = key.trim_matches(|one: char| one.is_whitespace() || "\"',".contains(one));
            findings.report_as(PIPELINE, range, format!("`{key}`"), advice);
        }
    }
}

/// Whether a table says how wheels are built.
pub(super) fn is_one(unit: &BuildUnit<'_>, table: &str) -> bool {
    let mut tables = unit
        .context
        .knowledge
        .builds
        .scripts
        .pipelines
        .tables
        .iter();
    tables.any(|one| is_within(table, one))
}
