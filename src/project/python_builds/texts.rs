//! Texts: literals, and what is put together of several.

use super::reader::{Place, Reader};
use super::value::{ANY, ANY_FOLDERS, Value, joined};
use torchada_syntax::HOLE;
use torchada_syntax::python::{Field, Kind, Literal, NodeId};

impl Reader<'_, '_> {
    /// A literal, with the texts that are put into it.
    pub(super) fn literal(&mut self, at: Place) -> Value {
        let tree = self.tree_of(at);
        let Some(literal) = Literal::read(tree, at.node) else {
            return self.unknown(at);
        };
        let text = literal.text().into_owned();
        let origin = self.origin(at);
        self.literals.insert(origin);
        if literal.is_plain() {
            return Value::text(&text, Some(origin));
        }
        let below = tree.below(at.node);
        let put_in: Vec<NodeId> = below
            .filter(|&one| tree.kind(one) == Kind::Interpolation)
            .collect();
        let mut put_in = put_in.into_iter();
        let mut value = Value::text("", Some(origin));
        for (place, fixed) in text.split(HOLE).enumerate() {
            if place > 0 {
                let inner = put_in.next().and_then(|one| tree.nth(one, 0));
                let inner = self.part(at, inner);
                let inner = if inner.items.len() > self.table.limits.texts || inner.open.is_some() {
                    Value::text(ANY, None)
                } else {
                    inner
                };
                value = value.with(&inner, [ANY, ANY], |front, back| format!("{front}{back}"));
            }
            value = value.map(|front| Some(format!("{front}{fixed}")));
        }
        for item in &mut value.items {
            item.origin = Some(origin);
        }
        value.is_list = false;
        value
    }

    /// `a + b`, `folder / name`, `"%s.cu" % name`.
    pub(super) fn binary(&mut self, at: Place) -> Value {
        let tree = self.tree_of(at);
        let own = tree.operator(at.node);
        // Long sums lean to the left.
        let mut parts = Vec::new();
        let mut left = at.node;
        while tree.kind(left) == Kind::Binary && tree.operator(left) == own {
            parts.extend(tree.child(left, Field::Right));
            let Some(next) = tree.child(left, Field::Left) else {
                break;
            };
            left = next;
        }
        parts.push(left);
        parts.reverse();
        match own {
            b"+" => {
                let values: Vec<Value> = parts
                    .into_iter()
                    .map(|one| self.part(at, Some(one)))
                    .collect();
                if values.iter().any(|one| one.is_list) {
                    let mut all = Value::default().listed();
                    for value in values {
                        all.add(value);
                    }
                    return all;
                }
                let mut values = values.into_iter();
                let first = values.next().unwrap_or_default();
                values.fold(first, |front, back| {
                    front.with(&back, [ANY, ANY], |front, back| format!("{front}{back}"))
                })
            }
            b"/" => {
                let mut parts = parts.into_iter();
                let mut path = self.part(at, parts.next());
                for part in parts {
                    let part = self.part(at, Some(part));
                    path = path.with(&part, [ANY_FOLDERS, ANY], joined);
                }
                path
            }
            b"%" => {
                let text = self.part(at, parts.first().copied());
                text.map(|text| Some(filled(text)))
            }
            b"*" => self.part(at, parts.first().copied()),
            _ => self.unknown(at),
        }
    }
}

/// A text with `*` for each `%s`, `%d` or `%(name)s`.
fn filled(text: &str) -> String {
    let mut found = String::new();
    let mut rest = text;
    while let Some((front, behind)) = rest.split_once('%') {
        found.push_str(front);
        found.push_str(ANY);
        let named = behind.strip_prefix('(').and_then(|one| one.split_once(')'));
        let behind = named.map_or(behind, |(_, behind)| behind);
        let mut letters = behind.chars();
        letters.next();
        rest = letters.as_str();
    }
    found.push_str(rest);
    found
}
