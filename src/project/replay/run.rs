//! Runs the files of `CMake`'s of a tree without a build: each branch that the build may take, each call of a function.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use regex::Regex;
use rustc_hash::{FxHashMap, FxHashSet};

use super::result::{CommandPlace, Replay};
use super::scopes::{Changes, Scopes, Variables};
use super::tree::{BuildFile, BuildTree};
use super::value::Origin;
use crate::mapping::knowledge::Knowledge;
use crate::project::{AskedPlatform, asked_platform, paths};
use crate::syntax::cmake::Command;

/// How many commands are run; a long list counts as several.
const MOST_STEPS: usize = 1_000_000;

/// How many calls and files may stand inside each other.
pub(super) const DEEPEST: usize = 40;

/// A run of the files of a tree.
pub(super) struct Runner<'a> {
    pub(super) tree: &'a BuildTree<'a>,
    pub(super) knowledge: &'a Knowledge,
    /// Whether MUSA's branches are taken, because the tree is a port.
    is_port: bool,
    pub(super) scopes: Scopes,
    /// The arguments of open macros, which are put in as text; `None` in a function.
    pub(super) macros: Vec<Option<Variables>>,
    /// The lists that are open, the innermost last.
    pub(super) lists: Vec<usize>,
    /// The files whose commands run: lists, and those that define the open functions.
    pub(super) files: Vec<usize>,
    /// The folders that are open.
    folders: Vec<String>,
    /// The folder of the outermost list.
    pub(super) root: String,
    /// What was defined last under a name in lower case.
    pub(super) defined: FxHashMap<String, CommandPlace>,
    /// What is defined anywhere in the tree.
    pub(super) all_defined: FxHashMap<String, CommandPlace>,
    /// The definitions that were called.
    pub(super) called: FxHashSet<CommandPlace>,
    /// The commands of lists that the open calls come from.
    pub(super) calls: Vec<CommandPlace>,
    /// Where the arguments of the open calls stand: what a function names through them is its callers'.
    pub(super) passed: Vec<FxHashSet<Option<Origin>>>,
    /// The lists that were run.
    visited: BTreeSet<usize>,
    /// The variables at the end of each folder's list.
    ends: BTreeMap<String, Variables>,
    /// For each file the places where its blocks go on or end.
    blocks: FxHashMap<usize, Arc<Vec<usize>>>,
    pub(super) steps: usize,
    /// The patterns that were compiled last, by their texts.
    pub(super) patterns: RefCell<FxHashMap<String, Option<Regex>>>,
    /// The folder of each target.
    pub(super) made: FxHashMap<Arc<str>, Arc<str>>,
    pub(super) out: Replay,
}

/// Run the files of a tree: what nothing includes first, then the others, then the functions that nothing calls.
pub(super) fn run<'a>(tree: &'a BuildTree<'a>, knowledge: &'a Knowledge, is_port: bool) -> Replay {
    let mut runner = Runner {
        tree,
        knowledge,
        is_port,
        scopes: Scopes::new(Variables::default()),
        macros: Vec::new(),
        patterns: RefCell::default(),
        lists: Vec::new(),
        files: Vec::new(),
        folders: Vec::new(),
        root: String::new(),
        defined: FxHashMap::default(),
        all_defined: FxHashMap::default(),
        called: FxHashSet::default(),
        calls: Vec::new(),
        passed: Vec::new(),
        visited: BTreeSet::new(),
        ends: BTreeMap::new(),
        blocks: FxHashMap::default(),
        steps: 0,
        made: FxHashMap::default(),
        out: Replay::default(),
    };
    runner.index();
    let lists = tree.lists();
    let is_main = |at: usize| paths::file_name(tree.path(at)) == "CMakeLists.txt";
    // A list above comes before those below, which it may add.
    let mut mains: Vec<usize> = lists.iter().copied().filter(|&at| is_main(at)).collect();
    mains.sort_by_key(|&at| (tree.path(at).matches('/').count(), tree.path(at)));
    let others = lists.iter().copied().filter(|&at| !is_main(at));
    for at in mains.into_iter().chain(others) {
        if !runner.visited.contains(&at) {
            runner.start(at);
        }
    }
    runner.uncalled(&lists);
    runner.out
}

impl Runner<'_> {
    /// Note what is defined where.
    fn index(&mut self) {
        for at in self.tree.lists() {
            let Some(file) = self.tree.file(at) else {
                continue;
            };
            for (place, command) in file.commands.commands.iter().enumerate() {
                if !matches!(command.lower_name(), "function" | "macro") {
                    continue;
                }
                if let Some(name) = command.arguments.first() {
                    let name = String::from_utf8_lossy(name.inner.of(file.text));
                    let name = name.to_ascii_lowercase();
                    self.all_defined.entry(name).or_insert((at, place));
                }
            }
        }
    }

    /// Run a list that nothing run before has added, with the variables of the nearest folder above.
    fn start(&mut self, list: usize) {
        let folder = paths::folder(self.tree.path(list)).to_owned();
        let mut above = paths::folders(self.tree.path(list));
        let variables = above.find_map(|one| self.ends.get(one).cloned());
        if variables.is_none() {
            self.root.clone_from(&folder);
        }
        self.scopes = Scopes::new(variables.unwrap_or_default());
        self.macros.clear();
        self.folders = vec![folder];
        self.list(list);
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
                if !is_one || self.called.contains(&(at, place)) {
                    continue;
                }
                let folder = paths::folder(self.tree.path(at)).to_owned();
                let variables = paths::folders(self.tree.path(at));
                let variables = variables
                    .map(str::to_owned)
                    .find_map(|one| self.ends.get(&one));
                self.scopes = Scopes::new(variables.cloned().unwrap_or_default());
                self.macros.clear();
                self.folders = vec![folder];
                self.lists.push(at);
                self.files.push(at);
                let end = self.ends_of(at).get(place).copied().unwrap_or(place);
                self.run(at, place + 1, end);
                self.files.pop();
                self.lists.pop();
            }
        }
    }

    /// The folder whose list runs.
    pub(super) fn folder(&self) -> &str {
        self.folders.last().map_or("", String::as_str)
    }

    /// The list that runs.
    pub(super) fn current_list(&self) -> usize {
        self.lists.last().copied().unwrap_or(0)
    }

    /// The file whose commands run.
    pub(super) fn current_file(&self) -> usize {
        self.files.last().copied().unwrap_or(0)
    }

    /// Run a whole file, as `include` does.
    pub(super) fn list(&mut self, at: usize) {
        let Some(file) = self.tree.file(at) else {
            return;
        };
        if self.lists.len() >= DEEPEST || self.lists.contains(&at) {
            return;
        }
        self.visited.insert(at);
        self.lists.push(at);
        self.files.push(at);
        self.macros.push(None);
        self.run(at, 0, file.commands.commands.len());
        self.macros.pop();
        self.files.pop();
        self.lists.pop();
        if paths::file_name(self.tree.path(at)) == "CMakeLists.txt" {
            let folder = paths::folder(self.tree.path(at)).to_owned();
            let seen = self.scopes.seen();
            self.ends.insert(folder, seen);
        }
    }

    /// Run the list of a folder, as `add_subdirectory` does.
    pub(super) fn add_folder(&mut self, folder: String) {
        let path = if folder.is_empty() {
            "CMakeLists.txt".to_owned()
        } else {
            format!("{folder}/CMakeLists.txt")
        };
        let Some(list) = self.tree.at(&path) else {
            return;
        };
        self.folders.push(folder);
        self.scopes.push(Variables::default());
        self.list(list);
        self.scopes.pop();
        self.folders.pop();
    }

    /// The places where the blocks of a file go on or end, by the commands that open them.
    pub(super) fn ends_of(&mut self, at: usize) -> Arc<Vec<usize>> {
        if let Some(known) = self.blocks.get(&at) {
            return Arc::clone(known);
        }
        let ends = Arc::new(self.tree.file(at).map_or_else(Vec::new, ends));
        self.blocks.insert(at, Arc::clone(&ends));
        ends
    }

    /// Run the commands of a file from one place up to another.
    pub(super) fn run(&mut self, file: usize, from: usize, to: usize) {
        let Some(source) = self.tree.file(file) else {
            return;
        };
        let ends = self.ends_of(file);
        let open = self.scopes.branches();
        let mut at = from;
        while at < to {
            let Some(command) = source.commands.commands.get(at) else {
                return;
            };
            self.steps += 1;
            if self.steps > MOST_STEPS {
                self.out.stopped.get_or_insert((file, at));
                return;
            }
            let end = ends.get(at).copied().unwrap_or(at);
            match command.lower_name() {
                "if" => at = self.branches(file, at, &ends),
                "foreach" => {
                    self.each(file, at, end);
                    at = end + 1;
                }
                "while" => {
                    self.scopes.begin();
                    self.run(file, at + 1, end);
                    let once = self.scopes.end();
                    self.scopes.join(&[once], true);
                    at = end + 1;
                }
                "function" | "macro" => {
                    if let Some(name) = command.arguments.first() {
                        let name = String::from_utf8_lossy(name.inner.of(source.text));
                        self.defined.insert(name.to_ascii_lowercase(), (file, at));
                    }
                    at = end + 1;
                }
                "return" if self.scopes.branches() == open => return,
                _ => {
                    let arguments = self.arguments(file, &command.arguments);
                    let items = arguments.iter().map(|one| one.value.items().len());
                    self.steps += items.sum::<usize>() / 2;
                    self.command((file, at), command.lower_name(), &arguments);
                    at += 1;
                }
            }
        }
    }

    /// Run the branches of an `if`. Returns the place behind it.
    fn branches(&mut self, file: usize, head: usize, ends: &[usize]) -> usize {
        let Some(source) = self.tree.file(file) else {
            return head + 1;
        };
        let name_at = |at: usize| source.commands.commands.get(at).map(Command::lower_name);
        let mut taken: Vec<Changes> = Vec::new();
        let mut at = head;
        let (mut has_else, mut is_musas) = (false, false);
        loop {
            let next = ends.get(at).copied().unwrap_or(at);
            let is_else = name_at(at) == Some("else");
            has_else |= is_else;
            let asked = if is_else {
                is_musas.then_some(AskedPlatform::Musa)
            } else {
                self.asked(source, at)
            };
            is_musas |= asked == Some(AskedPlatform::Musa);
            let skips = match asked {
                Some(AskedPlatform::Other) => true,
                Some(AskedPlatform::Musa) => is_else || !self.is_port,
                None => false,
            };
            if !skips {
                self.scopes.begin();
                self.run(file, at + 1, next);
                taken.push(self.scopes.end());
            }
            if !matches!(name_at(next), Some("elseif" | "else")) || next <= at {
                self.scopes.join(&taken, !has_else || taken.is_empty());
                return next.max(at) + 1;
            }
            at = next;
        }
    }

    /// The platform that a condition asks for.
    fn asked(&self, source: BuildFile<'_>, at: usize) -> Option<AskedPlatform> {
        let command = source.commands.commands.get(at)?;
        let words: Vec<_> = command
            .arguments
            .iter()
            .map(|one| String::from_utf8_lossy(one.inner.of(source.text)))
            .collect();
        let words: Vec<&str> = words.iter().map(AsRef::as_ref).collect();
        asked_platform(&words, self.knowledge)
    }
}

/// For each command that opens a block or a branch, the place of the one that ends it, or begins the next branch.
fn ends(file: BuildFile<'_>) -> Vec<usize> {
    let commands = &file.commands.commands;
    let mut ends = vec![commands.len(); commands.len()];
    let mut open: Vec<usize> = Vec::new();
    for (at, command) in commands.iter().enumerate() {
        match command.lower_name() {
            "if" | "foreach" | "while" | "function" | "macro" => open.push(at),
            "elseif" | "else" => {
                if let Some(end) = open.pop().and_then(|before| ends.get_mut(before)) {
                    *end = at;
                }
                open.push(at);
            }
            "endif" | "endforeach" | "endwhile" | "endfunction" | "endmacro" => {
                if let Some(end) = open.pop().and_then(|before| ends.get_mut(before)) {
                    *end = at;
                }
            }
            _ => {}
        }
    }
    ends
}
