//! Which sources the targets of a tree hand to a compiler of GPUs.

use std::collections::BTreeMap;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::result::Replay;
use super::sources::{CommandPlace, NamedSource, SourceKey, SourceProperty, TargetSources};
use torchada_mapping::files::FileTable;
use torchada_mapping::knowledge::Knowledge;

/// A target, and one of its sources.
pub type TargetSource = (Arc<str>, SourceKey);

/// A source that a compiler of GPUs gets.
#[derive(Clone, Debug)]
pub struct Compiled<'r> {
    /// The list that it stands in.
    pub list: &'r TargetSources,
    /// The source.
    pub source: &'r NamedSource,
    /// Pairs of commands each of which gives it to a compiler, so that two get it where both are run.
    pub twice: Vec<(CommandPlace, CommandPlace)>,
}

/// The commands that give a source of a list to compilers, by what is set for the source.
type Given<'g> = dyn Fn(&TargetSources, &NamedSource, &[&SourceProperty]) -> Vec<CommandPlace> + 'g;

/// What is set for one source in one folder, in the order in which it is set.
type Properties<'r> = FxHashMap<(&'r str, &'r SourceKey), Vec<&'r SourceProperty>>;

impl Replay {
    /// The sources that nvcc gets.
    pub fn for_nvcc(&self, knowledge: &Knowledge) -> BTreeMap<TargetSource, Compiled<'_>> {
        let table = &knowledge.builds.cmake;
        self.compiled(knowledge, &|list, source, set| {
            let row = table.commands.get(&*list.maker);
            let is_cudas = row.is_some_and(|row| row.makes.is_some());
            let is_one = match last(set, "LANGUAGE") {
                Some(language) => *language.value == *table.language,
                None => {
                    knowledge.files.is_cuda(&source.text) && last(set, "HEADER_FILE_ONLY").is_none()
                }
            };
            let is_given = is_one && (is_cudas || self.enables_language);
            is_given.then_some(list.at).into_iter().collect()
        })
    }

    /// The sources that mcc gets, or the compiler of C++ as MUSA's.
    pub fn for_mcc(&self, knowledge: &Knowledge) -> BTreeMap<TargetSource, Compiled<'_>> {
        let table = &knowledge.builds.cmake;
        self.compiled(knowledge, &|list, source, set| {
            let mut rows = table.commands.values();
            let by_maker = rows.any(|row| row.to.as_deref() == Some(&list.maker))
                && knowledge.files.is_musa(&source.text);
            let by_option = as_musa(set, &table.flags.language_option);
            by_maker
                .then_some(list.at)
                .into_iter()
                .chain(by_option)
                .collect()
        })
    }

    /// The sources of all targets that a compiler of GPUs gets: `given` says by which commands, by the list, the source, and
    /// what is set for the source.
    fn compiled<'r>(
        &'r self,
        knowledge: &Knowledge,
        given: &Given<'_>,
    ) -> BTreeMap<TargetSource, Compiled<'r>> {
        let properties = self.by_source();
        let mut found: BTreeMap<TargetSource, Compiled<'_>> = BTreeMap::new();
        let lists = self.targets.iter();
        for (list, source) in lists.flat_map(|list| list.sources.iter().map(move |one| (list, one)))
        {
            let set = properties.get(&(&*list.folder, &source.key));
            let by = given(list, source, set.map_or(&[], Vec::as_slice));
            if by.is_empty() {
                continue;
            }
            let key = as_musas(&knowledge.files, &source.key);
            let target = Arc::clone(&list.target);
            let known = found.entry((target, key)).or_insert_with(|| Compiled {
                list,
                source,
                twice: Vec::new(),
            });
            if let [first, second] = by.as_slice() {
                known.twice.push((*first, *second));
            }
        }
        found
    }

    fn by_source(&self) -> Properties<'_> {
        let mut found = Properties::default();
        for property in &self.properties {
            for folder in &property.folders {
                for source in &property.sources {
                    found
                        .entry((folder, &source.key))
                        .or_default()
                        .push(property);
                }
            }
        }
        found
    }
}

fn last<'r>(set: &[&'r SourceProperty], name: &str) -> Option<&'r SourceProperty> {
    set.iter().rev().find(|one| &*one.name == name).copied()
}

/// The command by which the compiler of C++ takes a source for MUSA's, once all of this is set.
fn as_musa(set: &[&SourceProperty], option: &str) -> Option<CommandPlace> {
    let by_cxx = last(set, "LANGUAGE").filter(|one| &*one.value == "CXX")?;
    let has_option = ["COMPILE_OPTIONS", "COMPILE_FLAGS"].iter().any(|name| {
        let set = set.iter().filter(|one| &*one.name == *name);
        let flags = set.fold(String::new(), |flags, one| {
            let before = if one.appends { flags } else { String::new() };
            format!("{before} {}", one.value.replace(';', " "))
        });
        flags.contains(option)
    });
    has_option.then_some(by_cxx.at)
}

/// The key of a source in the port: what is no file of the tree has MUSA's ending.
fn as_musas(files: &FileTable, key: &SourceKey) -> SourceKey {
    let SourceKey::Text(text) = key else {
        return key.clone();
    };
    let renamed = files.with_musa_ending(text);
    SourceKey::Text(renamed.map_or_else(|| Arc::clone(text), Into::into))
}
