//! The state of one script while its rules run.

use super::view::ScriptView;
use crate::build::grouped_findings::GroupedFindings;

/// A script while its rules look at it, and what they have found so far.
pub(super) struct ScriptPass<'a> {
    pub(super) view: &'a ScriptView<'a>,
    pub(super) findings: GroupedFindings<'a>,
}
