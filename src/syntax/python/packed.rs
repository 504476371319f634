//! A tree in a few bytes for each node, for texts of which a tree is needed again and again.
//!
//! A tree's array takes some six times the memory of its text, and to parse the text takes a hundred nanoseconds for each
//! node. A packed tree is smaller than the text, and the array comes back from it in a tenth of the time.

use super::kind::{Field, Kind};
use super::records::{NodeRecord, Records};
use torchada_text::TextRange;

/// The tree of a text in which no parser gave up, without the text.
#[derive(Debug)]
pub struct PackedTree {
    nodes: Box<[PackedNode]>,
    /// The numbers that take more than a byte, in the order of the nodes that they belong to.
    large: Box<[u32]>,
    comments: Box<[(u32, u32)]>,
    /// The bytes of the text.
    length: usize,
}

/// What of a node does not follow from the nodes before it. A number that is [`LARGE`] stands among the large ones.
#[derive(Debug)]
struct PackedNode {
    kind: Kind,
    field: Field,
    /// The bytes from the start of the node before.
    start: u8,
    /// The bytes of the node.
    length: u8,
    /// The number of nodes below it.
    below: u8,
}

/// The byte that says that a number takes more than a byte.
const LARGE: u8 = u8::MAX;

/// A number as a byte; as a large one where it does not fit into a byte.
fn packed(number: u32, large: &mut Vec<u32>) -> u8 {
    match u8::try_from(number) {
        Ok(byte) if byte != LARGE => byte,
        _ => {
            large.push(number);
            LARGE
        }
    }
}

/// The number that a byte stands for.
fn unpacked(byte: u8, large: &mut std::slice::Iter<'_, u32>) -> Option<u32> {
    match byte {
        LARGE => large.next().copied(),
        _ => Some(u32::from(byte)),
    }
}

impl PackedTree {
    /// Pack the array of a tree and its comments. `length` is that of the text in bytes.
    pub(super) fn of(records: &[NodeRecord], comments: &[TextRange], length: usize) -> Self {
        let mut large = Vec::with_capacity(records.len() / 8);
        let mut before = 0;
        let nodes = (0..).zip(records).map(|(id, record)| {
            // Behind some stars a node starts before the one in front: then the difference wraps, here and when it is unpacked.
            let start = record.start.wrapping_sub(before);
            before = record.start;
            PackedNode {
                kind: record.kind,
                field: record.field,
                start: packed(start, &mut large),
                length: packed(record.end.wrapping_sub(record.start), &mut large),
                below: packed(record.behind.wrapping_sub(id + 1), &mut large),
            }
        });
        let nodes = nodes.collect();
        let comments = comments.iter();
        Self {
            nodes,
            large: large.as_slice().into(),
            comments: comments
                .map(|comment| (comment.start as u32, comment.end as u32))
                .collect(),
            length,
        }
    }

    /// How many bytes of memory it takes.
    pub fn size(&self) -> usize {
        size_of_val(&*self.nodes) + size_of_val(&*self.large) + size_of_val(&*self.comments)
    }

    /// The array of the tree and its comments; `None` for another text than that of the tree, by its length.
    pub(super) fn unpack(&self, text: &[u8]) -> Option<(Vec<NodeRecord>, Vec<TextRange>)> {
        if text.len() != self.length {
            return None;
        }
        let mut records = Records::for_nodes(self.nodes.len());
        // For each open node, the first node that is not below it.
        let mut open: Vec<u32> = Vec::new();
        let mut large = self.large.iter();
        let mut start = 0_u32;
        for (id, node) in (0..).zip(&self.nodes) {
            while open.pop_if(|behind| *behind == id).is_some() {
                records.close();
            }
            start = start.wrapping_add(unpacked(node.start, &mut large)?);
            let end = start.wrapping_add(unpacked(node.length, &mut large)?);
            let behind = (id + 1).wrapping_add(unpacked(node.below, &mut large)?);
            records.open(node.kind, node.field, start as usize, end as usize, false);
            open.push(behind);
        }
        for _ in open {
            records.close();
        }
        let comments = self.comments.iter();
        let comments = comments.map(|&(start, end)| TextRange::new(start as usize, end as usize));
        Some((records.all, comments.collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::super::tree::Tree;

    #[test]
    fn a_tree_comes_back_as_it_was() {
        let long = format!("x = {{\n{}}}\n", "    'a': [1, b],\n".repeat(100));
        for text in [
            "",
            "# a comment\nimport a.b as c  # and one\n",
            "def f(a, *b: int, c=1, **d) -> None:\n    return [*a.b, *c(d)[0], not a or b == c < d]\n",
            "class A(B, metaclass=C):\n    x: int = f'{a!r:>{width}}' 'b' \"c\"\n",
            "match a:\n    case [1, *_] | {'a': b}:\n        pass\n",
            &long,
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
