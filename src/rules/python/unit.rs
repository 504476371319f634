//! The view that a rule for Python has of the module, and how it edits and reports.

use super::module_view::ModuleView;
use crate::{Change, Outcome, Rule, Unit};
use torchada_diagnostic::codes::python::TOO_WEAK;
use torchada_syntax::python::NodeId;
use torchada_text::TextRange;

/// A module of Python that the rules look at.
pub type PythonUnit<'a> = Unit<'a, ModuleView<'a>>;

/// A rule for such modules.
pub type PythonRule = Rule<fn(&PythonUnit<'_>, &mut Outcome)>;

impl PythonUnit<'_> {
    /// Whether code would be looked at if it were a module of the tree.
    pub fn may_matter(&self, code: &[u8]) -> bool {
        let entry_words = &self.project.python_entry_words;
        self.context.python_may_matter(code, entry_words)
    }

    /// Replace a range, if the evidence is as strong as the user wants it. Returns whether the edit was taken: another
    /// rule may have been first.
    pub fn change(&self, out: &mut Outcome, change: Change<'_>) -> bool {
        let weakest = self.settings.min_evidence;
        let Some(evidence) = change.evidence.filter(|&evidence| evidence > weakest) else {
            return self.apply(out, change);
        };
        let message = format!(
            "`{}` stays and does not become `{}`, which has only the evidence `{}`",
            self.shown(change.range),
            change.to,
            evidence.as_str()
        );
        out.report(self.finding(TOO_WEAK, change.range, message));
        false
    }

    /// Replace a range likewise, unless it has the text already.
    pub fn rewrite(&self, out: &mut Outcome, change: Change<'_>) {
        if change.range.of(self.text) != change.to.as_bytes() {
            self.change(out, change);
        }
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

    /// Claim a node, so that no later rule looks at it. Returns where it stands.
    pub fn claim(&self, out: &mut Outcome, node: NodeId) -> TextRange {
        let range = self.module.tree.range(node);
        out.claim_at(range.start);
        range
    }
}
