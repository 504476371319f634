//! A file of `CMake`'s that somebody edits: each text is parsed with the tree of the one before.

use tree_sitter::{InputEdit, Point, Tree};

use super::cmake::Cmake;
use super::tree::{cmake_text, parse_cmake};
use torchada_text::{Moved, line_start};

/// The last text of a file of `CMake`'s in an editor.
#[derive(Clone, Debug)]
pub struct EditedCmake {
    /// Its commands and comments.
    pub file: Cmake,
    /// What the grammar read.
    parsed: Vec<u8>,
    tree: Tree,
}

impl EditedCmake {
    /// Read a text, after the `last` one of the same file. `None` where it can't be parsed.
    pub fn read(text: &[u8], last: Option<Self>) -> Option<Self> {
        let parsed = cmake_text(text);
        let tree = last.and_then(|last| last.reparse(&parsed));
        // How the grammar recovers from an error depends on the tree before: a file is to be read as it is when it is saved.
        let sound = tree.filter(|tree| !tree.root_node().has_error());
        let tree = sound.or_else(|| parse_cmake(&parsed, None))?;
        let file = Cmake::of(text, &tree);
        Some(Self { file, parsed, tree })
    }

    /// The tree of a text that differs from this one in one stretch.
    fn reparse(mut self, parsed: &[u8]) -> Option<Tree> {
        let moved = Moved::between(&self.parsed, parsed);
        self.tree.edit(&InputEdit {
            start_byte: moved.start,
            old_end_byte: moved.old_end,
            new_end_byte: moved.new_end,
            start_position: point_at(parsed, moved.start),
            old_end_position: point_at(&self.parsed, moved.old_end),
            new_end_position: point_at(parsed, moved.new_end),
        });
        parse_cmake(parsed, Some(&self.tree))
    }
}

/// The line and the byte in it of an offset, both counted from 0.
fn point_at(text: &[u8], offset: usize) -> Point {
    let before = text.get(..offset).unwrap_or_default();
    let lines = memchr::memchr_iter(b'\n', before).count();
    Point::new(lines, offset - line_start(text, offset))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_text_is_read_as_if_it_were_the_first() {
        let start = b"if(A) # why\n  set(B \"c;d\" [[e]])\nelse()\n  foreach(f IN LISTS B)\n    g(${f})\n  endforeach()\nendif()\n";
        let mut last = EditedCmake::read(start, None);
        for at in 0..=start.len() {
            for put_in in ["", "x", "\n", "(", "\"", "# ", "h(i)\n"] {
                let (before, behind) = start.split_at(at);
                let behind = behind.get(usize::from(put_in.is_empty())..);
                let text = [before, put_in.as_bytes(), behind.unwrap_or_default()].concat();
                let read = EditedCmake::read(&text, last).expect("parsed");
                let alone = Cmake::read(&text);
                let shown = String::from_utf8_lossy(&text);
                assert_eq!(
                    format!("{:?}", read.file.commands),
                    format!("{:?}", alone.commands),
                    "{shown}"
                );
                assert_eq!(read.file.comments, alone.comments, "{shown}");
                last = Some(read);
            }
        }
    }
}
