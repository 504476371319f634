//! A tree in a few bytes for each node, for texts of which a tree is needed again and again.
//!
//! A tree's array takes some six times the memory of its text, and to parse the text takes a hundred nanoseconds for each
//! node. A packed tree is smaller than the text, and the array comes back from it in a tenth of the time.

use serde::{Deserialize, Serialize};

use super::kind::{Field, Kind};
use super::records::{NodeRecord, Records};
use torchada_text::TextRange;

/// The tree of a text in which no parser gave up, without the text.
#[derive(Debug)]
pub struct PackedTree {
    nodes: Box<[u8]>,
    comments: Box<[u8]>,
    /// The number of the nodes.
    count: usize,
    /// The bytes of the text.
    length: usize,
}

/// What of a node does not follow from the nodes before it. Most numbers take one byte.
#[derive(Serialize, Deserialize)]
struct PackedNode {
    kind: Kind,
    field: Field,
    /// The bytes from the start of the node before. Behind some stars it is negative.
    start: i32,
    /// The bytes of the node.
    length: u32,
    /// The number of nodes below it.
    below: u32,
}

/// The most bytes that one packed node or comment takes.
const LARGEST: usize = 24;

impl PackedTree {
    /// Pack the array of a tree. `None` where a number does not fit.
    pub(super) fn of(
        records: &[NodeRecord],
        comments: &[TextRange],
        length: usize,
    ) -> Option<Self> {
        let mut nodes = Vec::with_capacity(records.len() * 6);
        let mut before = 0;
        let mut room = [0; LARGEST];
        for (id, record) in (0..).zip(records) {
            let node = PackedNode {
                kind: record.kind,
                field: record.field,
                start: record.start.checked_signed_diff(before)?,
                length: record.end.checked_sub(record.start)?,
                below: record.behind.checked_sub(id + 1)?,
            };
            before = record.start;
            nodes.extend_from_slice(postcard::to_slice(&node, &mut room).ok()?);
        }
        let mut places = Vec::new();
        for comment in comments {
            let place = (comment.start, comment.end);
            places.extend_from_slice(postcard::to_slice(&place, &mut room).ok()?);
        }
        Some(Self {
            nodes: nodes.into(),
            comments: places.into(),
            count: records.len(),
            length,
        })
    }

    /// How many bytes it takes.
    pub fn size(&self) -> usize {
        self.nodes.len() + self.comments.len()
    }

    /// The array of the tree and its comments; `None` for another text than that of the tree, by its length.
    pub(super) fn unpack(&self, text: &[u8]) -> Option<(Vec<NodeRecord>, Vec<TextRange>)> {
        if text.len() != self.length {
            return None;
        }
        let mut records = Records::for_nodes(self.count);
        // For each open node, the first node that is not below it.
        let mut open: Vec<u32> = Vec::new();
        let (mut id, mut before) = (0_u32, 0_u32);
        let mut rest = &*self.nodes;
        while !rest.is_empty() {
            let (node, behind) = postcard::take_from_bytes::<PackedNode>(rest).ok()?;
            rest = behind;
            while open.pop_if(|behind| *behind == id).is_some() {
                records.close();
            }
            before = before.checked_add_signed(node.start)?;
            let end = before.checked_add(node.length)?;
            records.open(node.kind, node.field, before as usize, end as usize, false);
            id += 1;
            open.push(id.checked_add(node.below)?);
        }
        for _ in open {
            records.close();
        }
        let mut comments = Vec::new();
        let mut rest = &*self.comments;
        while !rest.is_empty() {
            let ((start, end), behind) = postcard::take_from_bytes(rest).ok()?;
            rest = behind;
            comments.push(TextRange::new(start, end));
        }
        Some((records.all, comments))
    }
}

#[cfg(test)]
mod tests {
    use super::super::tree::Tree;

    #[test]
    fn a_tree_comes_back_as_it_was() {
        for text in [
            "",
            "# a comment\nimport a.b as c  # and one\n",
            "def f(a, *b: int, c=1, **d) -> None:\n    return [*a.b, *c(d)[0], not a or b == c < d]\n",
            "class A(B, metaclass=C):\n    x: int = f'{a!r:>{width}}' 'b' \"c\"\n",
            "match a:\n    case [1, *_] | {'a': b}:\n        pass\n",
        ] {
            let tree = Tree::new(text.as_bytes()).expect("a tree");
            let packed = tree.pack().expect("packed");
            let again = Tree::unpacked(text.as_bytes(), &packed).expect("unpacked");
            assert_eq!(format!("{tree:?}"), format!("{again:?}"), "{text}");
        }
        let changed = Tree::new(b"a").and_then(|tree| Tree::unpacked(b"a = 1", &tree.pack()?));
        assert!(changed.is_none());
        let broken = Tree::new(b"def (").expect("a tree");
        assert!(broken.pack().is_none());
    }
}
