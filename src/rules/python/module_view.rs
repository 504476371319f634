//! A module of the tree, with the questions that rules ask about it.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::inference::Summaries;
use super::memo::{AboutNode, Memo, Place};
use super::reach::Reaches;
use crate::RuleSettings;
use torchada_mapping::knowledge::DeviceName;
use torchada_mapping::{Dialect, PythonValues, has};
use torchada_project::Context;
use torchada_project::python::{Definition, Modules, TreeSource};
use torchada_syntax::python::{Binding, BoundValue, Certainty, Dotted, Literal, Module, NodeId};
use torchada_text::{TextRange, contains, first_part, line_of};

/// A module of the tree, with the knowledge that rules need about it. Every module has a view, but only the module that
/// the rules look at has a unit, and only a unit can change and report code.
#[derive(Clone, Copy)]
pub struct ModuleView<'a> {
    /// The module's path relative to the root.
    pub path: &'a str,
    /// The text of the module.
    pub text: &'a [u8],
    /// Whether the text is that of the whole file, and not code in a string of the file.
    pub is_whole_file: bool,
    /// The module's tree and names.
    pub module: &'a Module<'a>,
    /// The module's index in the project.
    pub index: usize,
    /// The modules of the tree.
    pub modules: &'a Modules<'a>,
    /// The trees of these modules.
    pub trees: &'a dyn TreeSource,
    /// Answers to questions about one file that are asked again and again.
    pub memo: &'a Memo,
    /// The facts that the inference knows about values of the tree.
    pub summaries: &'a Summaries,
    /// Which modules MUSA reaches.
    pub reaches: &'a Reaches,
    /// The tables.
    pub context: Context<'a>,
    /// The user's settings.
    pub settings: &'a RuleSettings,
}

impl<'a> ModuleView<'a> {
    /// The view of another module of the tree.
    pub fn other(&self, index: usize) -> Option<Self> {
        let module = self.trees.module(index)?;
        Some(Self {
            path: self.modules.path(index),
            text: module.tree.text(),
            module,
            index,
            is_whole_file: true,
            ..*self
        })
    }

    /// The answer to a question that may lead to many modules. Where many trees are held already, those that only the
    /// question needs are let go with it.
    pub fn question<T>(&self, ask: impl FnOnce(&ModuleView<'_>) -> T) -> T {
        match self.trees.for_question() {
            Some(trees) => ask(&ModuleView {
                trees: &*trees,
                ..*self
            }),
            None => ask(self),
        }
    }

    /// The answer to a question about another module of the tree; see [`ModuleView::question`].
    pub fn question_of<T>(
        &self,
        index: usize,
        ask: impl FnOnce(&ModuleView<'_>) -> T,
    ) -> Option<T> {
        self.question(|view| Some(ask(&view.other(index)?)))
    }

    /// What the memo keeps an answer about something in this text under.
    pub fn place<K>(&self, key: K) -> Place<K> {
        self.is_whole_file.then_some((self.index, key))
    }

    /// The answer to a question about all uses of a name, computed once for all places that give the name a value.
    pub fn about_uses(
        &self,
        question: AboutNode,
        name: NodeId,
        ask: impl FnOnce() -> bool,
    ) -> bool {
        let first = self.module.meanings(name).first();
        let first = first.map_or(name, |binding| binding.at);
        self.memo.about_node(question, self.place(first), ask)
    }

    /// Each place of the module where a name stands for what it stands for at `name`, that place among them.
    pub fn places_of_binding(&self, name: NodeId) -> impl Iterator<Item = NodeId> {
        let word = self.module.tree.word(name);
        let scope = self.module.bindings(name, word).0;
        let places = self.module.places_of(word).iter().copied();
        places.filter(move |&one| self.module.bindings(one, word).0 == scope)
    }

    /// Whether CUDA's name of a device means CUDA alone, since the project knows MUSA's by its own name.
    pub fn distinguishes_musa_from_cuda(&self) -> bool {
        self.modules.distinguishes_musa_from_cuda() && !self.stands_alone()
    }

    /// Whether the name of CUDA's backend means CUDA's alone, since the project knows MUSA's by its own name.
    pub fn distinguishes_musas_backend(&self) -> bool {
        self.modules.names_backend_for_musa() && !self.stands_alone()
    }

    /// Whether the module is a program that nobody imports and that says nothing of MUSA: it has its own devices.
    pub fn stands_alone(&self) -> bool {
        let target = &self.python_values().vendors.target;
        let has = |word: &String| self.modules.has(self.index, word.as_bytes());
        self.modules.importers(self.index).is_empty()
            && self.modules.is_program(self.index)
            && !target.iter().any(has)
    }

    /// Whether the text contains a word, by itself or as a part of another one.
    pub fn contains(&self, word: &str) -> bool {
        if self.is_whole_file {
            self.modules.has(self.index, word.as_bytes())
        } else {
            self.module.contains(word)
        }
    }

    /// The table that says what values are by their position.
    pub fn python_values(&self) -> &'a PythonValues {
        &self.context.knowledge.python_values
    }

    /// Whether names become MUSA's.
    pub fn is_musa(&self) -> bool {
        self.settings.dialect == Dialect::Musa
    }

    /// The dotted name that an expression refers to, followed through the modules of the tree: a name that comes from
    /// outside in the end has its outer name.
    pub fn resolve(&self, expression: NodeId) -> Option<Dotted> {
        let Some(found) = self.module.resolve(expression) else {
            return self.brought_name(expression);
        };
        if self.is_torch(first_part(&found.name)) {
            return Some(found);
        }
        // Of several modules whose names all come in, the module's own text does not say which one brings this name.
        if let Some(brought) = self.brought_name(expression) {
            return Some(brought);
        }
        match self.modules.lookup(self.index, &found.name) {
            Some(Definition::Outside(name)) => Some(Dotted { name, ..found }),
            _ => Some(found),
        }
    }

    /// The dotted name of what a call calls; see [`ModuleView::resolve`].
    pub fn callee_name(&self, call: NodeId) -> Option<Dotted> {
        self.resolve(self.module.tree.callee(call)?)
    }

    /// Whether a call asks whether there is a GPU: `torch.cuda.is_available()`.
    pub fn asks_for_gpu(&self, call: NodeId) -> bool {
        let name = self.callee_name(call);
        name.is_some_and(|name| self.python_values().is_gpu_question(&name.name))
    }

    /// For a name from outside that comes through a module of the tree: its outer name, and how many parts of the
    /// expression follow behind it.
    pub fn through_tree(&self, expression: NodeId) -> Option<(String, usize)> {
        let Some(found) = self.module.resolve(expression) else {
            let (root, parts) = self.chain(expression)?;
            return Some((self.star_name(root)?, parts.len()));
        };
        let dots = found.name.bytes().take_while(|&byte| byte == b'.').count();
        let (dots, rest) = found.name.split_at(dots);
        let parts: Vec<&str> = rest.split('.').collect();
        if dots.is_empty() && self.modules.files_of(self.index, rest).is_empty() {
            return None;
        }
        (1..=parts.len()).find_map(|size| {
            let front = format!("{dots}{}", parts.get(..size)?.join("."));
            // A folder without `__init__.py` is no module of the tree's, and leads to one all the same.
            if self.modules.files_of(self.index, &front).is_empty() {
                return None;
            }
            match self.modules.lookup(self.index, &front)? {
                Definition::Outside(name) => Some((name, parts.len() - size)),
                _ => None,
            }
        })
    }

    /// The first name of a chain of attributes, and the names behind it.
    pub fn chain(&self, expression: NodeId) -> Option<(NodeId, Vec<String>)> {
        let tree = &self.module.tree;
        let (root, names) = tree.chain(expression)?;
        let names = names.into_iter().map(|name| tree.shown(name));
        Some((root, names.collect()))
    }

    /// The name outside the tree of a name that came in by `from module import *`, with a module of the tree's.
    fn star_name(&self, root: NodeId) -> Option<String> {
        let word = self.module.tree.word(root);
        if !self.module.bindings(root, word).1.is_empty() {
            return None;
        }
        let word = String::from_utf8_lossy(word);
        match self.modules.lookup_here(self.index, &word)? {
            Definition::Outside(name) => Some(name),
            // A module that cannot be found may bring any name: that of `PyTorch` means `PyTorch`.
            Definition::Variable(..) => {
                let outline = self.modules.outline(self.index)?;
                (self.is_torch(&word) && !outline.stars.is_empty()).then(|| word.into_owned())
            }
            _ => None,
        }
    }

    /// The name of `PyTorch`'s module, for a parameter whose name says that a caller gives it.
    fn module_of_parameter(&self, root: NodeId) -> Option<String> {
        let word = self.module.tree.word(root);
        let values = self.python_values();
        if !has(&values.torch_parameters, word) {
            return None;
        }
        let bindings = self.module.bindings(root, word).1;
        let is_given = |one: &Binding| one.what == BoundValue::Parameter;
        let is_module = !bindings.is_empty() && bindings.iter().all(is_given);
        is_module.then(|| values.torch_names.root.clone())
    }

    /// Whether a name is that of `PyTorch`'s module.
    pub fn is_torch(&self, name: &str) -> bool {
        self.python_values().torch_names.root == name
    }

    /// The dotted name that an expression refers to, if `from module import *` brings its first name, or if a caller gives
    /// `PyTorch`'s module as such a name: `def show(torch):`.
    fn brought_name(&self, expression: NodeId) -> Option<Dotted> {
        let (root, parts) = self.chain(expression)?;
        let mut name = self
            .star_name(root)
            .or_else(|| self.module_of_parameter(root))?;
        for part in parts {
            name.push('.');
            name.push_str(&part);
        }
        let certainty = Certainty::Sure;
        Some(Dotted { name, certainty })
    }

    /// The device of CUDA's that a text names by nothing but its word: `"cuda"`.
    pub fn device_named(&self, text: &[u8]) -> Option<&'a DeviceName> {
        let mut devices = self.context.knowledge.devices.iter();
        devices.find(|one| one.cuda.as_bytes() == text)
    }

    /// Whether a string is nothing but the word of one of CUDA's devices.
    pub fn is_cudas_word(&self, text: NodeId) -> bool {
        let text = Literal::read(&self.module.tree, text);
        text.is_some_and(|text| self.device_named(text.value()).is_some())
    }

    /// Whether a word of MUSA's stands in a text.
    pub fn mentions_musa(&self, text: &[u8]) -> bool {
        let text = text.to_ascii_lowercase();
        let mut words = self.python_values().vendors.target.iter();
        words.any(|word| contains(&text, word))
    }

    /// The line of a place, to be shown: `` `ops/load.py:12` ``.
    pub fn shown_line(&self, at: usize) -> String {
        format!("`{}:{}`", self.path, line_of(self.text, at))
    }

    /// What to do about code that asks whether the build of `PyTorch` is CUDA's.
    pub fn platform_advice(&self) -> String {
        let platform = self.python_values().platforms.first();
        platform.map_or_else(String::new, |one| one.advice.clone())
    }

    /// The source text of a range.
    pub fn shown(&self, range: TextRange) -> String {
        String::from_utf8_lossy(range.of(self.text)).into_owned()
    }

    /// Whether programs import the package for run time.
    pub fn imports_stub(&self) -> bool {
        self.settings.import_stub.is_wanted()
    }

    /// The string literals of the module, those that Python joins taken together, whose text has
    /// one of the words.
    pub fn literals(&self, words: &[&str]) -> impl Iterator<Item = Literal> + use<'_, 'a> {
        self.literals_at(self.places_of_any(words).into())
    }

    /// The string literals of the module that have one of the words for which modules are looked at.
    pub fn literals_with_words(&self) -> impl Iterator<Item = Literal> + use<'_, 'a> {
        self.literals_at(self.words())
    }

    /// The string literals of the module that have one of some sorted places in them.
    fn literals_at(&self, places: Rc<[TextRange]>) -> impl Iterator<Item = Literal> + use<'_, 'a> {
        let tree = &self.module.tree;
        let strings = if places.is_empty() {
            &[]
        } else {
            self.module.strings()
        };
        let with_one = strings
            .iter()
            .filter(move |&&node| has_one_in(&places, tree.range(node)));
        with_one.filter_map(|&node| self.literal(node))
    }

    /// Where the text of the module has words for which modules are looked at, in order of place.
    pub fn words(&self) -> Rc<[TextRange]> {
        let find = || {
            let spans = self.python_values().word_spans(self.text);
            spans
                .map(|(start, end)| TextRange::new(start, end))
                .collect()
        };
        self.memo.words(self.place(()), find)
    }

    /// Where the text of the module has one of the words, in order of place. The text is searched, and not each of its
    /// strings: there are hundreds, and some thirty rules ask.
    fn places_of_any(&self, words: &[&str]) -> Vec<TextRange> {
        let words: BTreeSet<&str> = words.iter().copied().collect();
        let there = words.into_iter().filter(|word| self.contains(word));
        let places = there.flat_map(|word| {
            let starts = memchr::memmem::find_iter(self.text, word);
            starts.map(|start| TextRange::new(start, start + word.len()))
        });
        let mut places: Vec<TextRange> = places.collect();
        places.sort_unstable();
        places
    }

    /// The string at a node, where it is one of letters.
    fn literal(&self, node: NodeId) -> Option<Literal> {
        let literal = Literal::read(&self.module.tree, node)?;
        (!literal.is_bytes()).then_some(literal)
    }
}

/// Whether one of some sorted places lies in a range.
pub fn has_one_in(places: &[TextRange], range: TextRange) -> bool {
    let first = places.partition_point(|place| place.start < range.start);
    let rest = places.get(first..).unwrap_or_default().iter();
    let mut rest = rest.take_while(|place| place.start < range.end);
    rest.any(|place| range.covers(*place))
}
