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

    /// Run a list that nothing run before has added, with the variables of the nearest folder above.
    fn start(&mut self, list: usize) {
        let folder = paths::folder(self.tree.path(list)).to_owned();
        let mut above = paths::folders(self.tree.path(list));
        let variables = above.find_map(|one| self.ends.get(one).cloned());
        if variables.is_none() {
            self.root.clone_from(&folder);
        }
        self.scopes = Scopes::new(variables.unwrap_or_default(), self.limits());
        self.macros.clear();
        self.folders = vec![folder.into()];
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
                let folder = paths::folder(self.tree.path(at)).to_owned();
                let variables = paths::folders(self.tree.path(at));
                let variables = variables
                    .map(str::to_owned)
                    .find_map(|one| self.ends.get(&one));
                let variables = variables.cloned().unwrap_or_default();
                self.scopes = Scopes::new(variables, self.limits());
                self.macros.clear();
                self.folders = vec![folder.into()];
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
