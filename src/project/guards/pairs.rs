//! Conditionals that belong together: one opens a brace, a later one with the same condition
//! closes it. Decided apart, the braces of a file would not match.

use super::decider::Decider;

/// A conditional that leaves braces open.
struct Opener {
    comparisons: Vec<usize>,
    braces: i32,
}

impl Decider<'_> {
    /// Give conditionals that close braces the decisions of those that opened them.
    pub(super) fn pair_braces(&mut self) {
        let mut open: Vec<Opener> = Vec::new();
        for conditional in self.parsed.conditionals.all() {
            let [branch] = conditional.branches.as_slice() else {
                continue;
            };
            let comparisons = self.of_branch(conditional, 0);
            let braces = self.net_braces(branch.tokens.clone());
            if comparisons.is_empty() || braces == 0 {
                continue;
            }
            if braces > 0 {
                open.push(Opener {
                    comparisons,
                    braces,
                });
                continue;
            }
            let partner = open.iter().rposition(|one| {
                one.braces == -braces
                    && self.condition(&one.comparisons) == self.condition(&comparisons)
            });
            if let Some(partner) = partner {
                let partner = open.remove(partner);
                for (from, to) in partner.comparisons.iter().zip(comparisons) {
                    if let Some(decision) = self.decisions.get(*from).cloned() {
                        self.set(to, decision);
                    }
                }
            }
        }
    }

    fn net_braces(&self, tokens: std::ops::Range<usize>) -> i32 {
        tokens
            .filter(|&at| self.parsed.tokens.directive_of(at).is_none())
            .filter_map(|at| self.parsed.tokens.get(at))
            .map(|token| match token.text(self.source) {
                b"{" => 1,
                b"}" => -1,
                _ => 0,
            })
            .sum()
    }

    /// The text of the comparisons, without white space.
    fn condition(&self, comparisons: &[usize]) -> Vec<u8> {
        let ranges = comparisons
            .iter()
            .filter_map(|&at| self.comparisons.get(at))
            .map(|one| one.range);
        ranges
            .flat_map(|range| range.of(self.source).iter().copied())
            .filter(|byte| !byte.is_ascii_whitespace())
            .collect()
    }
}
