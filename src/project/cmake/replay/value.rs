//! What an argument or a variable of `CMake`'s holds: the elements of a list, or one of several texts.

use std::sync::Arc;

use super::cause::{Absence, either};
use torchada_syntax::cmake_references::reference;

/// The bytes of a text that is not long.
pub(super) const LONG: usize = 256;

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
    /// Why no build for MUSA has the element.
    pub absence: Absence,
}

impl Item {
    /// An element with this text.
    pub(super) fn new(text: &str, origin: Option<Origin>) -> Self {
        Self {
            text: text.into(),
            origin,
            absence: None,
        }
    }

    /// The element with another text, whose last characters stand somewhere.
    pub(super) fn with(&self, text: &str, origin: Option<Origin>) -> Self {
        Self {
            text: text.into(),
            origin,
            absence: self.absence.clone(),
        }
    }

    /// Whether a part of it is not known.
    pub(super) fn is_open(&self) -> bool {
        self.text.contains("${")
    }
}

/// Whether a text says no, where it is asked as a condition.
pub(super) fn is_false(text: &str) -> bool {
    let upper = text.to_ascii_uppercase();
    ["", "0", "OFF", "NO", "FALSE", "N", "IGNORE"].contains(&upper.as_str())
        || upper.ends_with("NOTFOUND")
}

/// A value.
#[derive(Clone, Default, Debug)]
pub(super) struct Value {
    pub(super) items: Arc<Vec<Item>>,
    /// Whether the value is one of the items, and it is not known which.
    pub(super) is_choice: bool,
    /// Whether the elements are CUDA's architectures.
    pub(super) is_architecture: bool,
}

impl Value {
    /// A list.
    pub(super) fn list(items: Vec<Item>) -> Self {
        Self {
            items: Arc::new(items),
            is_choice: false,
            is_architecture: false,
        }
    }

    /// A single text.
    pub(super) fn one(item: Item) -> Self {
        Self::list(vec![item])
    }

    /// What a variable holds that is not known.
    pub(super) fn unknown(variable: &str) -> Self {
        Self::one(Item::new(&reference(variable), None))
    }

    /// This value, whose items are architectures of CUDA's.
    pub(super) fn of_architectures(mut self) -> Self {
        self.is_architecture = true;
        self
    }

    /// The elements, or the texts that it may be.
    pub(super) fn items(&self) -> &[Item] {
        &self.items
    }

    /// Whether it is one of its items.
    pub(super) fn is_choice(&self) -> bool {
        self.is_choice
    }

    /// One of its elements by itself.
    pub(super) fn only(&self, item: Item) -> Self {
        Self {
            is_architecture: self.is_architecture,
            ..Self::one(item)
        }
    }

    /// The values that it may be.
    pub(super) fn alternatives(&self) -> Vec<Self> {
        if !self.is_choice {
            return vec![self.clone()];
        }
        let items = self.items.iter().cloned();
        items.map(|item| self.only(item)).collect()
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

    /// Why the value can't hold as a condition in a build for MUSA.
    pub(super) fn truth(&self) -> Absence {
        let mut items = self.items.iter().filter(|one| !is_false(&one.text));
        let first = items.next()?.absence.clone();
        items.fold(first, |so_far, one| either(so_far, one.absence.clone()))
    }

    /// The value as a command gives it that no build for MUSA comes to for this reason.
    pub(super) fn with_absence(self, path: &Absence) -> Self {
        if path.is_none() {
            return self;
        }
        self.mapped(|item| {
            let absence = item.absence.clone().or_else(|| path.clone());
            Some(Item {
                absence,
                ..item.clone()
            })
        })
    }

    /// Put elements behind the others.
    pub(super) fn extend(&mut self, more: impl IntoIterator<Item = Item>) {
        Arc::make_mut(&mut self.items).extend(more);
        self.is_choice = false;
    }

    /// Leave out what stands behind so many elements.
    pub(super) fn cut(&mut self, most: usize) {
        if self.items.len() > most {
            Arc::make_mut(&mut self.items).truncate(most);
        }
    }

    /// The bytes of its long texts beyond those that any text may have.
    pub(super) fn long_bytes(&self) -> usize {
        let texts = self.items.iter().map(|one| one.text.len());
        texts.map(|bytes| bytes.saturating_sub(LONG)).sum()
    }

    /// The value with each element changed, or left out.
    pub(super) fn mapped(&self, change: impl Fn(&Item) -> Option<Item>) -> Self {
        Self {
            items: Arc::new(self.items.iter().filter_map(change).collect()),
            is_choice: self.is_choice,
            is_architecture: self.is_architecture,
        }
    }
}
