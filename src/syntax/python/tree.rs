//! The tree as an array, in the order of the text.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::by_kind::ByKind;
use super::kind::{Field, Kind, WORDS};
use super::packed::PackedTree;
use super::records::{NodeId, NodeRecord, Records, widen_stars};
use super::ruff;
use crate::tree::parse_python;
use torchada_text::TextRange;

/// The tree of a text: named nodes, and operators.
#[derive(Debug)]
pub struct Tree<'t> {
    text: &'t [u8],
    records: Vec<NodeRecord>,
    comments: Vec<TextRange>,
    has_errors: bool,
    by_kind: OnceLock<ByKind>,
    /// How many nodes somebody went through since it was asked last, one after the other.
    visits: AtomicUsize,
}

/// How many bytes of comments and blank lines may stand between two lines of code: for each of these lines the grammar
/// reads all that follow, to know how the next code is indented.
const LONGEST_GAP: usize = 1 << 16;

/// The bytes of the longest run of comments and blank lines.
fn longest_gap(text: &[u8]) -> usize {
    let (mut gap, mut longest) = (0, 0);
    for line in text.split_inclusive(|&byte| byte == b'\n') {
        let is_code = !matches!(line.trim_ascii_start(), [] | [b'#', ..]);
        gap = if is_code { 0 } else { gap + line.len() };
        longest = longest.max(gap);
    }
    longest
}

impl<'t> Tree<'t> {
    /// Take a text apart in the fastest way that gives the grammar's tree.
    pub(super) fn new(text: &'t [u8]) -> Option<Self> {
        match ruff::read(text) {
            Some(read) => Some(Self::sound(text, read.records, read.comments)),
            None => Self::whole(text),
        }
    }

    /// The tree of a text in which no parser gave up.
    fn sound(text: &'t [u8], records: Vec<NodeRecord>, comments: Vec<TextRange>) -> Self {
        Self {
            text,
            records,
            comments,
            has_errors: false,
            by_kind: OnceLock::new(),
            visits: AtomicUsize::new(0),
        }
    }

    /// Copy the grammar's tree.
    pub(super) fn whole(text: &'t [u8]) -> Option<Self> {
        u32::try_from(text.len()).ok()?;
        if longest_gap(text) > LONGEST_GAP {
            return None;
        }
        let parsed = parse_python(text)?;
        let words = &*WORDS;
        let mut cursor = parsed.walk();
        let mut records = Records::for_text(text.len());
        let mut comments = Vec::new();
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
            } else if records.is_inside() {
                field = words.field(cursor.field_id());
                if matches!(field, Field::Operator | Field::Operators) {
                    kind = Kind::Operator;
                }
            }
            let range = node.byte_range();
            if kind == Kind::Comment {
                comments.push(TextRange::new(range.start, range.end));
            }
            let is_extra = matches!(kind, Kind::Comment | Kind::Continuation);
            let wanted = (named && !is_extra) || kind == Kind::Operator;
            if wanted {
                let gives_up = kind == Kind::Error || node.is_missing();
                records.open(kind, field, range.start, range.end, gives_up);
                if cursor.goto_first_child() {
                    if records.is_too_deep() {
                        return None;
                    }
                    continue;
                }
                records.close();
            }
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    widen_stars(&mut records.all);
                    return Some(Self {
                        has_errors: parsed.root_node().has_error(),
                        ..Self::sound(text, records.into_nodes(), comments)
                    });
                }
                records.close();
            }
        }
    }

    /// This tree in few bytes; `None` where the parser gave up anywhere.
    pub(super) fn pack(&self) -> Option<PackedTree> {
        let pack = || PackedTree::of(&self.records, &self.comments, self.text.len());
        (!self.has_errors).then(pack)
    }

    /// The tree of a text that was packed.
    pub(super) fn unpacked(text: &'t [u8], packed: &PackedTree) -> Option<Self> {
        let (records, comments) = packed.unpack(text)?;
        Some(Self::sound(text, records, comments))
    }

    /// The first node, by its place in the text, in which two trees of a text differ.
    pub fn differs(&self, other: &Self) -> Option<usize> {
        let pairs = self.records.iter().zip(&other.records);
        let place = |record: &NodeRecord| record.start as usize;
        // A node that one tree lacks shows in the lengths of all around it.
        let alike = |one: &NodeRecord, other: &NodeRecord| {
            NodeRecord {
                behind: other.behind,
                ..*one
            } == *other
        };
        let unlike = pairs.into_iter().find(|(one, other)| !alike(one, other));
        let longer = (self.records.len() != other.records.len())
            .then(|| self.records.len().min(other.records.len()))
            .and_then(|at| self.records.get(at).or_else(|| other.records.get(at)));
        unlike
            .map(|(one, _)| place(one))
            .or_else(|| longer.map(place))
            .or_else(|| {
                let mut comments = self.comments.iter().zip(&other.comments);
                let unlike = comments.find(|(one, other)| one != other);
                unlike.map(|(one, _)| one.start)
            })
    }

    #[inline]
    fn record(&self, node: NodeId) -> Option<&NodeRecord> {
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
    pub fn nodes(&self) -> impl DoubleEndedIterator<Item = NodeId> + ExactSizeIterator + use<> {
        self.visit(self.records.len());
        (0..self.records.len() as u32).map(NodeId)
    }

    /// How many nodes there are, and how many were gone through since this was asked last, by whoever looked at all of them,
    /// at those of some kinds, or at all below one.
    pub fn take_visits(&self) -> (usize, usize) {
        (self.records.len(), self.visits.swap(0, Ordering::Relaxed))
    }

    fn visit(&self, nodes: usize) {
        self.visits.fetch_add(nodes, Ordering::Relaxed);
    }

    /// The nodes of a kind, in the order of the text. Most kinds are few, so this is the cheap way
    /// to look for one.
    pub fn of(&self, kind: Kind) -> impl DoubleEndedIterator<Item = NodeId> {
        let found = self.by_kind().of(kind);
        self.visit(found.len());
        found.iter().copied()
    }

    /// The nodes of some kinds, in the order of the text.
    pub fn of_any(&self, kinds: &[Kind]) -> impl DoubleEndedIterator<Item = NodeId> + use<> {
        let all = self.by_kind();
        let mut found: Vec<NodeId> = kinds
            .iter()
            .flat_map(|&kind| all.of(kind))
            .copied()
            .collect();
        self.visit(found.len());
        // Each kind's are sorted already, which this sort takes advantage of.
        found.sort();
        found.into_iter()
    }

    fn by_kind(&self) -> &ByKind {
        self.by_kind.get_or_init(|| ByKind::new(&self.records))
    }

    /// The kind of a node.
    #[inline]
    pub fn kind(&self, node: NodeId) -> Kind {
        self.record(node).map_or(Kind::Other, |record| record.kind)
    }

    /// The part that a node has in its parent.
    #[inline]
    pub fn field(&self, node: NodeId) -> Field {
        self.record(node)
            .map_or(Field::Other, |record| record.field)
    }

    /// Whether the parser gave up at the node or around it.
    pub fn is_broken(&self, node: NodeId) -> bool {
        self.record(node).is_none_or(|record| record.broken)
    }

    /// Where a node stands.
    #[inline]
    pub fn range(&self, node: NodeId) -> TextRange {
        self.record(node).map_or(TextRange::new(0, 0), |record| {
            TextRange::new(record.start as usize, record.end as usize)
        })
    }

    /// The text of a node.
    #[inline]
    pub fn word(&self, node: NodeId) -> &'t [u8] {
        let text = self.text;
        let range = self.range(node);
        text.get(range.start..range.end).unwrap_or_default()
    }

    /// Whether a node is the name by which a method reaches its object or its class.
    pub fn is_self(&self, node: NodeId) -> bool {
        matches!(self.word(node), b"self" | b"cls")
    }

    /// The text of a node, for messages.
    pub fn shown(&self, node: NodeId) -> String {
        String::from_utf8_lossy(self.word(node)).into_owned()
    }

    /// The node around a node; `None` for the root.
    #[inline]
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
        let below = node.0 + 1..behind.max(node.0 + 1);
        self.visit(below.len());
        below.map(NodeId)
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

    /// The expressions of a decorated definition's decorators: names, or calls.
    pub fn decorators(&self, decorated: NodeId) -> impl Iterator<Item = NodeId> {
        let parts = self.children(decorated);
        let decorators = parts.filter(|&part| self.kind(part) == Kind::Decorator);
        decorators.filter_map(|decorator| self.nth(decorator, 0))
    }
}
