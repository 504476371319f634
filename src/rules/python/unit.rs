//! The view that a rule for Python has of the module, and how it edits and reports.

use super::module_view::ModuleView;
use crate::{Outcome, Unit};
use torchada_diagnostic::Applicability;
use torchada_diagnostic::codes::python::TOO_WEAK;
use torchada_edit::{Edit, GroupId};
use torchada_mapping::Evidence;
use torchada_syntax::python::NodeId;
use torchada_text::TextRange;

/// A module of Python that the rules look at.
pub type PythonUnit<'a> = Unit<'a, ModuleView<'a>>;

/// An edit that a rule wants.
pub struct Change<'r> {
    /// The range that is replaced.
    pub range: TextRange,
    /// The text that replaces the range.
    pub to: &'r str,
    /// The rule's name.
    pub rule: &'static str,
    /// Whether the edit surely keeps the meaning.
    pub applicability: Applicability,
    /// The evidence for the counterpart.
    pub evidence: Option<Evidence>,
}

impl<'r> Change<'r> {
    /// A change that surely keeps the meaning, to a text that no table has.
    pub fn safe(range: TextRange, to: &'r str, rule: &'static str) -> Self {
        Self {
            range,
            to,
            rule,
            applicability: Applicability::Safe,
            evidence: None,
        }
    }
}

impl PythonUnit<'_> {
    /// Whether code would be looked at if it were a module of the tree.
    pub fn may_matter(&self, code: &[u8]) -> bool {
        let entry_words = &self.project.python_entry_words;
        self.context.python_may_matter(code, entry_words)
    }

    /// Replace a range. Returns whether the edit was taken: another rule may have been first.
    pub fn change(&self, out: &mut Outcome, change: &Change<'_>) -> bool {
        let group = out.group();
        self.change_in(out, change, group)
    }

    /// Replace a range, in a group of edits that are made together or not at all.
    pub fn change_in(&self, out: &mut Outcome, change: &Change<'_>, group: GroupId) -> bool {
        let weak = change
            .evidence
            .filter(|&evidence| evidence > self.settings.min_evidence);
        if let Some(evidence) = weak {
            let message = format!(
                "`{}` stays and does not become `{}`, which has only the evidence `{}`",
                self.shown(change.range),
                change.to,
                evidence.as_str()
            );
            out.findings
                .push(self.finding(TOO_WEAK, change.range, message));
            return false;
        }
        let edit = Edit {
            applicability: change.applicability,
            ..Edit::rewrite(change.range, change.to, change.rule, change.evidence, group)
        };
        self.insert(out, edit)
    }

    /// Replace a range by a text that surely means the same, in a group of edits that are made together or not at
    /// all. A range that has this text already is left.
    pub fn rewrite(
        &self,
        out: &mut Outcome,
        range: TextRange,
        to: &str,
        rule: &'static str,
        evidence: Option<Evidence>,
        group: GroupId,
    ) {
        if range.of(self.text) == to.as_bytes() {
            return;
        }
        let change = Change {
            range,
            to,
            rule,
            applicability: Applicability::Safe,
            evidence,
        };
        self.change_in(out, &change, group);
    }

    /// Whether a rule writes something at a node.
    pub fn is_edited(&self, out: &Outcome, node: NodeId) -> bool {
        let range = self.module.tree.range(node);
        out.edits.touches(range)
    }

    /// Whether a rule has claimed a node.
    pub fn is_claimed(&self, out: &Outcome, node: NodeId) -> bool {
        out.is_claimed_at(self.module.tree.range(node).start)
    }

    /// Claim a node, so that no later rule looks at it.
    pub fn claim(&self, out: &mut Outcome, node: NodeId) {
        out.claim_at(self.module.tree.range(node).start);
    }
}
