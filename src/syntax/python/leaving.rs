//! Statements behind which nothing of their block is run.

use super::{Field, Kind, NodeId, Tree};

impl Tree<'_> {
    /// The last statement of the block that a branch has.
    pub fn last_statement(&self, branch: NodeId) -> Option<NodeId> {
        let body = self.child(branch, Field::Consequence)?;
        self.children(body).last()
    }

    /// Whether a statement leaves its block by the language alone: `return`, `raise`, `continue`, `break`.
    pub fn leaves_block(&self, statement: NodeId) -> bool {
        match self.kind(statement) {
            Kind::Return | Kind::Raise => true,
            _ => self.leaves_loop(statement),
        }
    }

    /// Whether a statement leaves the loop around it, or this turn of it.
    pub fn leaves_loop(&self, statement: NodeId) -> bool {
        matches!(self.word(statement), b"continue" | b"break")
    }
}
