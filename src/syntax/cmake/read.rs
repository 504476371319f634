//! Takes a file of `CMake`'s apart by the grammar's tree.

use tree_sitter::{Node, Tree};

use super::{Argument, Cmake, Command, Quoting};
use crate::tree::{cmake_text, parse_cmake};
use torchada_text::TextRange;

impl Cmake {
    /// Take a text apart. What the grammar can't read is left out.
    pub fn read(text: &[u8]) -> Self {
        let tree = parse_cmake(&cmake_text(text), None);
        tree.map_or_else(Self::default, |tree| Self::of(text, &tree))
    }

    /// The commands and comments of a text with a tree.
    pub(crate) fn of(text: &[u8], tree: &Tree) -> Self {
        let mut file = Self::default();
        let mut cursor = tree.walk();
        loop {
            let node = cursor.node();
            let kind = node.kind();
            if file.fault.is_none() && (node.is_error() || node.is_missing()) {
                file.fault = Some(node.start_byte());
            }
            if matches!(kind, "line_comment" | "bracket_comment") {
                let range = range_of(node);
                let end = range.start + range.of(text).trim_ascii_end().len();
                file.comments.push(TextRange::new(range.start, end));
            } else if kind.ends_with("_command") {
                file.commands.extend(command(node, text));
            }
            if cursor.goto_first_child() {
                continue;
            }
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    file.commands.sort_by_key(|one| one.range.start);
                    file.comments.sort_by_key(|one| one.start);
                    file.nest();
                    file.index(text);
                    return file;
                }
            }
        }
    }

    /// Make all that is looked up.
    fn index(&mut self, text: &[u8]) {
        for (at, one) in self.commands.iter().enumerate() {
            let name = &one.lower;
            let Some(first) = one.arguments.first() else {
                continue;
            };
            let first = first.inner.of(text);
            let known = self.by_first.entry(name.clone()).or_default();
            known.entry(first.into()).or_default().push(at);
            if matches!(&**name, "function" | "macro") {
                let defined = first.to_ascii_lowercase();
                self.definitions.entry(defined.into()).or_default().push(at);
            }
        }
    }

    /// Tell each command its index and the block around it.
    fn nest(&mut self) {
        // The opener of each open block, and the command that began it.
        let mut open: Vec<(usize, usize)> = Vec::new();
        for at in 0..self.commands.len() {
            let Some(one) = self.commands.get_mut(at) else {
                continue;
            };
            one.at = at;
            let name = one.lower.clone();
            let outside = |open: &[(usize, usize)]| open.last().map(|(opener, _)| *opener);
            match &*name {
                "if" | "foreach" | "while" | "function" | "macro" | "block" => {
                    one.block = outside(&open);
                    open.push((at, at));
                }
                "elseif" | "else" => {
                    let last = open.pop();
                    one.head = last.map(|(_, head)| head);
                    one.before = last.map(|(opener, _)| opener);
                    one.block = outside(&open);
                    open.push((at, one.head.unwrap_or(at)));
                }
                "endif" | "endforeach" | "endwhile" | "endfunction" | "endmacro" | "endblock" => {
                    open.pop();
                    one.block = outside(&open);
                }
                _ => one.block = outside(&open),
            }
        }
    }
}

fn range_of(node: Node<'_>) -> TextRange {
    TextRange::new(node.start_byte(), node.end_byte())
}

fn command(node: Node<'_>, text: &[u8]) -> Option<Command> {
    let mut cursor = node.walk();
    let name = node.children(&mut cursor).find(Node::is_named)?;
    let mut arguments = Vec::new();
    let mut inner = node.walk();
    for child in node.children(&mut cursor) {
        match child.kind() {
            "argument_list" => {
                let listed = child.children(&mut inner);
                for one in listed.filter_map(argument) {
                    push(&mut arguments, one);
                }
            }
            _ => arguments.extend(argument(child)),
        }
    }
    let name = range_of(name);
    let lower = String::from_utf8_lossy(name.of(text)).to_ascii_lowercase();
    Some(Command {
        at: 0,
        name,
        lower: lower.into(),
        range: range_of(node),
        arguments,
        block: None,
        head: None,
        before: None,
    })
}

/// Put an argument behind others. Quotes inside of one without are a part of it: `-DNAME="a b"`.
fn push(arguments: &mut Vec<Argument>, next: Argument) {
    match arguments.last_mut() {
        Some(last) if last.quoting == Quoting::Bare && last.range.end == next.range.start => {
            last.range.end = next.range.end;
            last.inner = last.range;
        }
        _ => arguments.push(next),
    }
}

fn argument(node: Node<'_>) -> Option<Argument> {
    let written = (node.kind() == "argument")
        .then(|| node.child(0))
        .flatten()?;
    let range = range_of(written);
    let inside = |by: usize| TextRange::new(range.start + by, range.end - by);
    let (inner, quoting) = match written.kind() {
        "quoted_argument" if range.len() >= 2 => (inside(1), Quoting::Quoted),
        "bracket_argument" => {
            let mut cursor = written.walk();
            let mut children = written.children(&mut cursor);
            let content = children.find(|one| one.kind() == "bracket_argument_content")?;
            (range_of(content), Quoting::Bracket)
        }
        _ => (range, Quoting::Bare),
    };
    Some(Argument {
        range,
        inner,
        quoting,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_know_their_arguments_and_blocks() {
        let text = b"if(A AND (B))\n  set(X \"a b\" c) # why\nelse()\n  set(Y [[z]] ${Q}.cu)\nendif()\nset(Z --a=\"b c\"d \"e\")\n";
        let file = Cmake::read(text);
        let shown: Vec<_> = file
            .commands
            .iter()
            .map(|one| {
                let inner = one.arguments.iter().map(|one| one.inner.of(text));
                let arguments: Vec<_> = inner.map(String::from_utf8_lossy).collect();
                (one.lower_name(), arguments.join("|"), one.block)
            })
            .collect();
        let want = [
            ("if", "A|AND|B", None),
            ("set", "X|a b|c", Some(0)),
            ("else", "", None),
            ("set", "Y|z|${Q}.cu", Some(2)),
            ("endif", "", None),
            ("set", "Z|--a=\"b c\"d|e", None),
        ];
        for (got, want) in shown.iter().zip(want) {
            assert_eq!((got.0, got.1.as_str(), got.2), want);
        }
        assert_eq!(shown.len(), want.len());
        assert_eq!(file.comments.len(), 1);
    }
}
