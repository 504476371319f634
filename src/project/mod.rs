//! What one file can't know: which file an include means, what is declared where, which files
//! get new names, which are left whole.
//!
//! Architecture invariant: everything here is found in one pass over all files and read-only
//! afterwards, so that the rules can work on files in any order, on any core.

mod declarations;
mod facts;
mod includes;
mod mentions;
pub mod paths;
pub mod regions;
mod renames;
mod scan;
mod vendored;

use std::collections::BTreeMap;

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

pub use facts::{Declared, DeclaredAs, Facts, Include, Invocation, Paster, Piece};
pub use includes::Visible;
pub use renames::{NAME_TAKEN, NAMED_ELSEWHERE, Policy, include_text};
pub use scan::{Lore, NameParts, Parsed, arguments};

use crate::classify::{Class, FileKind};
use crate::diagnostic::{Code, Finding, KeptReason, Severity};
use crate::mapping::{Evidence, Relation};
use includes::Resolver;
use mentions::mentions;
pub use mentions::speaks_of_sources;
use renames::{Candidate, Mentioning};
use vendored::Carried;

/// A library that the tree carries along is left whole.
pub const CARRIED_LIBRARY: Code = Code {
    id: "PRJ001",
    severity: Severity::Warning,
    title: "library carried along, left whole",
};

/// A library could not be swapped for its counterpart.
pub const NOT_SWAPPED: Code = Code {
    id: "PRJ007",
    severity: Severity::Warning,
    title: "library carried along was not swapped for MUSA's counterpart",
};

/// A file or folder has a MUSA twin.
pub const MUSA_TWIN: Code = Code {
    id: "PRJ004",
    severity: Severity::Note,
    title: "left because a MUSA twin stands beside it",
};

/// A header that only other platforms include.
pub const OTHER_PLATFORM: Code = Code {
    id: "PRJ005",
    severity: Severity::Note,
    title: "left because only builds for other platforms include it",
};

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
    pub invocations: FxHashMap<Vec<u8>, Vec<Invocation>>,
    /// CUDA names that the project defines as functions at file level.
    pub defined_functions: FxHashSet<Vec<u8>>,
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
        let endings: Vec<&str> = lore.knowledge.files.rename.keys().map(String::as_str).collect();
        let listing: Vec<(String, Class)> = inputs
            .iter()
            .map(|input| (input.path.clone(), input.class))
            .collect();
        let mut findings = Vec::new();
        let carried = match options.carried {
            Carry::Port => Vec::new(),
            Carry::Keep | Carry::Swap => vendored::carried(&listing, lore.knowledge),
        };
        let mut standings = standings(&inputs, &listing, &carried, &mut findings);
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
        let resolved: Vec<Vec<Option<usize>>> = facts
            .par_iter()
            .zip(&listing)
            .map(|(facts, (path, _))| {
                let resolve = |include: &Include| resolver.resolve(path, include);
                facts.includes.iter().map(resolve).collect()
            })
            .collect();
        let mut resolved = resolved;
        if options.carried == Carry::Swap {
            swap(&carried, &facts, &mut resolved, &listing, lore, &mut findings);
        }
        let left = left_libraries(&facts, &resolved, &standings, &listing, lore, &mut findings);
        leave_other_platforms(&facts, &resolved, &listing, &mut standings, &mut findings);
        let outputs = outputs(
            &inputs, &standings, &facts, &resolved, &mentioning, options, lore, &mut findings,
        );
        let mut files: Vec<Source> = Vec::with_capacity(inputs.len());
        let parts = inputs.into_iter().zip(standings).zip(facts).zip(resolved).zip(outputs);
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
            invocations: FxHashMap::default(),
            defined_functions: FxHashSet::default(),
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
        let stand_ins: FxHashSet<Vec<u8>> =
            self.files.iter_mut().flat_map(|file| std::mem::take(&mut file.facts.stand_ins)).collect();
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
        let mut by_name: FxHashMap<Vec<u8>, Vec<Invocation>> = FxHashMap::default();
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
                self.uses_in.entry(one.file).or_default().push((one.name.clone(), at));
            }
        }
        self.invocations = by_name;
        let mut outside: FxHashSet<String> = FxHashSet::default();
        for (from, file) in self.files.iter().enumerate() {
            for (include, target) in file.facts.includes.iter().zip(&file.resolved) {
                let carried = |file: usize| {
                    self.files.get(file).is_some_and(|file| {
                        file.standing == Standing::Left(KeptReason::Vendored)
                    })
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
        for file in &self.files {
            self.extensions.extend(file.facts.extensions.iter().cloned());
            self.namespaces.extend(file.facts.namespaces.iter().cloned());
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
        uses.iter().filter_map(|(name, at)| self.invocations.get(name)?.get(*at))
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
            &|file| self.files.get(file).map_or(&[], |f| f.facts.includes.as_slice()),
            &|file| self.files.get(file).map_or(&[], |f| f.resolved.as_slice()),
        )
    }
}

/// Which files are translated, and which are left as a whole.
fn standings(
    inputs: &[Input],
    listing: &[(String, Class)],
    carried: &[Carried<'_>],
    findings: &mut Vec<Finding>,
) -> Vec<Standing> {
    let mut standings: Vec<Standing> = inputs
        .iter()
        .map(|input| {
            if input.selected && input.class.kind.is_cpp() && input.text.is_some() {
                Standing::Ported
            } else {
                Standing::Copied
            }
        })
        .collect();
    for carried in carried {
        let mut held = 0;
        for ((path, _), standing) in listing.iter().zip(&mut standings) {
            if carried.holds(path) && *standing == Standing::Ported {
                *standing = Standing::Left(KeptReason::Vendored);
                held += 1;
            }
        }
        let Some(folder) = carried.folders.first().filter(|_| held > 0) else {
            continue;
        };
        let name = &carried.library.name;
        findings.push(
            Finding::whole(
                CARRIED_LIBRARY,
                folder.trim_end_matches('/'),
                format!("{name} is carried along in `{folder}` and was left whole ({held} sources)"),
            )
            .help(carried.library.advice.clone()),
        );
    }
    let mut told: BTreeMap<String, (String, usize)> = BTreeMap::new();
    for (index, (left, twin)) in vendored::twins(listing) {
        let moves = inputs.get(index).is_some_and(|input| input.moved.is_some());
        if let Some(standing) = standings.get_mut(index)
            && *standing == Standing::Ported
            && !moves
        {
            *standing = Standing::Left(KeptReason::MusaTwin);
            told.entry(left).or_insert((twin, 0)).1 += 1;
        }
    }
    for ((path, _), standing) in listing.iter().zip(&mut standings) {
        let is_twin = told.values().any(|(twin, _)| {
            path == twin || path.strip_prefix(twin.as_str()).is_some_and(|rest| rest.starts_with('/'))
        });
        if is_twin && *standing == Standing::Ported {
            *standing = Standing::Left(KeptReason::MusaTwin);
        }
    }
    for (left, (twin, count)) in told {
        let files = if count == 1 { "1 file".to_owned() } else { format!("{count} files") };
        findings.push(
            Finding::whole(MUSA_TWIN, &left, format!("`{left}` was left ({files}): `{twin}` stands beside it"))
                .help("carry changes over to the twin by hand, or port a tree without it"),
        );
    }
    standings
}

/// Let the code reach MUSA's counterpart of a library where that has every header that is used:
/// includes of it then mean no file of the tree any more.
fn swap(
    carried: &[Carried<'_>],
    facts: &[Facts],
    resolved: &mut [Vec<Option<usize>>],
    listing: &[(String, Class)],
    lore: Lore<'_>,
    findings: &mut Vec<Finding>,
) {
    let path_of = |file: usize| listing.get(file).map_or("", |(path, _)| path.as_str());
    for library in carried {
        let mut used: Vec<(usize, usize, &str)> = Vec::new();
        for (file, (facts, targets)) in facts.iter().zip(resolved.iter()).enumerate() {
            for (at, (include, target)) in facts.includes.iter().zip(targets).enumerate() {
                let inside = target.is_some_and(|target| library.holds(path_of(target)));
                if inside && !library.holds(path_of(file)) {
                    used.push((file, at, include.path.as_str()));
                }
            }
        }
        let mut missing: Vec<&str> = used
            .iter()
            .map(|(_, _, path)| *path)
            .filter(|path| {
                lore.tables.header(path).is_none_or(|row| {
                    !matches!(row.relation, Relation::Renamed | Relation::Same)
                        || row.evidence > Some(Evidence::Table)
                })
            })
            .collect();
        missing.sort_unstable();
        missing.dedup();
        let (name, counterpart) = (&library.library.name, &library.library.counterpart);
        let Some(folder) = library.folders.first() else { continue };
        if missing.is_empty() {
            for (file, at, _) in used {
                if let Some(slot) = resolved.get_mut(file).and_then(|targets| targets.get_mut(at)) {
                    *slot = None;
                }
            }
            continue;
        }
        findings.push(
            Finding::whole(
                NOT_SWAPPED,
                folder.trim_end_matches('/'),
                format!(
                    "{name} was not swapped: {counterpart} is not known to have `{}`",
                    missing.join("`, `")
                ),
            )
            .help("replace the code that uses these headers first, or keep the library"),
        );
    }
}

/// Libraries outside the tree that the code stays with.
#[derive(Clone, Default, Debug)]
pub struct LeftLibraries {
    /// First folders of their included paths, which are their namespaces, too.
    pub folders: FxHashSet<String>,
    /// Ids of their tables.
    pub tables: FxHashSet<String>,
}

/// A library goes over to its counterpart whole or not at all: half of its headers from one and
/// half from the other builds with neither.
fn left_libraries(
    facts: &[Facts],
    resolved: &[Vec<Option<usize>>],
    standings: &[Standing],
    listing: &[(String, Class)],
    lore: Lore<'_>,
    findings: &mut Vec<Finding>,
) -> LeftLibraries {
    let mut left = LeftLibraries::default();
    for library in &lore.knowledge.vendored {
        let Some(table) = &library.table else { continue };
        let mut missing: BTreeMap<&str, &str> = BTreeMap::new();
        for (((facts, targets), standing), (path, _)) in
            facts.iter().zip(resolved).zip(standings).zip(listing)
        {
            if *standing != Standing::Ported {
                continue;
            }
            for (include, target) in facts.includes.iter().zip(targets) {
                let used = target.is_none()
                    && include.region == regions::Region::Plain
                    && library.prefix.iter().any(|prefix| include.path.starts_with(prefix));
                let known = || {
                    lore.tables.header(&include.path).is_some_and(|row| {
                        matches!(row.relation, Relation::Renamed | Relation::Same)
                    })
                };
                if used && !known() {
                    missing.entry(include.path.as_str()).or_insert(path.as_str());
                }
            }
        }
        let Some((first, at)) = missing.first_key_value() else { continue };
        let folders = library.prefix.iter().map(|prefix| prefix.trim_end_matches('/').to_owned());
        left.folders.extend(folders);
        left.tables.insert(table.clone());
        let (name, counterpart) = (&library.name, &library.counterpart);
        let count = missing.len();
        findings.push(
            Finding::whole(
                NOT_SWAPPED,
                at,
                format!("code that uses {name} stays with it: {counterpart} is not known to have {count} of the headers used, such as `{first}`"),
            )
            .help(format!("{}; once no such header is used, a port takes {counterpart} throughout", library.advice)),
        );
    }
    left
}

/// Leave headers that are included in branches for other platforms only.
fn leave_other_platforms(
    facts: &[Facts],
    resolved: &[Vec<Option<usize>>],
    listing: &[(String, Class)],
    standings: &mut [Standing],
    findings: &mut Vec<Finding>,
) {
    use regions::Region;
    let mut included: BTreeMap<usize, (bool, KeptReason, usize)> = BTreeMap::new();
    for (from, (facts, resolved)) in facts.iter().zip(resolved).enumerate() {
        for (include, target) in facts.includes.iter().zip(resolved) {
            let Some(target) = *target else { continue };
            let reason = match include.region {
                Region::OtherVendor => Some(KeptReason::VendorBranch),
                Region::NotMusa => Some(KeptReason::MusaBranch),
                Region::Plain | Region::Musa => None,
            };
            let entry = included
                .entry(target)
                .or_insert((true, reason.unwrap_or(KeptReason::VendorBranch), from));
            entry.0 &= reason.is_some();
        }
    }
    for (file, (elsewhere, reason, from)) in included {
        let (Some(standing), Some((path, _))) = (standings.get_mut(file), listing.get(file)) else {
            continue;
        };
        if elsewhere && *standing == Standing::Ported {
            *standing = Standing::Left(reason);
            let includer = listing.get(from).map_or("", |(path, _)| path.as_str());
            findings.push(
                Finding::whole(
                    OTHER_PLATFORM,
                    path,
                    format!("`{path}` was left: only branches for other platforms include it (`{includer}`)"),
                )
                .help("nothing to do where the MUSA branch beside it is complete"),
            );
        }
    }
}

/// The path that each file gets.
#[expect(clippy::too_many_arguments, reason = "each is a column of the same table of files")]
fn outputs(
    inputs: &[Input],
    standings: &[Standing],
    facts: &[Facts],
    resolved: &[Vec<Option<usize>>],
    mentioning: &[Mentioning],
    options: &Options,
    lore: Lore<'_>,
    findings: &mut Vec<Finding>,
) -> Vec<String> {
    let _ = facts;
    let mut held_by: FxHashMap<usize, usize> = FxHashMap::default();
    for (from, targets) in resolved.iter().enumerate() {
        if standings.get(from) != Some(&Standing::Ported) {
            for target in targets.iter().flatten() {
                held_by.entry(*target).or_insert(from);
            }
        }
    }
    let path_of = |index: usize| inputs.get(index).map_or("", |input| input.path.as_str());
    let candidates: Vec<Candidate> = inputs
        .iter()
        .enumerate()
        .filter(|(index, input)| {
            matches!(input.class.kind, FileKind::Cuda | FileKind::CudaHeader)
                && !input.class.template
                && standings.get(*index) == Some(&Standing::Ported)
        })
        .filter_map(|(file, input)| {
            let place = input.moved.as_deref().unwrap_or(&input.path);
            let renamed = lore
                .knowledge
                .files
                .rename
                .iter()
                .find_map(|(cuda, musa)| place.strip_suffix(cuda.as_str()).map(|s| format!("{s}{musa}")))?;
            Some(Candidate {
                file,
                path: input.path.clone(),
                renamed,
                held_by: held_by.get(&file).map(|&by| path_of(by).to_owned()),
                original_stays: input.moved.is_some(),
            })
        })
        .collect();
    let taken: FxHashSet<&str> = inputs.iter().map(|input| input.path.as_str()).collect();
    let endings: Vec<&str> = lore.knowledge.files.rename.keys().map(String::as_str).collect();
    let (renames, kept) = renames::decide(&candidates, mentioning, &taken, options.rename, &endings);
    findings.extend(kept);
    let mut outputs: Vec<String> = inputs
        .iter()
        .map(|input| input.moved.clone().unwrap_or_else(|| input.path.clone()))
        .collect();
    for (file, renamed) in renames {
        if let Some(output) = outputs.get_mut(file) {
            *output = renamed;
        }
    }
    outputs
}
