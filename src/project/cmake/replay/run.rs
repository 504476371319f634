//! Runs the files of `CMake`'s of a tree without a build: each branch that the build may take, each call of a function.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use regex::Regex;
use rustc_hash::{FxHashMap, FxHashSet};

use super::arguments::{PassedArgument, is_literal};
use super::cause::Absence;
use super::handed::HandedBuilder;
use super::result::Replay;
use super::scopes::{Scopes, Variables};
use super::sources::CommandPlace;
use super::tree::{BuildFile, BuildTree};
use super::value::Origin;
use crate::platforms::cmake_condition::ConditionPlatform;
use crate::tree::paths;
use torchada_mapping::builds::WalkLimits;
use torchada_mapping::knowledge::Knowledge;
use torchada_syntax::cmake::{Argument, Command, Quoting};

/// A run of the files of a tree.
pub(super) struct Runner<'a> {
    pub(super) tree: &'a BuildTree<'a>,
    pub(super) knowledge: &'a Knowledge,
    /// Whether MUSA's branches are taken, because the tree is a port.
    pub(super) is_port: bool,
    /// What is asked besides: which words are handed to compilers, and why no build for MUSA does so.
    pub(super) judging: Option<HandedBuilder<'a>>,
    /// Why no build for MUSA comes to the place that runs.
    pub(super) path: Absence,
    /// How many functions and macros are open.
    pub(super) in_function: usize,
    pub(super) scopes: Scopes,
    /// The arguments of open macros, which are put in as text; `None` in a function.
    pub(super) macros: Vec<Option<Variables>>,
    /// The lists that are open, the innermost last.
    pub(super) lists: Vec<usize>,
    /// The files whose commands run: lists, and those that define the open functions.
    pub(super) files: Vec<usize>,
    /// The folders that are open.
    pub(super) folders: Vec<Arc<str>>,
    /// The folder of the outermost list.
    pub(super) root: String,
    /// What was defined last under a name in lower case.
    pub(super) defined: FxHashMap<String, CommandPlace>,
    /// What is defined anywhere in the tree.
    pub(super) all_defined: FxHashMap<String, CommandPlace>,
    /// The definitions whose calls are open, the innermost last.
    pub(super) open_calls: Vec<CommandPlace>,
    /// The definitions that were called.
    pub(super) called: FxHashSet<CommandPlace>,
    /// Which functions leave nothing behind.
    pub(super) local: FxHashMap<CommandPlace, bool>,
    /// The commands of lists that the open calls come from.
    pub(super) calls: Vec<CommandPlace>,
    /// Where the arguments of the open calls stand: what a function names through them is its callers'.
    pub(super) passed: Vec<FxHashSet<Option<Origin>>>,
    /// The lists that were run.
    pub(super) visited: BTreeSet<usize>,
    /// The variables at the end of each folder's list.
    pub(super) ends: BTreeMap<String, Variables>,
    /// For each file the places where its blocks go on or end.
    blocks: FxHashMap<usize, Arc<Vec<usize>>>,
    pub(super) steps: usize,
    /// The number of steps at which the outermost list, or the function that nothing calls, is given up.
    pub(super) last_step: usize,
    /// The arguments of commands without references to variables.
    literals: FxHashMap<CommandPlace, Arc<Vec<PassedArgument>>>,
    /// The platforms that conditions ask for.
    pub(super) platforms: FxHashMap<CommandPlace, Option<ConditionPlatform>>,
    /// The names of commands that make targets.
    pub(super) makers: FxHashSet<&'a str>,
    /// The patterns that were compiled last, by their texts. They are shared, since each copy of one works out its states anew.
    pub(super) patterns: RefCell<FxHashMap<String, Option<Arc<Regex>>>>,
    /// The folder of each target.
    pub(super) made: FxHashMap<Arc<str>, Arc<str>>,
    pub(super) out: Replay,
}

/// Run the files of a tree.
pub(super) fn run<'a>(
    tree: &'a BuildTree<'a>,
    knowledge: &'a Knowledge,
    is_port: bool,
    judging: Option<HandedBuilder<'a>>,
) -> (Replay, Option<HandedBuilder<'a>>) {
    let limits = knowledge.builds.cmake.limits;
    let mut runner = Runner {
        tree,
        knowledge,
        is_port,
        judging,
        path: None,
        in_function: 0,
        scopes: Scopes::new(Variables::default(), limits),
        macros: Vec::new(),
        literals: FxHashMap::default(),
        platforms: FxHashMap::default(),
        makers: knowledge.builds.cmake.all_makers().collect(),
        patterns: RefCell::default(),
        lists: Vec::new(),
        files: Vec::new(),
        folders: Vec::new(),
        root: String::new(),
        defined: FxHashMap::default(),
        all_defined: FxHashMap::default(),
        open_calls: Vec::new(),
        called: FxHashSet::default(),
        local: FxHashMap::default(),
        calls: Vec::new(),
        passed: Vec::new(),
        visited: BTreeSet::new(),
        ends: BTreeMap::new(),
        blocks: FxHashMap::default(),
        steps: 0,
        last_step: 0,
        made: FxHashMap::default(),
        out: Replay::default(),
    };
    runner.index();
    runner.run_all();
    (runner.out, runner.judging)
}

impl Runner<'_> {
    /// Note what is defined where.
    fn index(&mut self) {
        for at in self.tree.lists() {
            let Some(file) = self.tree.file(at) else {
                continue;
            };
            for command in &file.commands.commands {
                if !matches!(command.lower_name(), "function" | "macro") {
                    continue;
                }
                if let Some(name) = command.arguments.first() {
                    let name = String::from_utf8_lossy(name.inner.of(file.text));
                    let name = name.to_ascii_lowercase();
                    self.all_defined.entry(name).or_insert((at, command.at));
                }
            }
        }
    }

    /// The folder whose list runs.
    pub(super) fn folder(&self) -> &str {
        self.folders.last().map_or("", AsRef::as_ref)
    }

    /// The folder whose list runs, as a text that may be kept.
    pub(super) fn folder_name(&self) -> Arc<str> {
        self.folders.last().cloned().unwrap_or_default()
    }

    /// How far the files are walked through.
    pub(super) fn limits(&self) -> WalkLimits {
        self.knowledge.builds.cmake.limits
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
        if self.lists.len() >= self.limits().depth || self.lists.contains(&at) {
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
            let seen = self.scopes.visible();
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
        self.folders.push(folder.into());
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
        let ends = Arc::new(self.tree.file(at).map_or_else(Vec::new, BuildFile::ends));
        self.blocks.insert(at, Arc::clone(&ends));
        ends
    }

    /// Whether the steps are used up, which the command at a place is the first to find.
    pub(super) fn is_over(&mut self, at: CommandPlace) -> bool {
        let is_over = self.steps > self.last_step;
        if is_over {
            self.out.stopped.get_or_insert(at);
        }
        is_over
    }

    /// The arguments of a command, as the command gets them.
    fn arguments_of(&mut self, at: CommandPlace, command: &Command) -> Arc<Vec<PassedArgument>> {
        if let Some(known) = self.literals.get(&at) {
            return Arc::clone(known);
        }
        let arguments = Arc::new(self.arguments(at.0, &command.arguments));
        let file = self.tree.file(at.0).map_or(&[][..], |file| file.text);
        let mut written = command.arguments.iter();
        let stays = |argument: &Argument| {
            argument.quoting == Quoting::Bracket || is_literal(argument.inner.of(file))
        };
        if written.all(stays) {
            self.literals.insert(at, Arc::clone(&arguments));
        }
        arguments
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
            self.steps += 1 + self.scopes.steps_of_texts();
            if self.is_over((file, at)) {
                return;
            }
            let end = ends.get(at).copied().unwrap_or(at);
            match command.lower_name() {
                "if" => at = self.branches(file, at, &ends),
                "foreach" => {
                    self.run_foreach(file, at, end);
                    at = end + 1;
                }
                "while" => {
                    self.run_optional(None, |runner| runner.run(file, at + 1, end));
                    at = end + 1;
                }
                "function" | "macro" => {
                    if let Some(name) = command.arguments.first() {
                        let name = String::from_utf8_lossy(name.inner.of(source.text));
                        self.defined.insert(name.to_ascii_lowercase(), (file, at));
                    }
                    at = end + 1;
                }
                // What stands behind it is still named in the tree.
                "return" if self.scopes.branches() == open && self.judging.is_none() => return,
                _ => {
                    let arguments = self.arguments_of((file, at), command);
                    let items = arguments.iter().map(|one| one.value.items().len());
                    self.steps += items.sum::<usize>() / 2;
                    self.command((file, at), command.lower_name(), &arguments);
                    at += 1;
                }
            }
        }
    }
}
