//! Which fact about a GPU a name stands for: by the value that it is bound to or unpacked from, else by the words in it.

use super::{EXPRESSION_DEPTH, GpuFact, GpuSlot, REACH, ValueTerm, Values};
use torchada_mapping::python::gpus::GpuValueKind;
use torchada_syntax::python::{Binding, BoundValue, Field, Kind, NodeId, ScopeId};
use torchada_text::last_part;

/// How deep in targets within targets a name is found.
const NESTED: usize = 4;

impl<'a> Values<'a> {
    /// The fact that a name suggests, for an object of which nothing but the name is known.
    pub(super) fn suggested(&self, name: &'a [u8]) -> Option<GpuFact> {
        if self.asks_target() {
            return None;
        }
        let mut suggested = self.suggested.borrow_mut();
        let kind = suggested
            .entry(name)
            .or_insert_with(|| self.gpus.kind_of_name(name));
        let (gives, many) = (*kind)?;
        let one = GpuFact::new(gives, None);
        Some(if many { one.several() } else { one })
    }

    /// Which fact a name gives.
    pub(super) fn name(&self, node: NodeId) -> ValueTerm<'a> {
        let tree = &self.unit.module.tree;
        let word = tree.word(node);
        let (scope, bindings) = self.unit.module.bindings(node, word);
        if bindings.is_empty() {
            return ValueTerm::Fact(self.suggested(word));
        }
        // A name suggests a fact only if its value comes from elsewhere: a literal, or a value made of a text, says
        // nothing about a GPU.
        let mut comes_from_elsewhere = false;
        let mut is_assigned = false;
        let mut found: Vec<ValueTerm<'a>> = Vec::new();
        for binding in bindings.iter().take(REACH) {
            match &binding.what {
                BoundValue::Value(value) => {
                    comes_from_elsewhere |=
                        matches!(tree.kind(*value), Kind::Call | Kind::Attribute);
                    is_assigned = true;
                }
                BoundValue::Parameter => {
                    comes_from_elsewhere = true;
                    found.push(ValueTerm::Fact(self.part_in_parameter(node, word)));
                }
                BoundValue::Unknown => is_assigned = true,
                BoundValue::Import(path) => {
                    comes_from_elsewhere = true;
                    let last = last_part(path);
                    found.push(ValueTerm::Fact(self.dotted(node, last.as_bytes(), false)));
                }
                _ => {}
            }
        }
        if is_assigned {
            found.push(ValueTerm::Of(GpuSlot::Variable(scope, word)));
        }
        ValueTerm::Join(found)
            .or_else(|| ValueTerm::Fact(self.suggested(word).filter(|_| comes_from_elsewhere)))
    }

    /// Which facts the expressions give that are assigned to a variable.
    pub(super) fn assigned(&self, scope: ScopeId, word: &[u8]) -> ValueTerm<'a> {
        let bindings = self.unit.module.bindings_in(scope, word).iter();
        let values = bindings
            .take(REACH)
            .filter_map(|binding| match binding.what {
                BoundValue::Value(value) => Some(self.term(value, EXPRESSION_DEPTH)),
                BoundValue::Unknown => self.unpacked(binding),
                _ => None,
            });
        ValueTerm::Join(values.collect())
    }

    /// The part of a capability that a parameter stands for, in a file about capabilities: `def f(major, minor)`.
    fn part_in_parameter(&self, node: NodeId, word: &[u8]) -> Option<GpuFact> {
        let parts = &self.gpus.parts;
        let gives = parts.named(word)?;
        let other = match gives {
            GpuValueKind::Major => &parts.minor,
            _ => &parts.major,
        };
        let (_, others) = self.unit.module.bindings(node, other.as_bytes());
        let has_other_part = others.iter().any(|one| one.what == BoundValue::Parameter);
        (has_other_part && self.is_about_capabilities() && !self.asks_target())
            .then_some(GpuFact::new(gives, None))
    }

    /// Which fact a name gets that is unpacked from a value: `major, minor = value`, `for one in values`,
    /// `with value as name`.
    fn unpacked(&self, binding: &Binding) -> Option<ValueTerm<'a>> {
        let tree = &self.unit.module.tree;
        let mut target = binding.at;
        let mut place: Option<usize> = None;
        for _ in 0..NESTED {
            let parent = tree.parent(target)?;
            match tree.kind(parent) {
                Kind::PatternList | Kind::TuplePattern | Kind::ListPattern => {
                    place = Some(tree.ordinal(target));
                    target = parent;
                }
                Kind::Assignment => {
                    let mut right = tree.child(parent, Field::Right)?;
                    while tree.kind(right) == Kind::Assignment {
                        right = tree.child(right, Field::Right)?;
                    }
                    let whole = self.term(right, EXPRESSION_DEPTH);
                    let Some(at) = place else { return Some(whole) };
                    let part = self.element(right, at, EXPRESSION_DEPTH);
                    return Some(part.or_else(|| whole.map(move |value| value?.part(at))));
                }
                Kind::For | Kind::ForIn => {
                    let all = self.term(tree.child(parent, Field::Right)?, EXPRESSION_DEPTH);
                    return Some(all.map(move |all| {
                        let one = all?.item(None)?;
                        match place {
                            Some(at) => one.part(at),
                            None => Some(one),
                        }
                    }));
                }
                _ => return None,
            }
        }
        None
    }

    /// Which fact an attribute gives.
    pub(super) fn attribute(&self, node: NodeId, depth: usize) -> Option<ValueTerm<'a>> {
        let tree = &self.unit.module.tree;
        let name = tree.word(tree.child(node, Field::Attribute)?);
        let object = tree.child(node, Field::Object)?;
        if let Some(found) = self.dotted(node, name, false) {
            return Some(ValueTerm::Fact(Some(found)));
        }
        let is_name = name == self.gpus.properties.name.as_bytes();
        let gives = self.gpus.parts.named(name);
        if let Some(gives) = gives.or(is_name.then_some(GpuValueKind::Name)) {
            let object = self.term(object, depth);
            return Some(object.map(move |of| field(of?, gives)));
        }
        let assigned = ValueTerm::Of(GpuSlot::Attribute(name));
        Some(assigned.or_else(|| ValueTerm::Fact(self.suggested(name))))
    }
}

/// Which fact a field of an object gives, where the field's name is that of a part of a capability.
fn field(of: GpuFact, gives: GpuValueKind) -> Option<GpuFact> {
    if of.many {
        return None;
    }
    match of.gives {
        GpuValueKind::Properties => Some(of.one(gives)),
        // `DeviceCapability(major=8, minor=0)` has its parts as members.
        GpuValueKind::Pair | GpuValueKind::Capability if gives != GpuValueKind::Name => {
            Some(of.one(gives))
        }
        GpuValueKind::Library if gives != GpuValueKind::Name => Some(of),
        _ => None,
    }
}
