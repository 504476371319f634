//! What one file can't know: which file an include means, what is declared where, which files
//! get new names, which are left whole.
//!
//! Architecture invariant: everything here is found in one pass over all files and read-only
//! afterwards, so that the rules can work on files in any order, on any core.

mod declarations;
mod facts;
mod includes;
mod libraries;
mod lookalikes;
mod mentions;
mod outputs;
pub mod paths;
pub mod regions;
mod renames;
mod scan;
mod standing;
mod vendored;

use std::collections::BTreeMap;

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

pub use facts::{Declared, DeclaredAs, Facts, Include, Invocation, Paster, Piece};
pub use includes::Visible;
pub use libraries::{LeftLibraries, NOT_SWAPPED};
pub use renames::{NAME_TAKEN, NAMED_ELSEWHERE, Policy, include_text};
pub use scan::{Lore, NameParts, Parsed, arguments};
pub use standing::{CARRIED_LIBRARY, MUSA_TWIN, OTHER_PLATFORM};

use crate::classify::{Class, FileKind};
use crate::diagnostic::{Finding, KeptReason};
use includes::Resolver;
use mentions::mentions;
pub use mentions::speaks_of_sources;
use renames::Mentioning;

/// A file as it is handed to the project.
#[derive(Clone, Debug)]
pub struct Input {
    /// Path relative to the root, with `/`; bytes that are not UTF-8 replaced.
    pub path: String,
    /// What it is.
    pub class: Class,
    /// Its content, where it may matter: C++, and files that may name sources.
    pub text: Option<Vec<u8>>,
    /// Whether it is translated in this run. The others are read for what they say.
    pub selected: bool,
    /// Where a folder layout puts it, if it moves.
    pub moved: Option<String>,
}

/// What happens to a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Standing {
    /// It is translated.
    Ported,
    /// It goes over as it is, for a reason that is reported.
    Left(KeptReason),
    /// It goes over as it is: nothing in it is C++.
    Copied,
}

/// One file of the project.
#[derive(Debug)]
pub struct Source {
    /// Path relative to the root.
    pub path: String,
    /// The path that it gets.
    pub output: String,
    /// What it is.
    pub class: Class,
    /// Its content, for C++.
    pub text: Option<Vec<u8>>,
    /// What happens to it.
    pub standing: Standing,
    /// What it says to the others.
    pub facts: Facts,
    /// For each include, the file of the tree that it means.
    pub resolved: Vec<Option<usize>>,
}

/// The settings that decide what a project is.
#[derive(Clone, Debug)]
pub struct Options {
    /// When files get new endings.
    pub rename: Policy,
    /// Folders that includes are looked up in first, relative to the root.
    pub include_roots: Vec<String>,
    /// What happens to libraries that the tree carries along.
    pub carried: Carry,
}

/// What happens to a library that the tree carries along.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Carry {
    /// It stays whole.
    Keep,
    /// It stays whole, and the code goes over to MUSA's counterpart where that has every header
    /// that is used.
    Swap,
    /// It is translated like the rest.
    Port,
}

/// All files of a tree and what they say to each other.
#[derive(Debug)]
pub struct Project {
    /// The files, in the order of the input.
    pub files: Vec<Source>,
    /// What the user should know of the tree as a whole.
    pub findings: Vec<Finding>,
    /// Uses of macros that paste names or make strings of them, by the macro's name.
    pub invocations: BTreeMap<Vec<u8>, Vec<Invocation>>,
    /// CUDA names that the project defines as functions at file level.
    pub defined_functions: FxHashSet<Vec<u8>>,
    /// Names of the project's own that are only written as CUDA writes names.
    pub lookalikes: FxHashSet<Vec<u8>>,
    /// Names that the project declares inside namespaces of the tables.
    pub extensions: FxHashSet<String>,
    /// Names of namespaces that the project opens, as `a::b`.
    pub namespaces: FxHashSet<String>,
    /// First folders of included paths that are not of the tree, such as `cutlass`, and of
    /// those that belong to a library which the tree carries along.
    pub outside_folders: FxHashSet<String>,
    /// Libraries outside the tree that the code stays with, because MUSA's counterpart lacks
    /// headers that it uses: first folders of their paths, and their tables.
    pub left: LeftLibraries,
    /// For each file, its uses of such macros: the macro's name and the place in its list.
    uses_in: FxHashMap<usize, Vec<(Vec<u8>, usize)>>,
    /// For each file that is included, the files that include it.
    included_by: FxHashMap<usize, Vec<usize>>,
}

impl Project {
    /// Read what the files say.
    pub fn new(inputs: Vec<Input>, options: &Options, lore: Lore<'_>) -> Self {
        let endings: Vec<&str> = lore
            .knowledge
            .files
            .rename
            .keys()
            .map(String::as_str)
            .collect();
        let listing: Vec<(String, Class)> = inputs
            .iter()
            .map(|input| (input.path.clone(), input.class))
            .collect();
        let mut findings = Vec::new();
        let carried = match options.carried {
            Carry::Port => Vec::new(),
            Carry::Keep | Carry::Swap => vendored::carried(&listing, lore.knowledge),
        };
        let mut standings = standing::standings(&inputs, &listing, &carried, &mut findings);
        let mentioning: Vec<Mentioning> = inputs
            .par_iter()
            .filter(|input| input.class.kind.names_sources())
            .map(|input| Mentioning {
                path: input.path.clone(),
                mentions: input
                    .text
                    .as_deref()
                    .map(|text| mentions(&input.path, input.class, text, &endings))
                    .unwrap_or_default(),
            })
            .filter(|one| !one.mentions.is_empty())
            .collect();
        let facts: Vec<Facts> = inputs
            .par_iter()
            .map(|input| match &input.text {
                Some(text) if input.class.kind.is_cpp() || input.class.kind == FileKind::Musa => {
                    scan::scan(text, input.class, lore)
                }
                _ => Facts::default(),
            })
            .collect();
        let resolver = Resolver::new(
            listing.iter().map(|(path, _)| path.clone()),
            options.include_roots.clone(),
        );
        let mut targets: Vec<Vec<Option<usize>>> = facts
            .par_iter()
            .zip(&listing)
            .map(|(facts, (path, _))| {
                let resolve = |include: &Include| resolver.resolve(path, include);
                facts.includes.iter().map(resolve).collect()
            })
            .collect();
        if options.carried == Carry::Swap {
            libraries::swap(
                &carried,
                &facts,
                &mut targets,
                &listing,
                lore,
                &mut findings,
            );
        }
        let left =
            libraries::left_libraries(&facts, &targets, &standings, &listing, lore, &mut findings);
        standing::leave_other_platforms(&facts, &targets, &listing, &mut standings, &mut findings);
        let outputs = outputs::outputs(
            &inputs,
            &standings,
            &targets,
            &mentioning,
            options,
            lore,
            &mut findings,
        );
        let mut files: Vec<Source> = Vec::with_capacity(inputs.len());
        let parts = inputs
            .into_iter()
            .zip(standings)
            .zip(facts)
            .zip(targets)
            .zip(outputs);
        for ((((input, standing), facts), resolved), output) in parts {
            files.push(Source {
                path: input.path,
                output,
                class: input.class,
                text: input.text,
                standing,
                facts,
                resolved,
            });
        }
        let mut project = Self {
            files,
            findings,
            invocations: BTreeMap::new(),
            defined_functions: FxHashSet::default(),
            lookalikes: FxHashSet::default(),
            extensions: FxHashSet::default(),
            namespaces: FxHashSet::default(),
            outside_folders: FxHashSet::default(),
            left,
            uses_in: FxHashMap::default(),
            included_by: FxHashMap::default(),
        };
        project.gather();
        project
    }

    fn gather(&mut self) {
        // What stands in for CUDA's somewhere does so everywhere: a declaration, its definition
        // and its uses change together.
        let stand_ins: FxHashSet<Vec<u8>> = self
            .files
            .iter_mut()
            .flat_map(|file| std::mem::take(&mut file.facts.stand_ins))
            .collect();
        for file in &mut self.files {
            file.facts.declared.retain(|one| {
                let global = one.scope.is_empty()
                    && matches!(one.what, DeclaredAs::Function | DeclaredAs::Prototype);
                !(global && stand_ins.contains(&one.name))
            });
        }
        let pasters: FxHashSet<&[u8]> = self
            .files
            .iter()
            .flat_map(|file| {
                let pasters = file.facts.pasters.iter().map(|one| one.name.as_slice());
                pasters.chain(file.facts.stringizers.iter().map(|one| one.name.as_slice()))
            })
            .collect();
        let mut by_name: BTreeMap<Vec<u8>, Vec<Invocation>> = BTreeMap::new();
        if !pasters.is_empty() {
            let found: Vec<Invocation> = self
                .files
                .par_iter()
                .enumerate()
                .filter(|(_, file)| file.class.kind.is_cpp())
                .filter_map(|(index, file)| Some((index, file, file.text.as_deref()?)))
                .flat_map_iter(|(index, file, text)| {
                    scan::invocations(text, file.class, index, &|name| pasters.contains(name))
                })
                .collect();
            for one in found {
                by_name.entry(one.name.clone()).or_default().push(one);
            }
        }
        for uses in by_name.values() {
            for (at, one) in uses.iter().enumerate() {
                self.uses_in
                    .entry(one.file)
                    .or_default()
                    .push((one.name.clone(), at));
            }
        }
        self.invocations = by_name;
        let mut outside: FxHashSet<String> = FxHashSet::default();
        for (from, file) in self.files.iter().enumerate() {
            for (include, target) in file.facts.includes.iter().zip(&file.resolved) {
                let carried = |file: usize| {
                    self.files
                        .get(file)
                        .is_some_and(|file| file.standing == Standing::Left(KeptReason::Vendored))
                };
                if target.is_none_or(carried)
                    && let Some((folder, _)) = include.path.split_once('/')
                {
                    outside.insert(folder.to_owned());
                }
                if let Some(target) = *target {
                    self.included_by.entry(target).or_default().push(from);
                }
            }
        }
        self.outside_folders = outside;
        for file in &mut self.files {
            self.lookalikes
                .extend(std::mem::take(&mut file.facts.lookalikes));
        }
        for file in &self.files {
            self.extensions
                .extend(file.facts.extensions.iter().cloned());
            self.namespaces
                .extend(file.facts.namespaces.iter().cloned());
            self.defined_functions.extend(
                file.facts
                    .declared
                    .iter()
                    .filter(|one| one.what == DeclaredAs::Function && one.scope.is_empty())
                    .map(|one| one.name.clone()),
            );
        }
    }

    /// The uses of macros that paste names or make strings of them, in the file at `index`.
    pub fn uses_in(&self, index: usize) -> impl Iterator<Item = &Invocation> {
        let uses = self.uses_in.get(&index).map_or(&[][..], Vec::as_slice);
        uses.iter()
            .filter_map(|(name, at)| self.invocations.get(name)?.get(*at))
    }

    /// The files whose includes lead to the file at `index`.
    fn includers(&self, index: usize) -> Vec<usize> {
        let mut seen = FxHashSet::default();
        let mut queue = vec![index];
        while let Some(file) = queue.pop() {
            for &from in self.included_by.get(&file).map_or(&[][..], Vec::as_slice) {
                if from != index && seen.insert(from) {
                    queue.push(from);
                }
            }
        }
        let mut found: Vec<usize> = seen.into_iter().collect();
        found.sort_unstable();
        found
    }

    /// What the file at `index` sees.
    pub fn visible(&self, index: usize) -> Visible {
        Visible::of(
            index,
            &self.includers(index),
            &|file| {
                self.files
                    .get(file)
                    .map_or(&[], |f| f.facts.includes.as_slice())
            },
            &|file| self.files.get(file).map_or(&[], |f| f.resolved.as_slice()),
        )
    }
}
