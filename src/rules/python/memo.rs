//! Answers about files of the tree that rules need again and again, each computed once.

use std::cell::RefCell;
use std::hash::Hash;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::reach::UnreachedRange;
use super::reserved::alternatives::Alternatives;
use torchada_project::python::EditDependence;
use torchada_syntax::python::NodeId;
use torchada_text::TextRange;

/// Answers about one file, kept while the rules look at that file.
#[derive(Default, Debug)]
pub struct Memo {
    looks: EditDependence,
    of_build: Answers<(), bool>,
    for_device: Answers<usize, bool>,
    conditions_for_others: Answers<(usize, NodeId), bool>,
    branches: Answers<(usize, NodeId), Alternatives>,
    unreached: Answers<(usize, ()), Rc<[UnreachedRange]>>,
    mentions_gpus: Answers<(usize, ()), bool>,
    words: Answers<(usize, ()), Rc<[TextRange]>>,
    newer_architecture_verdict: Answers<(usize, NodeId), Option<(u32, bool)>>,
    makes_devices: Answers<usize, bool>,
    names_of_devices: Answers<(usize, ()), Names>,
    about_nodes: Answers<(usize, (AboutNode, NodeId)), bool>,
}

/// A question about all uses of a name, or about a part of the code that many values stand in.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum AboutNode {
    /// Whether the text that a name stands for, or one of its texts, is looked for.
    IsLookedFor,
    /// Whether the text that a loop gives a name is looked for.
    IsSought,
    /// Whether a function compares something with an error.
    AsksError,
    /// Whether a name is given to what takes requirements.
    HoldsRequirements,
    /// Whether what a loop gives a name is installed.
    IsInstalled,
    /// Whether a list of words is a command that installs something.
    IsInstallingList,
    /// Whether a text begins with the words of an installer.
    BeginsWithInstaller,
}

/// Answers, each with whether it depends on the module that somebody edits.
type Answers<K, V> = RefCell<FxHashMap<K, (V, bool)>>;

/// Names of a file.
type Names = Rc<[Box<[u8]>]>;

/// A place of a file; `None` for one of code in a string, about which nothing is kept: its nodes have the same numbers as
/// other ones of its file.
pub type Place<K> = Option<(usize, K)>;

impl Memo {
    /// Nothing asked yet. `looks` tells which answers depend on the module that somebody edits.
    pub fn new(looks: &EditDependence) -> Self {
        Self {
            looks: looks.clone(),
            ..Self::default()
        }
    }

    /// Whether the module is a part of a build, computed once.
    pub fn is_of_build(&self, ask: impl FnOnce() -> bool) -> bool {
        self.once(&self.of_build, (), ask)
    }

    /// Whether the extensions that a file builds have to do with CUDA, computed once.
    pub fn is_built_for_device(&self, file: usize, ask: impl FnOnce() -> bool) -> bool {
        self.once(&self.for_device, file, ask)
    }

    /// Whether the conditions of a statement ask for another platform, computed once.
    pub fn asks_for_others(&self, statement: Place<NodeId>, ask: impl FnOnce() -> bool) -> bool {
        self.at_place(&self.conditions_for_others, statement, ask)
    }

    /// The platforms that the conditions of a statement have branches for, computed once.
    pub fn branches(
        &self,
        statement: Place<NodeId>,
        ask: impl FnOnce() -> Alternatives,
    ) -> Alternatives {
        self.at_place(&self.branches, statement, ask)
    }

    /// Whether a text has one of the words that speak of a GPU, computed once.
    pub fn mentions_gpus(&self, text: Place<()>, ask: impl FnOnce() -> bool) -> bool {
        self.at_place(&self.mentions_gpus, text, ask)
    }

    /// Where a text has words for which modules are looked at, searched for once.
    pub fn words(&self, text: Place<()>, ask: impl FnOnce() -> Vec<TextRange>) -> Rc<[TextRange]> {
        self.at_place(&self.words, text, || ask().into())
    }

    /// What an expression says that asks for one of NVIDIA's newer GPUs, computed once.
    pub fn newer_architecture_verdict(
        &self,
        expression: Place<NodeId>,
        ask: impl FnOnce() -> Option<(u32, bool)>,
    ) -> Option<(u32, bool)> {
        self.at_place(&self.newer_architecture_verdict, expression, ask)
    }

    /// The branches of a text that MUSA does not reach, computed once.
    pub fn unreached(
        &self,
        text: Place<()>,
        ask: impl FnOnce() -> Vec<UnreachedRange>,
    ) -> Rc<[UnreachedRange]> {
        self.at_place(&self.unreached, text, || ask().into())
    }

    /// Whether a file makes devices of CUDA's itself, computed once.
    pub fn makes_devices(&self, file: usize, ask: impl FnOnce() -> bool) -> bool {
        self.once(&self.makes_devices, file, ask)
    }

    /// The names that a text gives to devices, computed once.
    pub fn names_of_devices(&self, text: Place<()>, ask: impl FnOnce() -> Vec<Box<[u8]>>) -> Names {
        self.at_place(&self.names_of_devices, text, || ask().into())
    }

    /// The answer to a question about a node, computed once.
    pub fn about_node(
        &self,
        question: AboutNode,
        node: Place<NodeId>,
        ask: impl FnOnce() -> bool,
    ) -> bool {
        let place = node.map(|(file, node)| (file, (question, node)));
        self.at_place(&self.about_nodes, place, ask)
    }

    fn at_place<K: Eq + Hash, V: Clone>(
        &self,
        known: &Answers<(usize, K), V>,
        place: Place<K>,
        ask: impl FnOnce() -> V,
    ) -> V {
        match place {
            Some(place) => self.once(known, place, ask),
            None => ask(),
        }
    }

    /// What is known, or is asked now. That an answer depends on the module that somebody edits is noted each time.
    fn once<K: Eq + Hash, V: Clone>(
        &self,
        known: &Answers<K, V>,
        key: K,
        ask: impl FnOnce() -> V,
    ) -> V {
        if let Some((found, looked)) = known.borrow().get(&key) {
            self.looks.again(*looked);
            return found.clone();
        }
        let found = self.looks.during(ask);
        known.borrow_mut().insert(key, found.clone());
        found.0
    }
}
