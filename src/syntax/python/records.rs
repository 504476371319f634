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
        Self::for_nodes(bytes / 6 + 8)
    }

    /// Room for so many nodes.
    pub(super) fn for_nodes(count: usize) -> Self {
        Self {
            all: Vec::with_capacity(count),
            open: Vec::with_capacity(64),
            is_too_deep: false,
        }
    }

    /// The nodes, in an array of their number: a tree is kept for as long as others ask for it.
    pub(super) fn into_nodes(self) -> Vec<NodeRecord> {
        // An allocator may leave an array that shrinks by less than half where it is.
        self.all.as_slice().to_vec()
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
        let rest = all.get_mut(at..).unwrap_or_default();
        if let Some(depth) = operators_around_star(rest) {
            widen_star(rest, at as u32, depth);
        }
    }
}

/// How many operators the first node and those behind it are, each the first operand of the one before, where the operand
/// of the last one is a star; `None` where it is not.
fn operators_around_star(nodes: &[NodeRecord]) -> Option<usize> {
    let start = nodes.first()?.start;
    let mut front = nodes.iter().take_while(|one| one.start == start);
    let depth = front.position(|one| !is_operator(one.kind))?;
    let star = nodes.get(depth)?;
    (depth > 0 && star.kind == Kind::ListSplat).then_some(depth)
}

/// Put the star that `depth` operators stand around, the first of them at `at`, around all of them.
fn widen_star(nodes: &mut [NodeRecord], at: u32, depth: usize) -> Option<()> {
    let outermost = *nodes.first()?;
    let star = *nodes.get(depth)?;
    let operand = nodes.get(depth + 1)?.start;
    let innermost = at + depth as u32;
    let below = nodes.get_mut(depth + 1..(outermost.behind - at) as usize)?;
    for one in below {
        // Each operator moves one place back; what the star had is the innermost one's operand.
        if one.parent == innermost {
            one.field = star.field;
        } else if (at..innermost).contains(&one.parent) {
            one.parent += 1;
        }
    }
    let moved = nodes.get_mut(..=depth)?;
    moved.rotate_right(1);
    for (parent, one) in (at..).zip(moved.iter_mut().skip(1)) {
        one.start = operand;
        one.parent = parent;
        one.ordinal = 0;
    }
    moved.get_mut(1)?.field = Field::Other;
    *moved.first_mut()? = NodeRecord {
        kind: Kind::ListSplat,
        ..outermost
    };
    Some(())
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
