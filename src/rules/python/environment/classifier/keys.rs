//! The names in a module that hold a key of an environment, such as `name` in `environ[name]`.

use rustc_hash::{FxHashMap, FxHashSet};

use super::NameClassifier;
use torchada_syntax::python::{Field, Kind, NodeId};

impl<'a> NameClassifier<'_, 'a> {
    /// Whether a name holds a key of an environment.
    pub(super) fn is_key(&self, node: NodeId) -> bool {
        let tree = &self.unit.module.tree;
        tree.kind(node) == Kind::Identifier && self.keys().contains(tree.word(node))
    }

    fn keys(&self) -> &FxHashSet<&'a [u8]> {
        self.keys.get_or_init(|| {
            let tree = &self.unit.module.tree;
            let names = tree.of(Kind::Identifier);
            let mut pending: Vec<&[u8]> = names
                .filter(|&node| self.is_used_as_key(node))
                .map(|node| tree.word(node))
                .collect();
            // `for name in NAMES`: the list that a loop goes through holds keys, too, and so does a list of such lists.
            let mut lists: FxHashMap<&[u8], Vec<&[u8]>> = FxHashMap::default();
            for node in tree.of_any(&[Kind::For, Kind::ForIn]) {
                if let Some(left) = tree.child(node, Field::Left)
                    && let Some(right) = tree.child(node, Field::Right)
                    && tree.kind(right) == Kind::Identifier
                {
                    let lists = lists.entry(tree.word(left)).or_default();
                    lists.push(tree.word(right));
                }
            }
            let mut keys: FxHashSet<&[u8]> = FxHashSet::default();
            while let Some(name) = pending.pop() {
                if keys.insert(name) {
                    pending.extend(lists.get(name).into_iter().flatten());
                }
            }
            keys
        })
    }

    /// Whether this use of a name passes it to an environment as a key.
    fn is_used_as_key(&self, name: NodeId) -> bool {
        let tree = &self.unit.module.tree;
        let Some(up) = tree.parent(name) else {
            return false;
        };
        match tree.kind(up) {
            Kind::Subscript if tree.field(name) == Field::Subscript => tree
                .child(up, Field::Value)
                .is_some_and(|of| self.is_environment(of)),
            Kind::ArgumentList if tree.ordinal(name) == 0 => {
                let call = tree.parent(up);
                call.is_some_and(|call| {
                    tree.kind(call) == Kind::Call && self.access_of_call(call).is_some()
                })
            }
            Kind::Comparison => tree
                .children(up)
                .any(|part| part != name && self.is_environment(part)),
            _ => false,
        }
    }
}
