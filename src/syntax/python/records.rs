//! Builds the array of a tree.

use super::kind::{Field, Kind};

/// How deep nodes may be nested. Python itself refuses code that is nested much deeper.
const DEEPEST: usize = 1000;

/// How many branches an `if` may have.
const MOST_BRANCHES: u32 = 2000;

/// Puts nodes into the array, in the order of the text.
#[derive(Debug, Default)]
pub(super) struct Records {
    pub(super) all: Vec<NodeRecord>,
    /// The nodes that are open, each with the number of children it has so far.
    open: Vec<(u32, u32)>,
    is_too_deep: bool,
}

impl Records {
    /// Room for the nodes of a text of so many bytes.
    pub(super) fn for_text(bytes: usize) -> Self {
        Self {
            all: Vec::with_capacity(bytes / 6 + 8),
            open: Vec::with_capacity(64),
            is_too_deep: false,
        }
    }

    /// Whether a node is open.
    pub(super) fn is_inside(&self) -> bool {
        !self.open.is_empty()
    }

    /// Whether there is more in it than anybody writes.
    pub(super) fn is_too_deep(&self) -> bool {
        self.is_too_deep
    }

    /// Add a node and let the next ones be its children, until it is closed.
    pub(super) fn open(
        &mut self,
        kind: Kind,
        field: Field,
        start: usize,
        end: usize,
        gives_up: bool,
    ) {
        let id = self.all.len() as u32;
        let (parent, ordinal) = match self.open.last_mut() {
            Some((parent, children)) => {
                let ordinal = *children;
                *children += u32::from(kind != Kind::Operator);
                (*parent, ordinal)
            }
            None => (id, 0),
        };
        let above = self.all.get(parent as usize);
        let is_branching = above.is_some_and(|up| up.kind == Kind::If);
        self.is_too_deep |= (ordinal > MOST_BRANCHES && is_branching) || self.open.len() > DEEPEST;
        let broken = gives_up || above.is_some_and(|record| record.broken);
        self.all.push(NodeRecord {
            start: start as u32,
            end: end as u32,
            parent,
            behind: id + 1,
            ordinal,
            kind,
            field,
            broken,
        });
        self.open.push((id, 0));
    }

    /// The node that was opened last has all its children.
    pub(super) fn close(&mut self) {
        let behind = self.all.len() as u32;
        if let Some((id, _)) = self.open.pop()
            && let Some(record) = self.all.get_mut(id as usize)
        {
            record.behind = behind;
        }
    }

    /// The node that was opened last, and the nodes around it, end at least at `end`.
    pub(super) fn close_at(&mut self, end: usize) {
        if let Some(&(id, _)) = self.open.last()
            && let Some(record) = self.all.get_mut(id as usize)
        {
            record.end = end as u32;
        }
        self.close();
    }

    /// Add a node without children.
    pub(super) fn leaf(&mut self, kind: Kind, field: Field, start: usize, end: usize) {
        self.open(kind, field, start, end, false);
        self.close();
    }
}

/// A node: its place in the array.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeId(pub(super) u32);

/// The data of one node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct NodeRecord {
    pub(super) start: u32,
    pub(super) end: u32,
    /// Itself, for the root.
    pub(super) parent: u32,
    /// The first node that is not below this one.
    pub(super) behind: u32,
    /// Its place among the named children of its parent, comments left out.
    pub(super) ordinal: u32,
    pub(super) kind: Kind,
    pub(super) field: Field,
    /// Whether the parser gave up here or above.
    pub(super) broken: bool,
}
