//! Shards become the translations of a whole tree.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::Result;
use rayon::prelude::*;
use walkdir::WalkDir;

use super::assign;
use super::input::{self, Differs};
use super::results::{ShardResults, is_named_so};
use crate::commands::analysis::{Ground, Results, Translated};
use crate::commands::stored::{Identity, StoredTranslation, Unusable, Words};
use crate::config::{ConfigError, Settings, display_path};
use crate::mapping::safety;

/// All shards of a run.
pub(in crate::commands) struct Joined {
    /// By number, each with the name of its file.
    shards: BTreeMap<u32, (String, ShardResults)>,
    of: u32,
}

impl Joined {
    /// Read the results that `paths` name, or that lie in the folders that they name.
    ///
    /// # Errors
    /// A file that can't be read or is no shard's, and shards that are not all of one run.
    pub(in crate::commands) fn read(paths: &[PathBuf]) -> Result<Self, ConfigError> {
        let files = files(paths)?;
        let read: Vec<(String, ShardResults)> = files
            .par_iter()
            .map(|path| one(path))
            .collect::<Result<_, _>>()?;
        let mut shards: BTreeMap<u32, (String, ShardResults)> = BTreeMap::new();
        let Some(of) = read.first().map(|(_, shard)| shard.of) else {
            return Err(ConfigError::usage("there is no shard", ALL));
        };
        let first = read.first().map_or(String::new(), |(name, _)| name.clone());
        for (name, shard) in read {
            if shard.of != of {
                let message = format!(
                    "{first} is one of {of} shards, and {name} one of {}",
                    shard.of
                );
                return Err(ConfigError::usage(
                    message,
                    "name the shards of one run only",
                ));
            }
            let number = shard.number;
            if let Some((other, _)) = shards.get(&number) {
                let message = format!("{other} and {name} are both shard {number}/{of}");
                return Err(ConfigError::usage(message, "name each shard once"));
            }
            shards.insert(number, (name, shard));
        }
        let missing: Vec<String> = (1..=of)
            .filter(|number| !shards.contains_key(number))
            .map(|number| format!("{number}/{of}"))
            .collect();
        match missing.as_slice() {
            [] => Ok(Self { shards, of }),
            [one] => Err(ConfigError::usage(format!("shard {one} is missing"), ALL)),
            several => {
                let message = format!("shards {} are missing", several.join(", "));
                Err(ConfigError::usage(message, ALL))
            }
        }
    }

    /// Whether the shards were made as this run would make them.
    ///
    /// # Errors
    /// The first setting that is another.
    pub(in crate::commands) fn check(&self, settings: &Settings) -> Result<(), ConfigError> {
        let ours = Identity::of(settings)?;
        for (name, shard) in self.shards.values() {
            if let Some((setting, own, others)) = ours.difference(&shard.identity) {
                return Err(ConfigError::usage(
                    format!(
                        "{name} was made with `{setting}` as `{others}`, and here it is `{own}`"
                    ),
                    "give `merge` the options and the configuration of the shards",
                ));
            }
        }
        Ok(())
    }
}

const ALL: &str =
    "name what each of the shards left, or a folder that holds it: `torchada merge PATH RESULTS…`";

impl Results for Joined {
    fn known(&mut self, ground: &Ground<'_>) -> Result<Vec<Option<Translated>>> {
        let project = ground.project;
        let ours = input::all(project);
        for (name, shard) in self.shards.values() {
            if let Some(differs) = input::difference(&ours, &shard.inputs) {
                return Err(another_input(name, &differs).into());
            }
        }
        let mut owned: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        for (index, number) in assign::owners(project, self.of) {
            owned.entry(number).or_default().push(index);
        }
        let mut stored: Vec<(usize, StoredTranslation)> = Vec::new();
        for (number, (name, shard)) in std::mem::take(&mut self.shards) {
            let mut files = owned.remove(&number).unwrap_or_default();
            files.sort_unstable();
            if files.len() != shard.translations.len() {
                return Err(damaged(&name).into());
            }
            stored.extend(files.into_iter().zip(shard.translations));
        }
        let words = Words::new();
        let revived: Vec<(usize, Option<Translated>)> = stored
            .into_par_iter()
            .map(|(index, one)| {
                let file = project.files.get(index);
                let text = file.and_then(|file| file.text.as_deref());
                (index, one.revive(text.unwrap_or_default(), &words))
            })
            .collect();
        let mut known: Vec<Option<Translated>> = project.files.iter().map(|_| None).collect();
        for (index, one) in revived {
            if let Some(slot) = known.get_mut(index) {
                *slot = one;
            }
        }
        Ok(known)
    }
}

/// The files that some paths mean.
fn files(paths: &[PathBuf]) -> Result<Vec<PathBuf>, ConfigError> {
    let mut files = Vec::new();
    for path in paths {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let before = files.len();
        for entry in WalkDir::new(path).sort_by_file_name() {
            let entry = entry.map_err(|error| ConfigError::Unreadable {
                path: path.clone(),
                source: error.into(),
            })?;
            if entry.file_type().is_file() && is_named_so(entry.path()) {
                files.push(entry.into_path());
            }
        }
        if files.len() == before {
            let message = format!("{} holds no shard", display_path(path));
            return Err(ConfigError::usage(message, ALL));
        }
    }
    Ok(files)
}

fn one(path: &Path) -> Result<(String, ShardResults), ConfigError> {
    let name = display_path(path);
    let bytes = crate::files::read_named(path, safety::BYTES_SHARD).map_err(|source| {
        ConfigError::Unreadable {
            path: path.to_owned(),
            source,
        }
    })?;
    let read = ShardResults::read(&bytes);
    let shard = read.map_err(|unusable| match unusable {
        Unusable::Foreign => ConfigError::usage(format!("{name} is not what a shard left"), ALL),
        Unusable::Program(program) => ConfigError::usage(
            format!(
                "{name} was made by {program}, and this is {}",
                crate::emit::PROGRAM
            ),
            "use one version of the program for all shards and for `merge`",
        ),
        Unusable::Damaged => damaged(&name),
    })?;
    Ok((name, shard))
}

fn damaged(name: &str) -> ConfigError {
    ConfigError::usage(
        format!("{name} is damaged"),
        "copy it again from where it was made, or run its shard again",
    )
}

fn another_input(name: &str, differs: &Differs) -> ConfigError {
    let message = match differs {
        Differs::Changed(path) => format!("{name} was made of another `{path}`"),
        Differs::Added(path) => format!("{name} was made of a tree without `{path}`"),
        Differs::Gone(path) => {
            format!("{name} was made of a tree that has `{path}`, and here it is not")
        }
    };
    ConfigError::usage(
        message,
        "run all shards and `merge` on the same tree: one commit, with nothing made in it meanwhile",
    )
}
