//! The order in which the lists of a tree run: what nothing includes first, then the others, then the functions that
//! nothing calls.

use super::run::Runner;
use super::scopes::Scopes;
use crate::tree::paths;
use torchada_syntax::cmake::Command;

impl Runner<'_> {
    /// Run all files of the tree.
    pub(super) fn run_all(&mut self) {
        let tree = self.tree;
        let lists = tree.lists();
        let is_main = |at: usize| paths::file_name(tree.path(at)) == "CMakeLists.txt";
        // A list above comes before those below, which it may add.
        let mut mains: Vec<usize> = lists.iter().copied().filter(|&at| is_main(at)).collect();
        mains.sort_by_key(|&at| (tree.path(at).matches('/').count(), tree.path(at)));
        let others = lists.iter().copied().filter(|&at| !is_main(at));
        for at in mains.into_iter().chain(others) {
            if !self.visited.contains(&at) {
                self.start(at);
            }
        }
        self.uncalled(&lists);
    }

    /// Make everything new for a list, but for the variables of the nearest folder above. Returns whether one has run.
    fn enter(&mut self, list: usize) -> bool {
        let path = self.tree.path(list);
        let variables = paths::folders(path).find_map(|one| self.ends.get(one).cloned());
        let is_below = variables.is_some();
        self.folders = vec![paths::folder(path).into()];
        self.scopes = Scopes::new(variables.unwrap_or_default(), self.limits());
        self.macros.clear();
        is_below
    }

    /// Run a list that nothing run before has added, with the variables of the nearest folder above.
    fn start(&mut self, list: usize) {
        if !self.enter(list) {
            paths::folder(self.tree.path(list)).clone_into(&mut self.root);
        }
        self.share();
        self.list(list);
    }

    /// Let what is run next have half of the steps that are left: one project of a tree may use them up, and those beside
    /// it have theirs.
    fn share(&mut self) {
        self.last_step = self.steps + self.limits().steps.saturating_sub(self.steps) / 2;
    }

    /// Run the functions that nothing calls, with parameters that are not known.
    fn uncalled(&mut self, lists: &[usize]) {
        for &at in lists {
            let Some(file) = self.tree.file(at) else {
                continue;
            };
            for place in 0..file.commands.commands.len() {
                let kind = file.commands.commands.get(place).map(Command::lower_name);
                let is_one = matches!(kind, Some("function" | "macro"));
                if !is_one || self.called.contains(&(at, place)) || self.is_local((at, place)) {
                    continue;
                }
                self.enter(at);
                self.lists.push(at);
                self.files.push(at);
                let end = self.ends_of(at).get(place).copied().unwrap_or(place);
                self.in_function += 1;
                self.share();
                self.run(at, place + 1, end);
                self.in_function -= 1;
                self.files.pop();
                self.lists.pop();
            }
        }
    }
}
