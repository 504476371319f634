//! Which files get MUSA's names: through a header of aliases, or through MUSA's own headers.

use std::collections::BTreeSet;

use fixedbitset::FixedBitSet;

use crate::facts::{DeclaredAs, FileFacts};

/// The files that get MUSA's names, and the headers of aliases.
#[derive(Debug)]
pub(super) struct MusaNames {
    /// The files from which includes lead to a header of aliases, and those that they include.
    aliased: FixedBitSet,
    /// The files from which includes lead to MUSA's own headers and to none of CUDA's, and those that they include.
    own: FixedBitSet,
    /// The headers of aliases.
    pub(super) headers: BTreeSet<usize>,
}

impl MusaNames {
    /// Look along the includes that are compiled on MUSA. A header with at least `least` aliases is one of aliases.
    pub(super) fn new(facts: &[FileFacts], resolved: &[Vec<Option<usize>>], least: usize) -> Self {
        let is_header = |facts: &FileFacts| {
            let declared = facts.declared.iter();
            declared.filter(|one| one.what == DeclaredAs::Alias).count() >= least
        };
        let numbered = || facts.iter().enumerate();
        let headers = numbered().filter(|(_, facts)| is_header(facts));
        let headers: BTreeSet<usize> = headers.map(|(at, _)| at).collect();
        let mut includes: Vec<Vec<usize>> = vec![Vec::new(); facts.len()];
        let mut included_by: Vec<Vec<usize>> = vec![Vec::new(); facts.len()];
        for (from, (facts, targets)) in facts.iter().zip(resolved).enumerate() {
            let targets = facts.includes.iter().zip(targets);
            let targets = targets.filter(|(include, _)| include.is_for_musa());
            for target in targets.filter_map(|(_, target)| *target) {
                if let (Some(down), Some(up)) =
                    (includes.get_mut(from), included_by.get_mut(target))
                {
                    down.push(target);
                    up.push(from);
                }
            }
        }
        let users = closure(headers.iter().copied().collect(), &included_by);
        let aliased = closure(users.ones().collect(), &includes);
        let musas = numbered().filter(|(_, facts)| facts.platforms.musa);
        let mut users = closure(musas.map(|(at, _)| at).collect(), &included_by);
        for (at, facts) in numbered() {
            users.set(at, users.contains(at) && !facts.platforms.cuda);
        }
        let own = closure(users.ones().collect(), &includes);
        Self {
            aliased,
            own,
            headers,
        }
    }

    /// Whether a file gets MUSA's names under CUDA's where it is built for MUSA.
    pub(super) fn are_aliased(&self, file: usize) -> bool {
        self.aliased.contains(file)
    }

    /// Whether a file is written in MUSA's names.
    pub(super) fn are_own(&self, file: usize) -> bool {
        self.own.contains(file)
    }
}

/// The files that edges lead to from some, those among them.
fn closure(start: Vec<usize>, edges: &[Vec<usize>]) -> FixedBitSet {
    let mut seen = FixedBitSet::with_capacity(edges.len());
    let mut queue = start;
    while let Some(at) = queue.pop() {
        if !seen.put(at) {
            queue.extend(edges.get(at).into_iter().flatten().copied());
        }
    }
    seen
}
