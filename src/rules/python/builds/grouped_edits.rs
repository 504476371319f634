//! Edits of one place or of several that are made together or not at all.

use crate::python::PythonUnit;
use crate::{Change, Outcome};
use torchada_edit::GroupId;
use torchada_mapping::Evidence;
use torchada_syntax::python::NodeId;
use torchada_text::TextRange;

/// Edits that are made together or not at all.
pub(super) struct GroupedEdits<'g> {
    pub(super) unit: &'g PythonUnit<'g>,
    pub(super) out: &'g mut Outcome,
    group: GroupId,
    /// Whether no later rule looks at the places.
    claims: bool,
}

impl<'g> GroupedEdits<'g> {
    /// Edits of places that other rules may look at, too.
    pub(super) fn new(unit: &'g PythonUnit<'g>, out: &'g mut Outcome) -> Self {
        let group = out.group();
        Self {
            unit,
            out,
            group,
            claims: false,
        }
    }

    /// Edits of places that no later rule looks at.
    pub(super) fn claiming(unit: &'g PythonUnit<'g>, out: &'g mut Outcome) -> Self {
        Self {
            claims: true,
            ..Self::new(unit, out)
        }
    }

    /// Write a text in place of a range.
    pub(super) fn put(
        &mut self,
        range: TextRange,
        to: &str,
        evidence: impl Into<Option<Evidence>>,
    ) {
        if self.claims {
            self.out.claim_at(range.start);
        }
        let change = Change::new(range, to).evidence(evidence);
        self.unit.rewrite(self.out, change.group(self.group));
    }

    /// Write a text in place of a node.
    pub(super) fn put_at(&mut self, node: NodeId, to: &str, evidence: impl Into<Option<Evidence>>) {
        self.put(self.unit.module.tree.range(node), to, evidence);
    }
}
