//! String literals: their value, and where each byte of it stands in the file.

use std::borrow::Cow;

use super::kind::Kind;
use super::records::NodeId;
use super::tree::Tree;
use crate::HOLE;
use torchada_text::{Fragment, TextRange};

/// A string literal, or several that Python takes for one because they follow each other.
#[derive(Clone, Debug)]
pub struct Literal {
    /// The whole literal.
    pub node: NodeId,
    value: Fragment,
    holes: usize,
    is_bytes: bool,
}

impl Literal {
    /// The literal at a node, if its value is known to its end.
    pub fn plain(tree: &Tree<'_>, node: NodeId) -> Option<Self> {
        Self::read(tree, node).filter(Self::is_plain)
    }

    /// The whole text of the literal at a node, if it is known.
    pub fn plain_text(tree: &Tree<'_>, node: NodeId) -> Option<String> {
        let literal = Self::plain(tree, node)?;
        String::from_utf8(literal.value().to_vec()).ok()
    }

    /// The whole text that a call gets as its argument at a place, if it is known.
    pub fn argument(tree: &Tree<'_>, call: NodeId, at: usize) -> Option<String> {
        Self::plain_text(tree, tree.argument(call, at)?)
    }

    /// The literal before an item of a list.
    pub fn before(tree: &Tree<'_>, item: NodeId) -> Option<Self> {
        let before = tree.ordinal(item).checked_sub(1)?;
        Self::read(tree, tree.nth(tree.parent(item)?, before)?)
    }

    /// Read the literal at a node; `None` where there is none, or where it is broken.
    pub fn read(tree: &Tree<'_>, node: NodeId) -> Option<Self> {
        if tree.is_broken(node) {
            return None;
        }
        let mut literal = Self {
            node,
            value: Fragment::default(),
            holes: 0,
            is_bytes: false,
        };
        match tree.kind(node) {
            Kind::Str => literal.push(tree, node),
            Kind::ConcatenatedString => {
                for part in tree.children(node) {
                    if tree.kind(part) == Kind::Str {
                        literal.push(tree, part);
                    }
                }
            }
            _ => return None,
        }
        Some(literal)
    }

    fn push(&mut self, tree: &Tree<'_>, string: NodeId) {
        for part in tree.children(string) {
            match tree.kind(part) {
                Kind::StringStart => {
                    let prefix = tree.word(part).to_ascii_lowercase();
                    self.is_bytes |= prefix.contains(&b'b');
                }
                Kind::StringContent => self.push_content(tree, part),
                Kind::Interpolation => {
                    self.holes += 1;
                    self.value.push_decoded(HOLE.as_bytes());
                }
                _ => {}
            }
        }
    }

    fn push_content(&mut self, tree: &Tree<'_>, content: NodeId) {
        let range = tree.range(content);
        let mut from = range.start;
        for escape in tree.children(content) {
            let at = tree.range(escape);
            self.value
                .push_verbatim(tree.text(), TextRange::new(from, at.start));
            self.value.push_decoded(decoded(tree.word(escape)));
            from = at.end;
        }
        self.value
            .push_verbatim(tree.text(), TextRange::new(from, range.end));
    }

    /// The value; an expression that is put in shows as [`HOLE`].
    pub fn value(&self) -> &[u8] {
        self.value.text()
    }

    /// The value as text, for messages and comparisons.
    pub fn text(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(self.value())
    }

    /// How many expressions are put in.
    pub fn holes(&self) -> usize {
        self.holes
    }

    /// Whether the value is known to its end.
    pub fn is_plain(&self) -> bool {
        self.holes == 0
    }

    /// Whether it is made of bytes.
    pub fn is_bytes(&self) -> bool {
        self.is_bytes
    }

    /// The value with its map to the file.
    pub fn fragment(&self) -> &Fragment {
        &self.value
    }

    /// Where a range of the value stands in the file, byte for byte; `None` where an escape, a
    /// seam or an expression lies in between.
    pub fn in_file(&self, range: TextRange) -> Option<TextRange> {
        self.value.to_file(range)
    }
}

/// The character that an escape stands for, if it is one that can occur in names.
fn decoded(escape: &[u8]) -> &'static [u8] {
    match escape {
        b"\\n" => b"\n",
        b"\\t" => b"\t",
        b"\\r" => b"\r",
        b"\\\\" => b"\\",
        b"\\'" => b"'",
        b"\\\"" => b"\"",
        b"\\\n" | b"\\\r\n" => b"",
        b"{{" => b"{",
        b"}}" => b"}",
        _ => b"?",
    }
}
