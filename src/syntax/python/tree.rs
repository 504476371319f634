//! The tree as an array, in the order of the text.

use super::kind::{Field, Kind, WORDS};
use crate::syntax::tree::parse_python;
use crate::text::TextRange;

/// How deep nodes may be nested. Python itself gives up on what is much deeper.
const DEEPEST: usize = 1000;

/// How many branches an `if` may have.
const MOST_BRANCHES: u32 = 2000;

/// A node: its place in the array.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeId(pub(super) u32);

/// What is kept of a node.
#[derive(Clone, Copy, Debug)]
struct Record {
    start: u32,
    end: u32,
    /// Itself, for the root.
    parent: u32,
    /// The first node that is not below this one.
    behind: u32,
    /// Its place among the named children of its parent, comments left out.
    ordinal: u32,
    kind: Kind,
    field: Field,
    /// Whether the parser gave up here or above.
    broken: bool,
}

/// The tree of a text: named nodes, and operators.
#[derive(Debug)]
pub struct Tree<'t> {
    text: &'t [u8],
    records: Vec<Record>,
    comments: Vec<TextRange>,
    has_errors: bool,
}

impl<'t> Tree<'t> {
    pub(super) fn new(text: &'t [u8]) -> Option<Self> {
        u32::try_from(text.len()).ok()?;
        let parsed = parse_python(text)?;
        let words = &*WORDS;
        let mut cursor = parsed.walk();
        let mut tree = Self {
            text,
            records: Vec::with_capacity(text.len() / 6 + 8),
            comments: Vec::new(),
            has_errors: parsed.root_node().has_error(),
        };
        // The nodes that are open, each with the number of children it has so far.
        let mut open: Vec<(u32, u32)> = Vec::with_capacity(64);
        loop {
            let node = cursor.node();
            let mut kind = words.kind(node.kind_id());
            if node.is_error() {
                kind = Kind::Error;
            }
            let mut field = Field::Other;
            let named = node.is_named();
            if named || kind == Kind::Error {
                field = words.field(cursor.field_id());
            } else if !open.is_empty() {
                field = words.field(cursor.field_id());
                if matches!(field, Field::Operator | Field::Operators) {
                    kind = Kind::Operator;
                }
            }
            let range = node.byte_range();
            if kind == Kind::Comment {
                tree.comments.push(TextRange::new(range.start, range.end));
            }
            let wanted = (named && kind != Kind::Comment) || kind == Kind::Operator;
            if wanted {
                let id = tree.records.len() as u32;
                let (parent, ordinal) = match open.last_mut() {
                    Some((parent, children)) => {
                        let ordinal = *children;
                        *children += u32::from(kind != Kind::Operator);
                        (*parent, ordinal)
                    }
                    None => (id, 0),
                };
                let above = tree.records.get(parent as usize);
                if ordinal > MOST_BRANCHES && above.is_some_and(|up| up.kind == Kind::If) {
                    return None;
                }
                let broken = kind == Kind::Error
                    || node.is_missing()
                    || above.is_some_and(|record| record.broken);
                tree.records.push(Record {
                    start: range.start as u32,
                    end: range.end as u32,
                    parent,
                    behind: id + 1,
                    ordinal,
                    kind,
                    field,
                    broken,
                });
                if cursor.goto_first_child() {
                    open.push((id, 0));
                    if open.len() > DEEPEST {
                        return None;
                    }
                    continue;
                }
            }
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    return Some(tree);
                }
                let behind = tree.records.len() as u32;
                if let Some((id, _)) = open.pop()
                    && let Some(record) = tree.records.get_mut(id as usize)
                {
                    record.behind = behind;
                }
            }
        }
    }

    fn record(&self, node: NodeId) -> Option<&Record> {
        self.records.get(node.0 as usize)
    }

    /// The whole text.
    pub fn text(&self) -> &'t [u8] {
        self.text
    }

    /// The comments, by place.
    pub fn comments(&self) -> &[TextRange] {
        &self.comments
    }

    /// Whether the parser gave up anywhere.
    pub fn has_errors(&self) -> bool {
        self.has_errors
    }

    /// All nodes, in the order of the text; a node comes before those below it.
    pub fn nodes(&self) -> impl DoubleEndedIterator<Item = NodeId> + use<> {
        (0..self.records.len() as u32).map(NodeId)
    }

    /// What a node is.
    pub fn kind(&self, node: NodeId) -> Kind {
        self.record(node).map_or(Kind::Other, |record| record.kind)
    }

    /// What a node is to its parent.
    pub fn field(&self, node: NodeId) -> Field {
        self.record(node)
            .map_or(Field::Other, |record| record.field)
    }

    /// Whether the parser gave up at the node or around it.
    pub fn is_broken(&self, node: NodeId) -> bool {
        self.record(node).is_none_or(|record| record.broken)
    }

    /// Where a node stands.
    pub fn range(&self, node: NodeId) -> TextRange {
        self.record(node).map_or(TextRange::new(0, 0), |record| {
            TextRange::new(record.start as usize, record.end as usize)
        })
    }

    /// What stands at a node.
    pub fn word(&self, node: NodeId) -> &'t [u8] {
        let text = self.text;
        let range = self.range(node);
        text.get(range.start..range.end).unwrap_or_default()
    }

    /// What stands at a node, as text.
    pub(super) fn shown(&self, node: NodeId) -> String {
        String::from_utf8_lossy(self.word(node)).into_owned()
    }

    /// The node around a node; `None` for the root.
    pub fn parent(&self, node: NodeId) -> Option<NodeId> {
        let parent = NodeId(self.record(node)?.parent);
        (parent != node).then_some(parent)
    }

    /// The nodes around a node, the nearest first.
    pub fn ancestors(&self, node: NodeId) -> impl Iterator<Item = NodeId> {
        std::iter::successors(self.parent(node), |&node| self.parent(node))
    }

    /// A node's place among its parent's children, operators and comments left out.
    pub fn ordinal(&self, node: NodeId) -> usize {
        self.record(node)
            .map_or(0, |record| record.ordinal as usize)
    }

    /// The children of a node, operators among them.
    pub fn children(&self, node: NodeId) -> impl Iterator<Item = NodeId> {
        let behind = self.record(node).map_or(0, |record| record.behind);
        let first = node.0 + 1;
        std::iter::successors((first < behind).then_some(NodeId(first)), move |&child| {
            let next = self.record(child)?.behind;
            (next < behind).then_some(NodeId(next))
        })
    }

    /// All nodes below a node.
    pub fn below(&self, node: NodeId) -> impl Iterator<Item = NodeId> + use<> {
        let behind = self.record(node).map_or(0, |record| record.behind);
        (node.0 + 1..behind.max(node.0 + 1)).map(NodeId)
    }

    /// The first child with a field.
    pub fn child(&self, node: NodeId, field: Field) -> Option<NodeId> {
        self.children(node).find(|&one| self.field(one) == field)
    }

    /// The child at a place, operators not counted.
    pub fn nth(&self, node: NodeId, at: usize) -> Option<NodeId> {
        self.children(node)
            .filter(|&one| self.kind(one) != Kind::Operator)
            .nth(at)
    }

    /// The argument of a call at a place, a starred or named one counted, too.
    pub fn argument(&self, call: NodeId, at: usize) -> Option<NodeId> {
        self.nth(self.child(call, Field::Arguments)?, at)
    }

    /// All arguments of a call.
    pub fn arguments(&self, call: NodeId) -> impl Iterator<Item = NodeId> {
        let list = self.child(call, Field::Arguments);
        list.into_iter().flat_map(|list| self.children(list))
    }
}
