//! What an expression may hold: texts, in which `*` stands for what is not known.

use std::sync::Arc;

use super::result::{LowestArchitecture, Origin};

/// What stands for the folder of the tree in paths.
pub(super) const ROOT: &str = "<root>";

/// What stands for a part of a name that is not known.
pub(super) const ANY: &str = "*";

/// What stands for folders that are not known.
pub(super) const ANY_FOLDERS: &str = "**";

/// How many texts a value may have. Of more nothing is known.
const MOST: usize = 1024;

/// One text.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Item {
    /// The text.
    pub(super) text: Arc<str>,
    /// The literal that its end stands in.
    pub(super) origin: Option<Origin>,
    /// What keeps it from builds for older GPUs.
    pub(super) only: Option<LowestArchitecture>,
    /// What is not among what it stands for, where not all of it is known.
    pub(super) without: Vec<RuledOut>,
}

/// What a text that is not known in all parts surely is not.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum RuledOut {
    /// One with this at its end.
    End(Arc<str>),
    /// One with this somewhere.
    Part(Arc<str>),
    /// One that has this nowhere.
    Lack(Arc<str>),
}

impl RuledOut {
    /// Whether a path is none of what a text stands for.
    pub(super) fn has(&self, path: &str) -> bool {
        match self {
            Self::End(end) => path.ends_with(&**end),
            Self::Part(part) => path.contains(&**part),
            Self::Lack(part) => !path.contains(&**part),
        }
    }
}

/// What an expression may hold.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub(super) struct Value {
    /// The texts, sorted.
    pub(super) items: Vec<Item>,
    /// Whether it is a list of texts rather than one.
    pub(super) is_list: bool,
    /// The first place that gives something which is not known.
    pub(super) open: Option<Origin>,
}

impl Value {
    /// One text.
    pub(super) fn text(text: &str, origin: Option<Origin>) -> Self {
        let item = Item {
            text: text.into(),
            origin,
            only: None,
            without: Vec::new(),
        };
        Self {
            items: vec![item],
            ..Self::default()
        }
    }

    /// Something that is not known, because of a place.
    pub(super) fn unknown(place: Origin) -> Self {
        Self {
            open: Some(place),
            ..Self::default()
        }
    }

    /// This value as a list.
    pub(super) fn listed(mut self) -> Self {
        self.is_list = true;
        self
    }

    /// Add what another value may hold.
    pub(super) fn add(&mut self, other: Self) {
        self.is_list |= other.is_list;
        self.open = self.open.or(other.open);
        if self.items.is_empty() {
            self.items = other.items;
        } else if !other.items.is_empty() {
            self.items.extend(other.items);
            self.items.sort_unstable();
            self.items.dedup();
        }
        if self.items.len() > MOST {
            self.open = self.open.or(self.items.first().and_then(|one| one.origin));
            self.items.clear();
        }
    }

    /// This value, which builds for older GPUs do not have.
    pub(super) fn only(mut self, only: Option<LowestArchitecture>) -> Self {
        for item in &mut self.items {
            item.only = item.only.or(only);
        }
        self
    }

    /// Each text changed.
    pub(super) fn map(mut self, change: impl Fn(&str) -> Option<String>) -> Self {
        self.items = self
            .items
            .into_iter()
            .filter_map(|item| {
                let text = change(&item.text)?.into();
                Some(Item { text, ..item })
            })
            .collect();
        self.items.sort_unstable();
        self.items.dedup();
        self
    }

    /// Each text of this value put together with each of another; `unknown` stands for a text that is not known.
    pub(super) fn with(
        self,
        other: &Self,
        unknown: [&str; 2],
        put: impl Fn(&str, &str) -> String,
    ) -> Self {
        let (fronts, backs) = (self.or(unknown[0]), other.or(unknown[1]));
        let both = fronts.len().checked_mul(backs.len());
        let mut made = Self {
            is_list: self.is_list || other.is_list,
            open: None,
            items: Vec::new(),
        };
        if both.is_none_or(|both| both > MOST) {
            made.open = self.open.or(other.open);
            return made;
        }
        for front in &fronts {
            for back in &backs {
                made.items.push(Item {
                    text: put(&front.text, &back.text).into(),
                    origin: back.origin.or(front.origin),
                    only: front.only.or(back.only),
                    without: [front.without.as_slice(), &back.without].concat(),
                });
            }
        }
        made.items.sort_unstable();
        made.items.dedup();
        made
    }

    /// The texts; where there are none, `unknown`.
    fn or(&self, unknown: &str) -> Vec<Item> {
        if self.items.is_empty() {
            return Self::text(unknown, None).items;
        }
        self.items.clone()
    }
}

/// `os.path.join(front, back)`.
pub(super) fn joined(front: &str, back: &str) -> String {
    if front.is_empty() || back.starts_with('/') || back.starts_with(ROOT) {
        return back.to_owned();
    }
    format!("{}/{back}", front.trim_end_matches('/'))
}

/// `os.path.dirname(path)`.
pub(super) fn folder(path: &str) -> String {
    path.rsplit_once('/')
        .map_or_else(String::new, |(folder, _)| folder.to_owned())
}

/// A path without its ending.
pub(super) fn without_ending(path: &str) -> String {
    let name = path.rfind('/').map_or(0, |at| at + 1);
    let dot = path.rfind('.').filter(|&dot| dot > name);
    dot.and_then(|dot| path.get(..dot))
        .unwrap_or(path)
        .to_owned()
}
