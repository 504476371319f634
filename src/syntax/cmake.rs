//! `CMake`: the commands of a file with their arguments, the blocks that they stand in, and the comments.

use rustc_hash::FxHashMap;
use tree_sitter::{Node, Tree};

use super::tree::{cmake_text, parse_cmake};
use torchada_text::TextRange;

/// The ways in which an argument is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Quoting {
    /// Without quotes or brackets: a list in the argument is several arguments.
    Bare,
    /// In quotes.
    Quoted,
    /// In brackets: nothing in it is put in.
    Bracket,
}

/// One argument of a command.
#[derive(Clone, Copy, Debug)]
pub struct Argument {
    /// The whole argument, with its quotes.
    pub range: TextRange,
    /// The text between the quotes.
    pub inner: TextRange,
    /// The way in which the argument is written.
    pub quoting: Quoting,
}

/// One command.
#[derive(Clone, Debug)]
pub struct Command {
    /// Its index among the commands of its file.
    pub at: usize,
    /// Its name.
    pub name: TextRange,
    /// The command's name in lower case.
    pub lower: Box<str>,
    /// From its name to its closing parenthesis.
    pub range: TextRange,
    /// Its arguments, without parentheses inside them.
    pub arguments: Vec<Argument>,
    /// The command that opens the block around it: an `if`, `elseif`, `else`, `foreach`, `function`, ….
    pub block: Option<usize>,
    /// The `if` that an `elseif` or `else` belongs to.
    pub head: Option<usize>,
    /// The `if` or `elseif` that an `elseif` or `else` stands behind.
    pub before: Option<usize>,
}

impl Command {
    /// Its name in lower case: `CMake` knows no difference.
    pub fn lower_name(&self) -> &str {
        &self.lower
    }

    /// Whether it opens a branch of the `if` at an index: it is that `if`, or one of its `elseif`s and its `else`.
    pub fn is_branch_of(&self, head: usize) -> bool {
        self.at == head || self.head == Some(head)
    }

    /// The range of an argument, or of the whole command where it has none at this place.
    pub fn range_of(&self, place: usize) -> TextRange {
        let argument = self.arguments.get(place);
        argument.map_or(self.range, |one| one.range)
    }
}

/// A file of `CMake`'s.
#[derive(Clone, Default, Debug)]
pub struct Cmake {
    /// Its commands, by place.
    pub commands: Vec<Command>,
    /// Its comments, by place.
    pub comments: Vec<TextRange>,
    /// Where the text begins that the grammar can't read, if there is such a text.
    pub fault: Option<usize>,
    /// The commands of each name, by their first argument.
    by_first: FxHashMap<Box<str>, ByWord>,
    /// Functions and macros, by their names in lower case.
    definitions: ByWord,
}

/// Places of commands by a word.
type ByWord = FxHashMap<Box<[u8]>, Vec<usize>>;

impl Cmake {
    /// Take a text apart. What the grammar can't read is left out.
    pub fn read(text: &[u8]) -> Self {
        let tree = parse_cmake(&cmake_text(text), None);
        tree.map_or_else(Self::default, |tree| Self::of(text, &tree))
    }

    /// The commands and comments of a text with a tree.
    pub(super) fn of(text: &[u8], tree: &Tree) -> Self {
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

    /// Whether the command at `inner` stands in the block that the one at `outer` opens, at any depth.
    pub fn is_inside(&self, inner: usize, outer: usize) -> bool {
        self.blocks(inner).any(|block| block == outer)
    }

    /// The commands that open the blocks around one, from the inside out.
    pub fn blocks(&self, at: usize) -> impl Iterator<Item = usize> {
        self.blocks_around(self.commands.get(at))
    }

    /// The command that opens the nearest block of some kinds around one: `function`, `macro`.
    pub fn block_of(&self, at: usize, kinds: &[&str]) -> Option<usize> {
        self.blocks(at).find(|&block| {
            let opener = self.commands.get(block);
            opener.is_some_and(|one| kinds.contains(&one.lower_name()))
        })
    }

    /// The function or macro whose body a command stands in.
    pub fn function_around(&self, at: usize) -> Option<usize> {
        self.block_of(at, &["function", "macro"])
    }

    fn blocks_around(&self, command: Option<&Command>) -> impl Iterator<Item = usize> {
        let block = command.and_then(|one| one.block);
        std::iter::successors(block, |&at| self.commands.get(at)?.block)
    }

    /// Whether no pass over the file comes to both of two commands: they stand in different branches of
    /// one `if`, or of two with the same condition.
    pub fn are_alternatives(&self, text: &[u8], one: &Command, other: &Command) -> bool {
        let branches_around = |command: &Command| {
            let mut branches_around: Vec<(usize, usize)> = Vec::new();
            for at in self.blocks_around(Some(command)) {
                let Some(opener) = self.commands.get(at) else {
                    break;
                };
                match opener.lower_name() {
                    "if" | "elseif" | "else" => {
                        branches_around.push((opener.head.unwrap_or(at), at));
                    }
                    // A body that runs again may run another branch each time.
                    "foreach" | "while" | "macro" => branches_around.clear(),
                    _ => {}
                }
            }
            branches_around
        };
        let condition_of = |head: usize| {
            let head = self.commands.get(head);
            head.map(|head| TextRange::new(head.name.end, head.range.end).of(text))
        };
        let theirs = branches_around(other);
        branches_around(one).into_iter().any(|(head, branch)| {
            theirs.iter().any(|&(their_head, their_branch)| {
                let is_first = [branch == head, their_branch == their_head];
                (head == their_head && branch != their_branch)
                    || (condition_of(head) == condition_of(their_head)
                        && is_first[0] != is_first[1])
            })
        })
    }

    /// The commands of this name whose first argument is `first`.
    pub fn with_first(&self, name: &str, first: &[u8]) -> impl Iterator<Item = &Command> {
        let found = self.by_first.get(name).and_then(|all| all.get(first));
        let found = found.into_iter().flatten();
        found.filter_map(|&at| self.commands.get(at))
    }

    /// The places of the commands that define a function or a macro, whose name may be written in any case.
    pub fn definitions(&self, name: &str) -> impl Iterator<Item = usize> {
        let name = name.to_ascii_lowercase();
        let found = self.definitions.get(name.as_bytes()).into_iter().flatten();
        found.copied()
    }

    /// The names of the functions and macros that the file defines, in lower case, in no order.
    pub fn defined_names(&self) -> impl Iterator<Item = &[u8]> {
        self.definitions.keys().map(|name| &**name)
    }

    /// The commands in the block that one opens.
    pub fn inside(&self, opener: usize) -> impl Iterator<Item = &Command> {
        let behind =
            (opener + 1..self.commands.len()).take_while(move |&at| self.is_inside(at, opener));
        behind.filter_map(|at| self.commands.get(at))
    }

    /// The place of the command that covers a range.
    pub fn place_of(&self, range: TextRange) -> Option<usize> {
        let behind = self
            .commands
            .partition_point(|one| one.range.start <= range.start);
        let at = behind.checked_sub(1)?;
        self.commands.get(at)?.range.covers(range).then_some(at)
    }

    /// The commands that a change of a range touches: those with a byte in it, or in whose middle an empty one lies.
    pub fn touching(&self, range: TextRange) -> &[Command] {
        let from = self
            .commands
            .partition_point(|one| one.range.end <= range.start);
        let behind = self.commands.get(from..).unwrap_or_default();
        let count = behind.partition_point(|one| one.range.start < range.end);
        behind.get(..count).unwrap_or_default()
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

    #[test]
    fn arms_of_one_condition_exclude_each_other() {
        let text = b"if(A)\n  a()\nelseif(B)\n  b()\nelse()\n  c()\nendif()\nif(A)\n  d()\nelse()\n  e()\nendif()\n\
            foreach(x y z)\n  if(A)\n    f()\n  else()\n    g()\n  endif()\nendforeach()\nif(C)\n  h()\nendif()\n";
        let file = Cmake::read(text);
        let named = |name: &str| {
            let mut all = file.commands.iter();
            all.find(|one| one.lower_name() == name)
                .expect("it is there")
        };
        let never_both = |one, other| file.are_alternatives(text, named(one), named(other));
        let never = [
            ("a", "b"),
            ("b", "c"),
            ("a", "c"),
            ("a", "e"),
            ("c", "d"),
            ("b", "d"),
        ];
        for (one, other) in never {
            let both_ways = never_both(one, other) && never_both(other, one);
            assert!(both_ways, "{one} {other}");
        }
        for (one, other) in [("a", "d"), ("f", "g"), ("a", "g"), ("a", "h"), ("a", "a")] {
            assert!(!never_both(one, other), "{one} {other}");
        }
    }
}
