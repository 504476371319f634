//! The rounds in which slots that depend on each other are solved, and whether they would go on for ever.

use petgraph::graph::NodeIndex;

use super::equation::Fact;

/// The facts of a group of slots after some round. Each round follows from the one before, so facts that come back go round for ever.
pub(super) struct SeenState<F> {
    facts: Vec<F>,
    /// How many rounds there were since, and how many there may be until later facts are remembered in place of these.
    rounds: usize,
    until: usize,
}

impl<F: Fact> SeenState<F> {
    pub(super) fn new(group: &[NodeIndex], facts: &[F]) -> Self {
        Self {
            facts: of_group(group, facts).collect(),
            rounds: 0,
            until: 1,
        }
    }

    /// Whether the facts after another round are those that are remembered.
    pub(super) fn comes_back(&mut self, group: &[NodeIndex], facts: &[F]) -> bool {
        if of_group(group, facts).eq(self.facts.iter().copied()) {
            return true;
        }
        self.rounds += 1;
        if self.rounds == self.until {
            self.facts = of_group(group, facts).collect();
            self.rounds = 0;
            self.until *= 2;
        }
        false
    }
}

fn of_group<F: Fact>(group: &[NodeIndex], facts: &[F]) -> impl Iterator<Item = F> {
    let of = |node: &NodeIndex| facts.get(node.index()).copied().unwrap_or_default();
    group.iter().map(of)
}
