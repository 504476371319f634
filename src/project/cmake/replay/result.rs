//! What a run found, by command, target and source.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

use rustc_hash::{FxHashMap, FxHashSet};

use super::sources::{CommandPlace, NamedSource, Site, SourceKey, SourceProperty, TargetSources};
use torchada_mapping::files::FileTable;

/// `CMake`'s own commands whose place MUSA's take.
const PLAIN_MAKERS: [&str; 2] = ["add_library", "add_executable"];

/// What a run found.
#[derive(Clone, Default, Debug)]
pub struct Replay {
    /// The commands that name sources.
    pub sites: BTreeMap<CommandPlace, Site>,
    /// What targets get.
    pub targets: Vec<TargetSources>,
    /// What is set for sources.
    pub properties: Vec<SourceProperty>,
    /// Targets that are linked, each with whether its first link has a keyword.
    pub links: BTreeMap<Arc<str>, bool>,
    /// Files that a script of `CMake`'s reads as text, each with the command that starts the script.
    pub read: BTreeMap<usize, CommandPlace>,
    /// Variables that a command gives a value which can't be known.
    pub assigned: BTreeSet<Arc<str>>,
    /// Whether CUDA's language is enabled somewhere.
    pub enables_language: bool,
    /// The command at which the run was given up.
    pub stopped: Option<CommandPlace>,
    /// Answers to questions for lists and properties, computed on first use: once the run is over.
    lookups: OnceLock<Lookups>,
    /// The sources that the compiler of C++ gets as MUSA's, with the folders of their targets, computed likewise.
    by_option: OnceLock<FxHashSet<(Arc<str>, SourceKey)>>,
}

/// Places in the lists and the properties of a run.
#[derive(Clone, Default, Debug)]
struct Lookups {
    /// The lists of each command that gives them.
    by_command: FxHashMap<CommandPlace, Vec<usize>>,
    /// The lists that come from each command of a list of `CMake`'s.
    by_origin: FxHashMap<CommandPlace, Vec<usize>>,
    by_target: FxHashMap<Arc<str>, Vec<usize>>,
    by_source: FxHashMap<SourceKey, Vec<usize>>,
    /// The properties that each command sets.
    set_by: FxHashMap<CommandPlace, Vec<usize>>,
}

impl Lookups {
    fn of(replay: &Replay) -> Self {
        let mut found = Self::default();
        for (at, list) in replay.targets.iter().enumerate() {
            found.by_command.entry(list.at).or_default().push(at);
            found.by_origin.entry(list.from).or_default().push(at);
            let target = Arc::clone(&list.target);
            found.by_target.entry(target).or_default().push(at);
            for source in &list.sources {
                let lists = found.by_source.entry(source.key.clone()).or_default();
                if lists.last() != Some(&at) {
                    lists.push(at);
                }
            }
        }
        for (at, property) in replay.properties.iter().enumerate() {
            found.set_by.entry(property.at).or_default().push(at);
        }
        found
    }
}

impl Replay {
    fn lookups(&self) -> &Lookups {
        self.lookups.get_or_init(|| Lookups::of(self))
    }

    fn lists(&self, places: Option<&Vec<usize>>) -> impl Iterator<Item = &TargetSources> {
        let places = places.into_iter().flatten();
        places.filter_map(|&at| self.targets.get(at))
    }

    /// The lists that a command gives.
    pub fn lists_given_by(&self, command: CommandPlace) -> impl Iterator<Item = &TargetSources> {
        self.lists(self.lookups().by_command.get(&command))
    }

    /// The lists that come from a command of a list of `CMake`'s: its own, and those of the functions that it calls.
    pub fn lists_from(&self, command: CommandPlace) -> impl Iterator<Item = &TargetSources> {
        self.lists(self.lookups().by_origin.get(&command))
    }

    /// The lists of a target.
    pub fn lists_of(&self, target: &str) -> impl Iterator<Item = &TargetSources> {
        self.lists(self.lookups().by_target.get(target))
    }

    /// The lists with one of some sources, in the order of the run.
    pub fn lists_with<'k>(
        &self,
        keys: impl IntoIterator<Item = &'k SourceKey>,
    ) -> Vec<&TargetSources> {
        let by_source = &self.lookups().by_source;
        let places = keys.into_iter().filter_map(|key| by_source.get(key));
        let places: BTreeSet<usize> = places.flatten().copied().collect();
        let lists = places.into_iter();
        lists.filter_map(|at| self.targets.get(at)).collect()
    }

    /// Whether a list of a folder's that `musa_add_library` can't take has a source. Properties of a source hold for all targets
    /// of a folder, so a list that shares a source with such a list is one, too.
    pub fn has_by_option(
        &self,
        folder: &Arc<str>,
        source: &NamedSource,
        files: &FileTable,
    ) -> bool {
        let by_option = self.by_option.get_or_init(|| self.find_by_option(files));
        by_option.contains(&(Arc::clone(folder), source.key.clone()))
    }

    fn find_by_option(&self, files: &FileTable) -> FxHashSet<(Arc<str>, SourceKey)> {
        let is_gpus = |one: &&NamedSource| files.is_cuda(&one.text) || files.is_musa(&one.text);
        let keys = |list: &TargetSources| {
            let folder = Arc::clone(&list.folder);
            let sources = list.sources.iter().filter(is_gpus);
            let keys = sources.map(move |source| (Arc::clone(&folder), source.key.clone()));
            keys.collect::<Vec<_>>()
        };
        let (mut open, others): (Vec<_>, Vec<_>) =
            self.targets.iter().partition(|one| one.is_by_option());
        // Lists that wait for one of their sources to be found, each of which lets go of all that wait for it.
        let mut waiting: FxHashMap<_, Vec<usize>> = FxHashMap::default();
        let mut others: Vec<Option<&TargetSources>> = others.into_iter().map(Some).collect();
        for (at, list) in others.iter().enumerate() {
            let list = list.filter(|one| PLAIN_MAKERS.contains(&&*one.maker));
            for key in list.into_iter().flat_map(keys) {
                waiting.entry(key).or_default().push(at);
            }
        }
        let mut found = FxHashSet::default();
        while let Some(list) = open.pop() {
            for key in keys(list) {
                for at in waiting.remove(&key).unwrap_or_default() {
                    open.extend(others.get_mut(at).and_then(Option::take));
                }
                found.insert(key);
            }
        }
        found
    }

    /// The properties that a command sets for sources.
    pub fn set_by(&self, command: CommandPlace) -> impl Iterator<Item = &SourceProperty> {
        let places = self.lookups().set_by.get(&command).into_iter().flatten();
        places.filter_map(|&at| self.properties.get(at))
    }
}
