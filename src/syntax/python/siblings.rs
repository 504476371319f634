//! The alternatives of a value: the other items of its list, keys of its dictionary, cases of its
//! `match`, comparisons of its chain of `if`, and values that are returned or assigned in its place.

use rustc_hash::FxHashSet;

use super::Module;
use super::consumer::{Consumer, Use};
use super::kind::{Field, Kind};
use super::records::NodeId;
use super::string::Literal;

/// How many siblings are looked at, in each direction from the first.
const REACH: usize = 256;

impl Module<'_> {
    /// The string literals among the alternatives of a value, itself included. Equal literals of a list count
    /// once.
    pub fn sibling_literals(&self, of: &Use) -> Vec<Literal> {
        let tree = &self.tree;
        let mut nodes: Vec<NodeId> = Vec::new();
        for list in of.items().filter_map(|item| tree.parent(item)) {
            // A long list may say the same over and over.
            let mut seen: FxHashSet<&[u8]> = FxHashSet::default();
            let items = tree.children(list).take(REACH);
            nodes.extend(items.filter(|&item| seen.insert(tree.word(item))));
        }
        match of.consumer {
            Consumer::DictKey { pair } => nodes.extend(self.keys_beside(pair)),
            Consumer::DictValue { pair } => {
                // `{"hip": "hip", "cuda": "cuda"}`: the keys tell what the values are.
                nodes.extend(self.keys_beside(pair));
                let dictionary = tree.parent(pair);
                let pairs = dictionary.into_iter().flat_map(|one| tree.children(one));
                nodes.extend(
                    pairs
                        .take(REACH)
                        .filter_map(|pair| tree.child(pair, Field::Value)),
                );
            }
            Consumer::Pattern { at, .. } => {
                nodes.extend(tree.below(at).take(REACH * 16).filter(|&one| {
                    tree.kind(one) == Kind::Str
                        && tree.parent(one).is_some_and(|up| {
                            matches!(tree.kind(up), Kind::CasePattern | Kind::UnionPattern)
                        })
                }));
            }
            Consumer::Comparison { at, other, .. } => nodes.extend(self.compared(at, other)),
            Consumer::Return {
                function: Some(function),
            } => nodes.extend(self.returned_values(function)),
            Consumer::Target { target } => nodes.extend(self.set_instead(target)),
            // `torch.device("cuda")`: what it stands beside is what the call stands beside.
            Consumer::Argument {
                call,
                position: Some(0),
            } if of.steps.is_empty() => match self.use_of(call).consumer {
                Consumer::Return {
                    function: Some(function),
                } => nodes.extend(self.returned_values(function)),
                Consumer::Target { target } => nodes.extend(self.set_instead(target)),
                // `if device.startswith("cuda"): … elif device.startswith("musa"): …`
                Consumer::Condition => nodes.extend(self.asked_alike(call)),
                _ => {}
            },
            _ => {}
        }
        nodes
            .into_iter()
            .filter_map(|node| Literal::read(tree, node))
            .collect()
    }

    fn keys_beside(&self, pair: NodeId) -> impl Iterator<Item = NodeId> {
        let tree = &self.tree;
        let dictionary = tree.parent(pair);
        let pairs = dictionary.into_iter().flat_map(|one| tree.children(one));
        pairs
            .take(REACH)
            .filter_map(|pair| tree.child(pair, Field::Key))
    }

    /// The values that a function returns.
    fn returned_values(&self, function: NodeId) -> Vec<NodeId> {
        let tree = &self.tree;
        let values = tree.returned(function, REACH * 16);
        values.filter_map(|value| self.text_in(value)).collect()
    }

    /// The values that the same name gets in the other branches of a chain of `if`, and in the `if` statements
    /// next to it.
    fn set_instead(&self, target: NodeId) -> Vec<NodeId> {
        let tree = &self.tree;
        let wanted = tree.word(target);
        let chain = tree
            .ancestors(target)
            .take(8)
            .find(|&one| tree.kind(one) == Kind::If);
        let block = chain.and_then(|chain| tree.parent(chain));
        let statements = block.into_iter().flat_map(|block| tree.children(block));
        let mut found = Vec::new();
        for statement in statements
            .take(REACH)
            .filter(|&one| tree.kind(one) == Kind::If)
        {
            let branches = std::iter::once(statement).chain(
                tree.children(statement)
                    .filter(|&part| matches!(tree.kind(part), Kind::Elif | Kind::Else))
                    .take(REACH),
            );
            let bodies = branches.flat_map(|branch| tree.children(branch));
            let set = bodies
                .filter(|&part| tree.kind(part) == Kind::Block)
                .flat_map(|body| tree.children(body).take(REACH))
                .filter_map(|one| tree.nth(one, 0))
                .filter(|&one| tree.kind(one) == Kind::Assignment)
                .filter(|&one| {
                    tree.child(one, Field::Left)
                        .is_some_and(|left| tree.word(left) == wanted)
                });
            found.extend(
                set.filter_map(|one| tree.child(one, Field::Right))
                    .filter_map(|value| self.text_in(value)),
            );
        }
        found
    }

    /// A text, or that which a call takes first: `torch.device("cuda", index)`.
    fn text_in(&self, value: NodeId) -> Option<NodeId> {
        let tree = &self.tree;
        match tree.kind(value) {
            Kind::Call => {
                let arguments = tree.child(value, Field::Arguments)?;
                tree.nth(arguments, 0)
            }
            _ => Some(value),
        }
    }

    /// The other values that the same expression is compared with: in the same condition, in the chain of
    /// `if` and `elif`, and in the `if` statements next to it.
    fn compared(&self, at: NodeId, other: NodeId) -> Vec<NodeId> {
        let tree = &self.tree;
        let wanted = tree.word(other);
        let mut found = Vec::new();
        for condition in self.conditions_around(at) {
            let inside = std::iter::once(condition).chain(tree.below(condition));
            for comparison in inside
                .take(REACH)
                .filter(|&one| tree.kind(one) == Kind::Comparison)
            {
                let parts: Vec<NodeId> = tree.children(comparison).take(REACH).collect();
                if parts.iter().any(|&part| tree.word(part) == wanted) {
                    for part in parts {
                        found.push(part);
                        found.extend(tree.children(part).take(REACH));
                    }
                }
            }
        }
        found
    }

    /// The values that the conditions around a call give the same function: `device.startswith("musa")`.
    fn asked_alike(&self, call: NodeId) -> Vec<NodeId> {
        let tree = &self.tree;
        let function = |call| tree.child(call, Field::Function).map(|one| tree.word(one));
        let wanted = function(call);
        let mut found = Vec::new();
        for condition in self.conditions_around(call) {
            let inside = std::iter::once(condition).chain(tree.below(condition));
            let calls = inside
                .take(REACH)
                .filter(|&one| tree.kind(one) == Kind::Call && function(one) == wanted);
            for value in calls.filter_map(|one| tree.argument(one, 0)) {
                found.push(value);
                found.extend(tree.children(value).take(REACH));
            }
        }
        found
    }

    /// The condition that a node is in, and those of its chain of `if` and `elif` and of the `if` statements next to it.
    fn conditions_around(&self, at: NodeId) -> Vec<NodeId> {
        let tree = &self.tree;
        let chain = tree
            .ancestors(at)
            .take(REACH)
            .take_while(|&one| !matches!(tree.kind(one), Kind::Block | Kind::Module))
            .last()
            .unwrap_or(at);
        let mut conditions = vec![chain];
        if tree.kind(chain) == Kind::If {
            conditions.clear();
            let block = tree.parent(chain);
            let near = block.into_iter().flat_map(|block| tree.children(block));
            for one in near.take(REACH).filter(|&one| tree.kind(one) == Kind::If) {
                conditions.extend(tree.child(one, Field::Condition));
                let further = tree
                    .children(one)
                    .filter(|&part| tree.kind(part) == Kind::Elif)
                    .take(REACH);
                conditions.extend(further.filter_map(|part| tree.child(part, Field::Condition)));
                if conditions.len() > REACH {
                    break;
                }
            }
            conditions.truncate(REACH);
        }
        conditions
    }
}
