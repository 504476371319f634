//! Values of which it is not known which one a variable has.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::cause::either;
use super::value::{Item, Value};
use torchada_mapping::builds::WalkLimits;

impl Value {
    /// One of several values. Single texts become alternatives to each other; of lists, one list takes the elements of all.
    pub(super) fn one_of(values: Vec<Self>, limits: WalkLimits) -> Self {
        let mut values = values.into_iter();
        let mut all = values.next().unwrap_or_default();
        for other in values.by_ref() {
            if all.is_same(&other) {
                all.is_architecture |= other.is_architecture;
                continue;
            }
            all = all.joined(other, limits);
            // From here on it is a list, whose elements are there once each.
            if !all.is_choice && all.items.len() > 1 {
                break;
            }
        }
        all.extend_by_new(values, limits)
    }

    /// A list of different elements with those of others that it does not have.
    fn extend_by_new(mut self, others: impl Iterator<Item = Self>, limits: WalkLimits) -> Self {
        let mut others = others.peekable();
        if others.peek().is_none() {
            return self;
        }
        let mut items = std::mem::take(Arc::make_mut(&mut self.items));
        let texts = items.iter().map(|item| Arc::clone(&item.text));
        let mut known: FxHashMap<Arc<str>, usize> = texts.zip(0..).collect();
        for other in others {
            self.is_architecture |= other.is_architecture;
            for item in other.items.iter().filter(|item| !item.text.is_empty()) {
                let at = known.get(&item.text).copied();
                if at.is_none() && items.len() >= limits.elements {
                    continue;
                }
                let at = at.unwrap_or(items.len());
                known.entry(Arc::clone(&item.text)).or_insert(at);
                join_item(&mut items, at, item);
            }
        }
        self.items = Arc::new(items);
        self
    }

    fn is_same(&self, other: &Self) -> bool {
        self.is_choice == other.is_choice && self.items == other.items
    }

    /// A value that is this one or another one.
    fn joined(self, other: Self, limits: WalkLimits) -> Self {
        let is_single = |one: &Self| one.is_choice || one.items.len() <= 1;
        let is_choice = is_single(&self)
            && is_single(&other)
            && self.items.len() + other.items.len() <= limits.choices;
        if !is_choice {
            return Self::default().extend_by_new([self, other].into_iter(), limits);
        }
        let mut items: Vec<Item> = Vec::new();
        let mut known: FxHashMap<&str, usize> = FxHashMap::default();
        if self.items.is_empty() || other.items.is_empty() {
            known.insert("", 0);
            items.push(Item::new("", None));
        }
        for item in self.items.iter().chain(other.items.iter()) {
            let at = *known.entry(&item.text).or_insert(items.len());
            join_item(&mut items, at, item);
        }
        Self {
            items: Arc::new(items),
            is_choice: true,
            is_architecture: self.is_architecture || other.is_architecture,
        }
    }
}

/// Put an element at the end of others, or join it with the one of its text, whose place `at` is.
fn join_item(items: &mut Vec<Item>, at: usize, item: &Item) {
    match items.get_mut(at) {
        None => items.push(item.clone()),
        Some(so_far) => so_far.absence = either(so_far.absence.take(), item.absence.clone()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use torchada_mapping::knowledge::Knowledge;

    fn list(texts: &[&str]) -> Value {
        let items = texts.iter().map(|text| Item::new(text, None));
        Value::list(items.collect())
    }

    #[test]
    fn single_texts_are_told_apart_and_lists_taken_together() {
        let limits = Knowledge::builtin().builds.cmake.limits;
        let endings = vec![list(&["cu"]), list(&["hip"]), list(&["cu"])];
        let endings = Value::one_of(endings, limits);
        assert!(endings.is_choice());
        assert_eq!(endings.items().len(), 2);
        let sources = vec![list(&[]), list(&["a.cu", "b.cu"]), list(&["a.cu"])];
        let sources = Value::one_of(sources, limits);
        assert!(!sources.is_choice());
        assert_eq!(sources.text(), "a.cu;b.cu");
        let many = (0..40).map(|at| list(&[&format!("{at}.cu")]));
        let many = Value::one_of(many.chain([list(&["39.cu"]), list(&[])]).collect(), limits);
        assert!(!many.is_choice());
        assert_eq!(many.items().len(), 40);
    }
}
