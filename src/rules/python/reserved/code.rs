//! A stretch of code that stays as it is, and how it is kept.

use crate::Outcome;
use crate::python::builds::BUILDER_NAMES;
use torchada_diagnostic::{Code, Finding, Kept, KeptReason};
use torchada_edit::GroupId;
use torchada_text::TextRange;

/// A stretch of code that stays.
pub struct Reserved {
    /// The stretch.
    pub range: TextRange,
    /// What changes all the same, inside of it.
    pub without: Vec<TextRange>,
    /// Why it stays.
    pub reason: KeptReason,
    /// Codes of findings that hold there all the same.
    pub except: &'static [Code],
    /// When the stretch is looked at.
    pub when: ReserveTrigger,
    /// Whether a builder of extensions stays in it, too, which a module's branches have renamed.
    pub with_builders: bool,
    /// The finding about the code, if there is one.
    pub finding: Option<Finding>,
}

/// When a stretch of reserved code is looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReserveTrigger {
    /// Whatever the rules say of it.
    Always,
    /// If the rules want to change something there.
    IfEdited,
    /// If the rules want to change or report something there.
    IfTouched,
}

impl Reserved {
    /// Whether the stretch has a range that stays with it.
    fn covers(&self, range: TextRange) -> bool {
        self.range.covers(range) && !self.without.iter().any(|one| one.covers(range))
    }

    /// A stretch that stays without a word of its own.
    pub fn silent(range: TextRange, reason: KeptReason) -> Self {
        Self {
            range,
            without: Vec::new(),
            reason,
            except: &[],
            when: ReserveTrigger::Always,
            with_builders: false,
            finding: None,
        }
    }
}

/// Leave reserved code as it is: what the rules say of it becomes a note of why it stays.
pub fn keep(reserved: Vec<Reserved>, out: &mut Outcome) {
    for one in reserved {
        let is_edited = || {
            let mut edits = out.edits.within(one.range);
            edits.any(|edit| one.covers(edit.range))
        };
        let is_reported = || out.findings.iter().any(|it| one.covers(it.range));
        let is_wanted = match one.when {
            ReserveTrigger::Always => true,
            ReserveTrigger::IfEdited => is_edited(),
            ReserveTrigger::IfTouched => is_edited() || is_reported(),
        };
        if is_wanted {
            keep_one(&one, out);
            out.findings.extend(one.finding);
        }
    }
}

/// Keep the code of one stretch as it is.
fn keep_one(reserved: &Reserved, out: &mut Outcome) {
    let Reserved { range, reason, .. } = *reserved;
    // The builder that a module imports is renamed wherever it is used, in branches for other platforms, too.
    let is_renamed = |rule: &str| {
        rule == BUILDER_NAMES && reason == KeptReason::VendorBranch && !reserved.with_builders
    };
    let groups: Vec<GroupId> = out
        .edits
        .within(range)
        .filter(|edit| reserved.covers(edit.range) && !is_renamed(edit.rule))
        .map(|edit| edit.group)
        .collect();
    for group in groups {
        for edit in out.edits.withdraw(group) {
            let range = edit.range;
            out.keep(range, reason);
        }
    }
    let stays = |finding: &mut Finding| {
        let is_excepted = reserved
            .except
            .iter()
            .any(|code| code.id == finding.code.id);
        reserved.covers(finding.range) && !is_excepted
    };
    for finding in out.findings.extract_if(.., stays) {
        let range = finding.range;
        out.kept.push(Kept { range, reason });
    }
}
