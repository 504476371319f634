//! Conditions: what they are made of, what they decide, and which of them hold where a node is run.

use super::{Field, Kind, NodeId, Tree};

/// How many statements before a node are looked at in each block around it.
const BEFORE: usize = 1024;

/// A condition that holds, or does not, wherever a node is run.
#[derive(Clone, Copy, Debug)]
pub struct Premise {
    /// The condition.
    pub condition: NodeId,
    /// Whether it holds there.
    pub holds: bool,
    /// The statement or the expression whose condition it is.
    pub of: NodeId,
}

/// How many sides of a comparison, with the operators between them, are looked at.
const SIDES: usize = 16;

impl<'t> Tree<'t> {
    /// The operator of an expression, of a comparison the first one: `and`, `+`, `not in`. Empty where there is none.
    pub fn operator(&self, node: NodeId) -> &'t [u8] {
        let is_operator = |&one: &NodeId| {
            let field = self.field(one);
            matches!(field, Field::Operator | Field::Operators)
        };
        let operator = self.children(node).find(is_operator);
        operator.map_or(&b""[..], |operator| self.word(operator))
    }

    /// The parts of an expression that are no operators.
    pub fn operands(&self, node: NodeId) -> impl Iterator<Item = NodeId> {
        let parts = self.children(node);
        parts.filter(|&one| self.kind(one) != Kind::Operator)
    }

    /// Whether a comparison has None on a side.
    pub fn compares_with_none(&self, comparison: NodeId) -> bool {
        let mut sides = self.children(comparison).take(SIDES);
        sides.any(|side| self.kind(side) == Kind::None)
    }

    /// The expressions with `and`, `or` and `not`, and the parentheses, that a part of a condition stands in: the
    /// nearest first.
    pub fn condition_around(&self, part: NodeId) -> impl Iterator<Item = NodeId> {
        self.ancestors(part).take_while(|&one| {
            let kind = self.kind(one);
            matches!(kind, Kind::Boolean | Kind::Not | Kind::Parenthesized)
        })
    }

    /// The whole condition that an expression is a part of: the expression itself where it is no part.
    pub fn whole_condition(&self, part: NodeId) -> NodeId {
        self.condition_around(part).last().unwrap_or(part)
    }

    /// The branch, the loop or the conditional expression that an expression is the condition of.
    pub fn decided_by(&self, condition: NodeId) -> Option<NodeId> {
        self.parent(condition).filter(|&up| match self.kind(up) {
            Kind::If | Kind::Elif | Kind::While => self.field(condition) == Field::Condition,
            Kind::Conditional => self.ordinal(condition) == 1,
            _ => false,
        })
    }

    /// The statements that are run where the condition of a branch holds.
    pub fn consequence(&self, branch: NodeId) -> impl Iterator<Item = NodeId> {
        let body = self.child(branch, Field::Consequence);
        body.into_iter().flat_map(|body| self.children(body))
    }

    /// The `else` of a chain of `if`.
    pub fn otherwise(&self, first: NodeId) -> Option<NodeId> {
        let mut parts = self.children(first);
        parts.find(|&part| self.kind(part) == Kind::Else)
    }

    /// The arms behind the first one of a chain of `if`.
    pub fn later_arms(&self, first: NodeId) -> impl Iterator<Item = NodeId> {
        let is_arm = |&part: &NodeId| matches!(self.kind(part), Kind::Elif | Kind::Else);
        self.children(first).filter(is_arm)
    }

    /// The parts of a condition, each with whether it holds, of which that is certain where the condition holds, or
    /// where it does not: both sides of an `and` that holds.
    pub fn certain_parts(&self, condition: NodeId, holds: bool) -> Vec<(NodeId, bool)> {
        let mut found = Vec::new();
        let mut waiting = vec![(condition, holds)];
        while let Some((part, holds)) = waiting.pop() {
            match self.kind(part) {
                Kind::Parenthesized => waiting.extend(self.nth(part, 0).map(|one| (one, holds))),
                Kind::Not => waiting.extend(self.nth(part, 0).map(|one| (one, !holds))),
                Kind::Boolean if (self.operator(part) == b"and") == holds => {
                    let from = waiting.len();
                    waiting.extend(self.operands(part).map(|one| (one, holds)));
                    if let Some(sides) = waiting.get_mut(from..) {
                        sides.reverse();
                    }
                }
                Kind::Boolean => {}
                _ => found.push((part, holds)),
            }
        }
        found
    }

    /// The conditions that decide whether a node is run, those of the innermost of the nodes `around` it first: of
    /// statements and expressions that it is a part of, and of statements before it. `leaves` says of an `if` whether
    /// nothing behind it is run where its condition holds.
    pub fn premises(
        &self,
        node: NodeId,
        around: impl Iterator<Item = NodeId>,
        leaves: &dyn Fn(NodeId) -> bool,
    ) -> Vec<Premise> {
        let mut found = Vec::new();
        let mut below = node;
        for up in around {
            let mut add = |of: NodeId, condition: Option<NodeId>, holds: bool| {
                let condition = condition.filter(|&one| one != below);
                found.extend(condition.map(|condition| Premise {
                    condition,
                    holds,
                    of,
                }));
            };
            let before = || self.children(up).take_while(|&one| one != below);
            match self.kind(up) {
                Kind::Boolean => {
                    add(up, self.child(up, Field::Left), self.operator(up) == b"and");
                }
                Kind::Conditional => add(up, self.nth(up, 1), self.ordinal(below) == 0),
                Kind::If | Kind::Elif | Kind::While => {
                    let holds = matches!(self.field(below), Field::Consequence | Field::Body);
                    add(up, self.child(up, Field::Condition), holds);
                    // Where an arm is run, none before it was: the `if` around says so of its own condition alone.
                    for arm in before().filter(|&one| self.kind(one) == Kind::Elif) {
                        add(arm, self.child(arm, Field::Condition), false);
                    }
                }
                Kind::Block | Kind::Module => {
                    for one in before().take(BEFORE) {
                        match self.kind(one) {
                            Kind::Assert => add(one, self.nth(one, 0), true),
                            Kind::If if leaves(one) => {
                                add(one, self.child(one, Field::Condition), false);
                            }
                            _ => {}
                        }
                    }
                }
                _ => {}
            }
            below = up;
        }
        found
    }
}
