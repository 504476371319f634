//! Taking back what rules said of a stretch of code that stays.

use super::builds::BUILDER_NAMES;
use crate::diagnostic::{Code, Finding, Kept, KeptReason};
use crate::edit::GroupId;
use crate::rules::Outcome;
use crate::text::TextRange;

/// Withdraw all edits and findings of a stretch.
pub(super) fn take_back(out: &mut Outcome, stretch: TextRange, reason: KeptReason) {
    take(out, stretch, reason, &[]);
}

/// The same, but for findings of some codes.
pub(super) fn take_back_except(
    out: &mut Outcome,
    stretch: TextRange,
    reason: KeptReason,
    codes: &[Code],
) {
    take(out, stretch, reason, codes);
}

/// The builder that a module imports is renamed wherever it is used, in branches for other platforms, too.
pub(super) fn stays_renamed(rule: &str, reason: KeptReason) -> bool {
    rule == BUILDER_NAMES && reason == KeptReason::VendorBranch
}

pub(super) fn take(out: &mut Outcome, stretch: TextRange, reason: KeptReason, except: &[Code]) {
    let groups: Vec<GroupId> = out
        .edits
        .within(stretch)
        .filter(|edit| !stays_renamed(edit.rule, reason))
        .map(|edit| edit.group)
        .collect();
    for group in groups {
        for edit in out.edits.withdraw(group) {
            let range = edit.range;
            out.kept.push(Kept { range, reason });
        }
    }
    let taken = |finding: &Finding| {
        stretch.covers(finding.range) && except.iter().all(|code| finding.code.id != code.id)
    };
    for finding in &out.findings {
        if taken(finding) {
            let range = finding.range;
            out.kept.push(Kept { range, reason });
        }
    }
    out.findings.retain(|finding| !taken(finding));
}
