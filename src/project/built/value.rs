//! What a variable of `CMake`'s may hold in a build for MUSA.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::cause::{Absence, Causes};

/// How many elements of one variable are told apart. One with more counts as unknown.
const MOST: usize = 4096;

/// One element of a list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Item {
    /// The text; empty where it is not known.
    pub(super) text: Arc<str>,
    /// Why a build for MUSA does not have the element.
    pub(super) absence: Absence,
    /// The place among the words that files were read from.
    pub(super) site: Option<usize>,
}

/// What a variable holds.
#[derive(Clone, Default, Debug)]
pub(super) struct Value {
    /// Elements that it may have.
    pub(super) items: Vec<Item>,
    /// Whether it may hold others.
    pub(super) is_open: bool,
    /// Whether its elements are CUDA's architectures.
    pub(super) is_architecture: bool,
}

impl Value {
    /// A value of which nothing is known.
    pub(super) fn unknown() -> Self {
        Self {
            is_open: true,
            ..Self::default()
        }
    }

    /// Architectures that the build is for.
    pub(super) fn architectures() -> Self {
        Self {
            is_open: true,
            is_architecture: true,
            ..Self::default()
        }
    }

    /// Whether an element says no, where it is asked as a condition.
    pub(super) fn is_false(text: &str) -> bool {
        let upper = text.to_ascii_uppercase();
        ["0", "OFF", "NO", "FALSE", "N", "IGNORE"].contains(&upper.as_str())
            || upper.ends_with("NOTFOUND")
    }

    /// Why the value can't hold as a condition in a build for MUSA.
    pub(super) fn truth(&self, causes: &Causes) -> Absence {
        if self.is_open {
            return None;
        }
        let mut items = self.items.iter().filter(|one| !Self::is_false(&one.text));
        let first = items.next()?.absence;
        items.fold(first, |so_far, one| causes.either(so_far, one.absence))
    }

    /// The value as it is behind a command that is left out for this reason.
    pub(super) fn under(mut self, path: Absence) -> Self {
        if path.is_none() {
            return self;
        }
        for item in &mut self.items {
            item.absence = item.absence.or(path);
        }
        if std::mem::take(&mut self.is_open) {
            self.items.push(Item {
                text: "".into(),
                absence: path,
                site: None,
            });
        }
        self
    }

    /// Take in what the variable may hold besides.
    pub(super) fn add(&mut self, other: &Self, causes: &Causes) {
        self.is_open |= other.is_open;
        self.is_architecture |= other.is_architecture;
        let known: FxHashMap<(&str, Option<usize>), usize> = self
            .items
            .iter()
            .enumerate()
            .map(|(at, one)| ((&*one.text, one.site), at))
            .collect();
        let mut weaker = Vec::new();
        let mut fresh = Vec::new();
        for item in &other.items {
            match known.get(&(&*item.text, item.site)) {
                Some(&at) => weaker.push((at, item.absence)),
                None => fresh.push(item.clone()),
            }
        }
        for (at, absence) in weaker {
            if let Some(item) = self.items.get_mut(at) {
                item.absence = causes.either(item.absence, absence);
            }
        }
        self.items.extend(fresh);
        if self.items.len() > MOST {
            self.items.truncate(MOST);
            self.is_open = true;
        }
    }
}

/// The variables at a place of a file.
#[derive(Clone, Default, Debug)]
pub(super) struct Variables {
    known: FxHashMap<Arc<str>, Arc<Value>>,
}

impl Variables {
    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.known.len()
    }

    /// The value of a variable that was given one.
    pub(super) fn get(&self, name: &str) -> Option<&Value> {
        self.known.get(name).map(Arc::as_ref)
    }

    /// Give a variable a value.
    pub(super) fn set(&mut self, name: &str, value: Value) {
        self.known.insert(name.into(), Arc::new(value));
    }

    /// What the variables are where either these or the others hold. `before` says what a variable was that only one
    /// side gave a value.
    pub(super) fn join(&mut self, other: &Self, causes: &Causes, before: &dyn Fn(&str) -> Value) {
        let mut names: Vec<&Arc<str>> = self.known.keys().chain(other.known.keys()).collect();
        names.sort_unstable();
        names.dedup();
        let mut joined = Vec::new();
        for name in names {
            let (ours, theirs) = (self.known.get(name), other.known.get(name));
            if let (Some(ours), Some(theirs)) = (ours, theirs)
                && Arc::ptr_eq(ours, theirs)
            {
                continue;
            }
            let value = |side: Option<&Arc<Value>>| {
                side.map_or_else(|| before(name), |known| known.as_ref().clone())
            };
            let mut all = value(ours);
            all.add(&value(theirs), causes);
            joined.push((Arc::clone(name), Arc::new(all)));
        }
        self.known.extend(joined);
    }
}
