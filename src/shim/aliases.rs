//! The CUDA name of each MUSA name.

use std::collections::{BTreeMap, BTreeSet};

use super::counterpart;
use crate::mapping::{Evidence, Nature, Row, Section, Tables};

/// MUSA names with the CUDA names that they stand for, by what they are to a compiler.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Aliases {
    /// Functions, types, enumerators, parts of namespaces.
    pub declared: BTreeMap<String, String>,
    /// Macros of headers and of the compiler: there only where CUDA's is defined.
    pub macros: BTreeMap<String, String>,
    /// Macros that code or builds define for headers to see.
    pub switches: BTreeMap<String, String>,
    /// Names that CUDA's side declares itself: they compile as they are, and get no alias.
    pub native: BTreeMap<String, String>,
    /// Further CUDA names whose counterpart goes back to another one, with that one.
    pub synonyms: BTreeMap<String, String>,
}

impl Aliases {
    /// The aliases of all rows whose evidence is `weakest` or better.
    pub(super) fn of(tables: &Tables, weakest: Evidence) -> Self {
        let candidates = candidates(tables, weakest);
        let cuda_side = cuda_side(tables);
        let mut aliases = Self::default();
        for (musa, mut names) in candidates {
            // `at::musa` for `torch::cuda` must not make PyTorch's own `at` mean `torch`.
            if cuda_side.contains(musa) {
                continue;
            }
            // Of several names the plainer one: `cublasCreate`, not `cublasCreate_v2`.
            names.sort_by_key(|name| (!name.primary, name.cuda.len(), name.cuda));
            let Some(first) = names.first() else { continue };
            let map = match first.nature {
                Nature::Declared => &mut aliases.declared,
                Nature::Macro => &mut aliases.macros,
                Nature::Switch => &mut aliases.switches,
                Nature::Native => &mut aliases.native,
            };
            map.insert(musa.to_owned(), first.cuda.to_owned());
            for other in names.iter().filter(|other| other.cuda != first.cuda) {
                aliases
                    .synonyms
                    .insert(other.cuda.to_owned(), first.cuda.to_owned());
            }
        }
        aliases
    }

    /// The CUDA name that a name stands for; `None` for one that stands for itself.
    pub fn meaning(&self, name: &str) -> Option<&str> {
        [
            &self.declared,
            &self.macros,
            &self.switches,
            &self.native,
            &self.synonyms,
        ]
        .into_iter()
        .find_map(|map| map.get(name))
        .map(String::as_str)
    }
}

/// A CUDA name that may be what a MUSA name means.
#[derive(Clone, Copy)]
struct Name<'a> {
    cuda: &'a str,
    nature: Nature,
    primary: bool,
}

/// For each MUSA name the CUDA names that become it.
fn candidates(tables: &Tables, weakest: Evidence) -> BTreeMap<&str, Vec<Name<'_>>> {
    let mut found: BTreeMap<&str, Vec<Name<'_>>> = BTreeMap::new();
    let mut add = |musa, cuda, nature, primary| {
        if musa != cuda {
            let name = Name {
                cuda,
                nature,
                primary,
            };
            found.entry(musa).or_default().push(name);
        }
    };
    for section in [Section::Names, Section::Members] {
        for row in tables.rows(section) {
            if let Some(to) = counterpart(row, weakest) {
                add(to, &row.cuda, row.nature, row.primary);
            }
        }
    }
    for section in [Section::Namespaces, Section::Qualified] {
        for row in tables.rows(section) {
            let Some(to) = counterpart(row, weakest) else {
                continue;
            };
            for (at, musa, cuda) in parts(row, to) {
                // Only the name itself is what the row says it is, not what it stands in.
                let nature = if at == 0 {
                    row.nature
                } else {
                    Nature::Declared
                };
                add(musa, cuda, nature, false);
            }
        }
    }
    found
}

/// The parts of a qualified name beside those of its counterpart, with their place from the end.
fn parts<'a>(row: &'a Row, to: &'a str) -> impl Iterator<Item = (usize, &'a str, &'a str)> {
    let cuda = row.cuda.rsplit("::");
    let musa = to.rsplit("::");
    musa.zip(cuda)
        .enumerate()
        .map(|(at, (musa, cuda))| (at, musa, cuda))
}

/// Every identifier that the tables know on CUDA's side.
fn cuda_side(tables: &Tables) -> BTreeSet<&str> {
    [
        Section::Names,
        Section::Members,
        Section::Namespaces,
        Section::Qualified,
    ]
    .into_iter()
    .flat_map(|section| tables.rows(section))
    .flat_map(|row| row.cuda.split("::"))
    .collect()
}
