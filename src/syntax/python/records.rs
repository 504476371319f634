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

/// Make each star in a list take the whole expression behind it, as Python does: of `[*a.b]` the grammar makes a member of
/// `*a`.
pub(super) fn widen_stars(all: &mut [NodeRecord]) {
    for at in 0..all.len() {
        let Some(rest) = all.get_mut(at..) else {
            return;
        };
        let Some(first) = rest.first().copied() else {
            return;
        };
        // The operators that start where the star does, each the first operand of the one before.
        let starts_there = |one: &NodeRecord| one.start == first.start;
        let front = rest.iter().take_while(|one| starts_there(one));
        let depth = front.take_while(|one| is_operator(one.kind)).count();
        let star = rest.get(depth).copied();
        let Some(star) = star.filter(|one| starts_there(one) && one.kind == Kind::ListSplat) else {
            continue;
        };
        let (at, depth) = (at as u32, depth as u32);
        if depth == 0 {
            continue;
        }
        let inside = (first.behind - at) as usize;
        let Some(inside) = rest.get_mut(..inside) else {
            return;
        };
        // Below the star each operator keeps its operands, and stands one place further back.
        let Some(operand) = inside.get(depth as usize + 1).map(|one| one.start) else {
            continue;
        };
        if let Some(moved) = inside.get_mut(..=depth as usize) {
            moved.rotate_right(1);
            for (place, one) in (0..).zip(moved.iter_mut()) {
                if place == 0 {
                    *one = NodeRecord {
                        kind: Kind::ListSplat,
                        ..first
                    };
                } else {
                    one.start = operand;
                    one.parent = at + place - 1;
                    one.ordinal = 0;
                    if place == 1 {
                        one.field = Field::Other;
                    }
                }
            }
        }
        for one in inside.iter_mut().skip(depth as usize + 1) {
            if one.parent == at + depth {
                one.field = star.field;
            } else if (at..at + depth).contains(&one.parent) {
                one.parent += 1;
            }
        }
    }
}

/// Whether a node of this kind has an operand in front.
fn is_operator(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::Attribute | Kind::Subscript | Kind::Call | Kind::Binary
    )
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
