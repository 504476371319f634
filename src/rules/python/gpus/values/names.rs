//! What a name says: by what it is bound to or unpacked from, else by how it is called.

use super::{CANDIDATES, REACH, Value, Values};
use crate::mapping::gpus::GpuValueKind;
use crate::syntax::python::{Binding, Field, Kind, NodeId, What};

/// How deep in targets within targets a name is found.
const NESTED: usize = 4;

impl<'a> Values<'_, 'a> {
    /// What something is called like that nothing else tells of.
    pub(super) fn by_name(&self, name: &'a [u8]) -> Option<Value> {
        if self.of_target {
            return None;
        }
        let mut named = self.named.borrow_mut();
        let held = named.entry(name).or_insert_with(|| self.gpus.held_by(name));
        let (gives, many) = (*held)?;
        let one = Value::new(gives, None);
        Some(if many { one.several() } else { one })
    }

    /// What a name says.
    pub(super) fn name(&self, node: NodeId, steps: usize) -> Option<Value> {
        let tree = &self.unit.module.tree;
        let word = tree.word(node);
        let (scope, bindings) = self.unit.module.bindings(node, word);
        if bindings.is_empty() {
            return self.by_name(word);
        }
        let silent = self.silent.borrow().get(&(scope, word)).copied();
        if silent.is_some_and(|tried| tried >= steps) {
            return None;
        }
        let found = self.bound(node, word, bindings, steps);
        if found.is_none() {
            self.assume_silent((scope, word), steps);
        }
        found
    }

    /// What a name says by its bindings.
    fn bound(
        &self,
        node: NodeId,
        word: &'a [u8],
        bindings: &[Binding],
        steps: usize,
    ) -> Option<Value> {
        let tree = &self.unit.module.tree;
        let mut open = false;
        for binding in bindings.iter().take(REACH) {
            let found = match &binding.what {
                What::Value(value) => {
                    // What is written out, and what is made of a text, is no GPU's.
                    open |= matches!(tree.kind(*value), Kind::Call | Kind::Attribute);
                    self.follow(*value, steps)
                }
                What::Parameter => {
                    open = true;
                    self.part(node, word)
                }
                What::Unknown => self.unpacked(binding, steps),
                What::Import(path) => {
                    open = true;
                    let last = path.rsplit('.').next().unwrap_or_default();
                    self.dotted(node, last.as_bytes(), false)
                }
                _ => None,
            };
            if found.is_some() {
                return found;
            }
        }
        self.by_name(word).filter(|_| open)
    }

    /// `def f(major, minor)`, where the file speaks of capabilities.
    fn part(&self, node: NodeId, word: &[u8]) -> Option<Value> {
        let parts = &self.gpus.parts;
        let gives = parts.named(word)?;
        let other = match gives {
            GpuValueKind::Major => &parts.minor,
            _ => &parts.major,
        };
        let (_, beside) = self.unit.module.bindings(node, other.as_bytes());
        let beside = beside.iter().any(|one| one.what == What::Parameter);
        (self.speaks && !self.of_target && beside).then_some(Value::new(gives, None))
    }

    /// `major, minor = value`, `for one in values`, `with value as name`.
    fn unpacked(&self, binding: &Binding, steps: usize) -> Option<Value> {
        let tree = &self.unit.module.tree;
        let mut target = binding.at;
        let mut place = None;
        let at_place = |value: Value, place: Option<i64>| match place {
            Some(at) => value.item(Some(at)),
            None => Some(value),
        };
        for _ in 0..NESTED {
            let parent = tree.parent(target)?;
            match tree.kind(parent) {
                Kind::PatternList | Kind::TuplePattern | Kind::ListPattern => {
                    place = Some(i64::try_from(tree.ordinal(target)).ok()?);
                    target = parent;
                }
                Kind::Assignment => {
                    let mut right = tree.child(parent, Field::Right)?;
                    while tree.kind(right) == Kind::Assignment {
                        right = tree.child(right, Field::Right)?;
                    }
                    let one = place.and_then(|at| self.element(right, at, steps));
                    if one.is_some() {
                        return one;
                    }
                    return at_place(self.follow(right, steps)?, place);
                }
                Kind::For | Kind::ForIn => {
                    let right = tree.child(parent, Field::Right)?;
                    let one = self.follow(right, steps)?.item(None)?;
                    return at_place(one, place);
                }
                _ => return None,
            }
        }
        None
    }

    /// What an attribute says.
    pub(super) fn attribute(&self, node: NodeId, steps: usize) -> Option<Value> {
        let tree = &self.unit.module.tree;
        let name = tree.word(tree.child(node, Field::Attribute)?);
        let object = tree.child(node, Field::Object)?;
        if let Some(found) = self.dotted(node, name, false) {
            return Some(found);
        }
        let is_name = name == self.gpus.properties.name.as_bytes();
        let gives = self.gpus.parts.named(name);
        if let Some(gives) = gives.or(is_name.then_some(GpuValueKind::Name)) {
            let of = self.follow(object, steps).filter(|of| !of.many)?;
            return match of.gives {
                GpuValueKind::Properties => Some(of.one(gives)),
                // `DeviceCapability(major=8, minor=0)` has them as members.
                GpuValueKind::Pair | GpuValueKind::Capability if gives != GpuValueKind::Name => {
                    Some(of.one(gives))
                }
                GpuValueKind::Library if gives != GpuValueKind::Name => Some(of),
                _ => None,
            };
        }
        let assigned = self
            .attributes
            .get(name)
            .into_iter()
            .flatten()
            .take(CANDIDATES);
        let mut assigned = assigned.filter_map(|&value| self.follow(value, steps));
        assigned.next().or_else(|| self.by_name(name))
    }
}
