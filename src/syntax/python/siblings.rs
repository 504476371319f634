//! What stands beside a value: the other items of its list, keys of its dictionary, cases of its
//! `match`, comparisons of its chain of `if`.

use super::Module;
use super::consumer::{Consumer, Use};
use super::kind::{Field, Kind};
use super::string::Literal;
use super::tree::NodeId;

/// How many siblings are looked at, in each direction from the first.
const REACH: usize = 256;

impl Module<'_> {
    /// The string literals that stand beside the value whose use is given, itself among them.
    pub fn beside(&self, of: &Use) -> Vec<Literal> {
        let tree = &self.tree;
        let mut nodes: Vec<NodeId> = Vec::new();
        for list in of.items().filter_map(|item| tree.parent(item)) {
            nodes.extend(tree.children(list).take(REACH));
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

    /// What else the same expression is compared with: in the same condition, in the chain of
    /// `if` and `elif`, and in the `if` statements beside it.
    fn compared(&self, at: NodeId, other: NodeId) -> Vec<NodeId> {
        let tree = &self.tree;
        let wanted = tree.word(other);
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
                    .filter(|&part| tree.kind(part) == Kind::Elif);
                conditions.extend(further.filter_map(|part| tree.child(part, Field::Condition)));
            }
        }
        let mut found = Vec::new();
        for condition in conditions {
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
}
