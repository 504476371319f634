//! Macros of the project's own that are open where a file is included.
//!
//! `#define CUtensorMap mine`, `#include "body.cu"`, `#undef CUtensorMap`: in the body the name
//! means the project's, although the body itself says nothing of it.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::facts::{DeclaredAs, Include, OwnDeclaration};
use crate::tree::source::Source;

/// A macro of the project's own that is open where a file is included.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OpenMacro {
    /// Index of the file that defines it.
    pub by: usize,
    /// Whether it is open wherever the file is included.
    pub always: bool,
}

/// Macros that are open around includes, by name and by the file that is included.
pub(crate) type OpenMacros = BTreeMap<Vec<u8>, FxHashMap<usize, OpenMacro>>;

/// Find the macros that are open around includes. `included_by` says for each file which ones
/// include it.
pub(crate) fn open_macros(
    files: &[Source],
    included_by: &FxHashMap<usize, Vec<usize>>,
) -> OpenMacros {
    let mut found = OpenMacros::new();
    for (by, file) in files.iter().enumerate() {
        for one in file.facts.declared.iter().filter(|one| is_macro(one)) {
            let inside = includes(file)
                .filter(|(include, _)| one.reach.contains(include.range.start))
                .map(|(_, target)| target);
            let inside: Vec<usize> = inside.collect();
            if inside.is_empty() {
                continue;
            }
            let earlier = includes(file)
                .filter(|(include, _)| include.range.start < one.reach.start)
                .map(|(_, target)| target);
            let earlier = closure(files, earlier.collect(), &|_| true);
            // What is here already and comes only once does not come again.
            let comes = |file: usize| {
                let once = files.get(file).is_some_and(|file| file.facts.once);
                file != by && !(once && earlier.contains(&file))
            };
            let names = found.entry(one.name.clone()).or_default();
            let mut under: Vec<usize> = closure(files, inside, &comes).into_iter().collect();
            under.sort_unstable();
            for file in under {
                names.entry(file).or_insert(OpenMacro { by, always: true });
            }
        }
    }
    for (name, under) in &mut found {
        let mut without: Vec<usize> = under
            .keys()
            .copied()
            .filter(|&file| comes_without(files, included_by, name, under, file))
            .collect();
        without.sort_unstable();
        for file in without {
            if let Some(one) = under.get_mut(&file) {
                one.always = false;
            }
        }
    }
    found
}

fn is_macro(one: &OwnDeclaration) -> bool {
    one.what == DeclaredAs::Macro
}

/// The includes of a file that are compiled on MUSA and mean a file of the tree, with that file.
fn includes(file: &Source) -> impl Iterator<Item = (&Include, usize)> {
    file.facts
        .includes
        .iter()
        .zip(&file.resolved)
        .filter(|(include, _)| include.is_for_musa())
        .filter_map(|(include, target)| Some((include, (*target)?)))
}

/// The files that includes lead to from `start`, `start` among them, through those that `comes`
/// accepts.
fn closure(files: &[Source], start: Vec<usize>, comes: &dyn Fn(usize) -> bool) -> FxHashSet<usize> {
    let mut seen = FxHashSet::default();
    let mut queue = start;
    while let Some(at) = queue.pop() {
        if comes(at) && seen.insert(at) {
            queue.extend(
                files
                    .get(at)
                    .into_iter()
                    .flat_map(includes)
                    .map(|(_, to)| to),
            );
        }
    }
    seen
}

/// Whether some way to include the file at `index` passes no open macro of this name.
fn comes_without(
    files: &[Source],
    included_by: &FxHashMap<usize, Vec<usize>>,
    name: &[u8],
    under: &FxHashMap<usize, OpenMacro>,
    index: usize,
) -> bool {
    let mut seen = FxHashSet::default();
    let mut queue = vec![index];
    while let Some(at) = queue.pop() {
        if !seen.insert(at) {
            continue;
        }
        for &from in included_by.get(&at).map_or(&[][..], Vec::as_slice) {
            let Some(file) = files.get(from) else {
                continue;
            };
            let open = |include: &Include| {
                let mut own = file.facts.declared.iter();
                own.any(|one| {
                    is_macro(one) && one.name == name && one.reach.contains(include.range.start)
                })
            };
            let mut ways = includes(file).filter(|(_, target)| *target == at);
            if ways.any(|(include, _)| !open(include)) {
                if !under.contains_key(&from) {
                    return true;
                }
                queue.push(from);
            }
        }
    }
    false
}
