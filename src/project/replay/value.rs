//! What an argument or a variable of `CMake`'s holds: the elements of a list, or one of several texts.

use std::sync::Arc;

/// How many elements a value has at most; what comes behind is left out.
const MOST: usize = 20_000;

/// How many texts are told apart that a variable may have.
const MOST_CHOICES: usize = 32;

/// Where the last characters of a text stand: the index of a file, and the offset behind them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Origin {
    /// The index of the file.
    pub file: usize,
    /// The offset behind the last character.
    pub end: usize,
}

/// One element of a list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Item {
    /// Its text; a reference to a variable that nothing sets stays in it.
    pub text: Arc<str>,
    /// Where its last characters stand; `None` where they were computed.
    pub origin: Option<Origin>,
}

impl Item {
    /// An element with this text.
    pub(super) fn new(text: &str, origin: Option<Origin>) -> Self {
        Self {
            text: text.into(),
            origin,
        }
    }
}

/// A value.
#[derive(Clone, Default, Debug)]
pub(super) struct Value {
    items: Arc<Vec<Item>>,
    /// Whether the value is one of the items, and it is not known which.
    is_choice: bool,
}

impl Value {
    /// A list.
    pub(super) fn list(mut items: Vec<Item>) -> Self {
        items.truncate(MOST);
        Self {
            items: Arc::new(items),
            is_choice: false,
        }
    }

    /// A single text.
    pub(super) fn one(item: Item) -> Self {
        Self::list(vec![item])
    }

    /// One of several values: of single texts each is told apart, of lists the elements are taken together.
    pub(super) fn one_of(values: Vec<Self>) -> Self {
        let mut values = values.into_iter();
        let first = values.next().unwrap_or_default();
        values.fold(first, |one, other| one.joined(&other))
    }

    /// The elements, or the texts that it may be.
    pub(super) fn items(&self) -> &[Item] {
        &self.items
    }

    /// Whether it is one of its items.
    pub(super) fn is_choice(&self) -> bool {
        self.is_choice
    }

    /// The values that it may be.
    pub(super) fn alternatives(&self) -> Vec<Self> {
        if !self.is_choice {
            return vec![self.clone()];
        }
        let items = self.items.iter().cloned();
        items.map(Self::one).collect()
    }

    /// Its text, with `;` between elements; of several texts that it may be, the first.
    pub(super) fn text(&self) -> String {
        if self.is_choice {
            let first = self.items.first();
            return first.map_or_else(String::new, |one| one.text.to_string());
        }
        let texts: Vec<&str> = self.items.iter().map(|one| &*one.text).collect();
        texts.join(";")
    }

    /// Whether it surely is this text.
    pub(super) fn is(&self, text: &str) -> bool {
        !self.is_choice && self.items.len() == 1 && self.items.iter().all(|one| &*one.text == text)
    }

    /// Put elements behind the others.
    pub(super) fn extend(&mut self, more: impl IntoIterator<Item = Item>) {
        let items = Arc::make_mut(&mut self.items);
        let free = MOST.saturating_sub(items.len());
        items.extend(more.into_iter().take(free));
        self.is_choice = false;
    }

    /// The value with each element changed, or left out.
    pub(super) fn mapped(&self, change: impl Fn(&Item) -> Option<Item>) -> Self {
        Self {
            items: Arc::new(self.items.iter().filter_map(change).collect()),
            is_choice: self.is_choice,
        }
    }

    /// This value or the other.
    fn joined(self, other: &Self) -> Self {
        let same = self.is_choice == other.is_choice && self.items == other.items;
        if same {
            return self;
        }
        let is_single = |one: &Self| one.is_choice || one.items.len() <= 1;
        let is_choice = is_single(&self)
            && is_single(other)
            && self.items.len() + other.items.len() <= MOST_CHOICES;
        let mut items: Vec<Item> = Vec::new();
        let mut seen = rustc_hash::FxHashSet::default();
        let empty = |one: &Self| is_choice && one.items.is_empty();
        if empty(&self) || empty(other) {
            seen.insert(Arc::from(""));
            items.push(Item::new("", None));
        }
        for item in self.items.iter().chain(other.items.iter()) {
            if (is_choice || !item.text.is_empty()) && seen.insert(Arc::clone(&item.text)) {
                items.push(item.clone());
            }
        }
        items.truncate(MOST);
        Self {
            items: Arc::new(items),
            is_choice,
        }
    }
}

/// The elements of one value while it is put together of pieces.
#[derive(Clone, Default, Debug)]
pub(super) struct Pieces {
    done: Vec<Item>,
    open: String,
    origin: Option<Origin>,
}

impl Pieces {
    /// Add a text, in which `;` ends an element.
    pub(super) fn text(&mut self, text: &str, origin: Option<Origin>) {
        for (at, part) in text.split(';').enumerate() {
            if at > 0 {
                self.end();
            }
            if !part.is_empty() {
                self.open.push_str(part);
                self.origin = origin;
            }
        }
    }

    /// Add the elements of a list: the first one goes on with what was begun.
    pub(super) fn items(&mut self, items: &[Item]) {
        for (at, item) in items.iter().enumerate() {
            if at > 0 {
                self.end();
            }
            self.text(&item.text, item.origin);
        }
    }

    /// All elements that have a text.
    pub(super) fn finish(mut self) -> Vec<Item> {
        self.end();
        self.done
    }

    fn end(&mut self) {
        if !self.open.is_empty() && self.done.len() < MOST {
            self.done.push(Item::new(&self.open, self.origin));
        }
        self.open.clear();
        self.origin = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(texts: &[&str]) -> Value {
        let items = texts.iter().map(|text| Item::new(text, None));
        Value::list(items.collect())
    }

    #[test]
    fn single_texts_are_told_apart_and_lists_taken_together() {
        let endings = Value::one_of(vec![list(&["cu"]), list(&["hip"]), list(&["cu"])]);
        assert!(endings.is_choice());
        assert_eq!(endings.items().len(), 2);
        let sources = Value::one_of(vec![list(&[]), list(&["a.cu", "b.cu"]), list(&["a.cu"])]);
        assert!(!sources.is_choice());
        assert_eq!(sources.text(), "a.cu;b.cu");
    }
}
