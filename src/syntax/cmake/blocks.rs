//! The blocks of a file of `CMake`'s: what stands in which, and which commands exclude each other.

use rustc_hash::FxHashMap;

use super::{Cmake, Command};
use torchada_text::TextRange;

impl Cmake {
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
        // The branch of each `if` around the other, and whether a condition holds there, is passed over, or both.
        let mut branch_of: FxHashMap<usize, usize> = FxHashMap::default();
        let mut ways_of: FxHashMap<Option<&[u8]>, [bool; 2]> = FxHashMap::default();
        for (head, branch) in branches_around(other) {
            branch_of.insert(head, branch);
            let [holds, fails] = ways_of.entry(condition_of(head)).or_default();
            *(if branch == head { holds } else { fails }) = true;
        }
        branches_around(one).into_iter().any(|(head, branch)| {
            let theirs = branch_of.get(&head);
            let ways = ways_of.get(&condition_of(head));
            theirs.is_some_and(|&theirs| theirs != branch)
                || ways.is_some_and(|&[holds, fails]| if branch == head { fails } else { holds })
        })
    }

    /// The commands in the block that one opens.
    pub fn inside(&self, opener: usize) -> impl Iterator<Item = &Command> {
        let behind =
            (opener + 1..self.commands.len()).take_while(move |&at| self.is_inside(at, opener));
        behind.filter_map(|at| self.commands.get(at))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
