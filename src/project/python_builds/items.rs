//! What an item of a list or a dictionary holds.

use super::reader::{Place, Reader};
use super::value::{Value, folder};
use torchada_mapping::builds::PathStep;
use torchada_syntax::python::{BoundValue, Field, Kind, NodeId};

impl Reader<'_, '_> {
    /// `sets["gpu"]`, `sets[target][1]`, `os.path.splitext(name)[0]`, `path.parents[1]`.
    pub(super) fn subscript(&mut self, at: Place) -> Value {
        let tree = self.tree_of(at);
        let of = tree.child(at.node, Field::Value);
        if let Some(items) = self.items(at, self.table.limits.names) {
            let mut value = Value::default();
            for item in items {
                value.add(self.value(item));
            }
            return value;
        }
        if let Some(of) = of.filter(|&of| self.is_of_folders(at.with(of)))
            && let Some(path) = tree.child(of, Field::Object)
            && let Some(key) = tree.child(at.node, Field::Subscript)
            && let Some(above) = number(tree.word(key))
        {
            let mut value = self.value(at.with(path));
            for _ in 0..=above.min(self.table.limits.folders_above) {
                value = value.map(|path| Some(folder(path)));
            }
            return value;
        }
        self.part(at, of)
    }

    /// Whether an expression is the list of the folders above a path.
    fn is_of_folders(&self, at: Place) -> bool {
        let tree = self.tree_of(at);
        let member = tree.child(at.node, Field::Attribute);
        let member = member.map(|one| String::from_utf8_lossy(tree.word(one)));
        member.is_some_and(|member| self.table.members.get(&*member) == Some(&PathStep::Folders))
    }

    /// The expressions that an item of a written list or dictionary may be; `None` where that is not known.
    fn items(&mut self, at: Place, steps: usize) -> Option<Vec<Place>> {
        let tree = self.tree_of(at);
        let of = tree.child(at.node, Field::Value)?;
        let key = tree.child(at.node, Field::Subscript)?;
        let place = number(tree.word(key));
        let mut found = Vec::new();
        for whole in self.whole_collections(at.with(of), steps)? {
            let tree = self.tree_of(whole);
            let inside = |node: NodeId| whole.with(node);
            match (tree.kind(whole.node), place) {
                (Kind::Dictionary, _) => {
                    let entries = self.entries_of(whole)?;
                    let key = self.value(at.with(key));
                    let wanted = match key.items.as_slice() {
                        [key] if key.text.contains('*') => None,
                        [key] if self.is_written(at, key.text.as_bytes()) => Some(key),
                        _ => None,
                    };
                    let mut exact = entries
                        .iter()
                        .filter(|(name, _)| wanted.is_some_and(|key| *name == *key.text));
                    match exact.next() {
                        Some((_, value)) => found.push(*value),
                        None => found.extend(entries.into_iter().map(|(_, value)| value)),
                    }
                }
                (Kind::List | Kind::Tuple, Some(place)) => {
                    found.push(inside(tree.nth(whole.node, place)?));
                }
                _ => return None,
            }
        }
        Some(found)
    }

    /// Whether the key of a subscript is a literal of this text.
    fn is_written(&self, at: Place, text: &[u8]) -> bool {
        let tree = self.tree_of(at);
        let key = tree.child(at.node, Field::Subscript);
        key.is_some_and(|key| {
            let word = tree.word(key);
            tree.kind(key) == Kind::Str && word.get(1..word.len().saturating_sub(1)) == Some(text)
        })
    }

    /// The entries of a dictionary; `None` where it has others.
    fn entries_of(&mut self, dictionary: Place) -> Option<Vec<(String, Place)>> {
        let tree = self.tree_of(dictionary);
        let mut found = Vec::new();
        for pair in tree.children(dictionary.node) {
            if tree.kind(pair) == Kind::Comment {
                continue;
            }
            let (key, value) = (
                tree.child(pair, Field::Key)?,
                tree.child(pair, Field::Value)?,
            );
            let key = self.value(dictionary.with(key));
            let key = match key.items.as_slice() {
                [key] => key.text.to_string(),
                _ => String::new(),
            };
            found.push((key, dictionary.with(value)));
        }
        Some(found)
    }

    /// The written lists and dictionaries that an expression may be; `None` where there are others.
    fn whole_collections(&mut self, at: Place, steps: usize) -> Option<Vec<Place>> {
        let steps = steps.checked_sub(1)?;
        let parsed = self.module_of(at);
        let tree = &parsed.tree;
        match tree.kind(at.node) {
            Kind::Dictionary | Kind::List | Kind::Tuple => Some(vec![at]),
            Kind::Identifier => {
                let name = tree.word(at.node);
                let (scope, [only]) = parsed.bindings(at.node, name) else {
                    return None;
                };
                let BoundValue::Value(node) = only.what else {
                    return None;
                };
                let uses = self.uses(at.file, scope, name);
                let mut changes = uses.iter().filter_map(|&node| self.mutation(at.file, node));
                if changes.next().is_some() {
                    return None;
                }
                let found = self.whole_collections(at.with(node), steps)?;
                self.read.insert(at);
                Some(found)
            }
            Kind::Subscript => {
                let items = self.items(at, steps)?;
                let mut found = Vec::new();
                for item in items {
                    found.extend(self.whole_collections(item, steps)?);
                }
                Some(found)
            }
            _ => None,
        }
    }
}

fn number(word: &[u8]) -> Option<usize> {
    std::str::from_utf8(word).ok()?.parse().ok()
}
