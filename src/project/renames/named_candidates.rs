//! Which files that may be renamed a mention means.

use rustc_hash::{FxHashMap, FxHashSet};

use super::candidates::{Candidate, Link};
use crate::facts::{Mention, Reach};
use crate::mentions::file_mentions::Mentioning;
use crate::mentions::meaning::is_pattern;
use crate::tree::paths;

/// The candidates that mentions mean.
pub(crate) struct NamedCandidates<'a> {
    candidates: &'a [Candidate],
    pub(crate) by_path: FxHashMap<&'a str, usize>,
    by_name: FxHashMap<&'a str, Vec<usize>>,
    /// Files of the tree that end as candidates do, and keep their names whatever names them, such as those for another
    /// vendor.
    staying: FxHashSet<&'a str>,
}

impl<'a> NamedCandidates<'a> {
    pub(crate) fn new(candidates: &'a [Candidate], paths: &'a FxHashSet<&'a str>) -> Self {
        let mut by_name: FxHashMap<&str, Vec<usize>> = FxHashMap::default();
        let moved = |one: &Candidate| !one.original_stays;
        for (at, one) in candidates.iter().enumerate().filter(|(_, one)| moved(one)) {
            let name = paths::file_name(&one.path);
            by_name.entry(name).or_default().push(at);
        }
        let all = candidates.iter().enumerate();
        let by_path: FxHashMap<&str, usize> =
            all.map(|(at, one)| (one.path.as_str(), at)).collect();
        let endings: FxHashSet<&str> = candidates.iter().map(|one| ending(&one.path)).collect();
        let is_staying =
            |path: &&str| endings.contains(ending(path)) && !by_path.contains_key(path);
        Self {
            candidates,
            staying: paths.iter().copied().filter(is_staying).collect(),
            by_path,
            by_name,
        }
    }

    /// What a pattern in a file takes in that means nothing where the file lies: a makefile is run from the top of the
    /// tree, or copied there. It follows its files, and binds none of them.
    pub(crate) fn seen_from_the_top(
        &self,
        mention: &Mention,
        from: &Mentioning,
        endings: &[&str],
    ) -> Option<Link> {
        let takes_many = is_pattern(paths::file_name(&mention.text), endings);
        let is_below = from.path.contains('/');
        // A program of Python's may be about the sources of others.
        if !takes_many || from.is_cmake || from.is_python || !from.follows || !is_below {
            return None;
        }
        // The sources that the file names one by one tell what its patterns are for: another vendor's sources, maybe.
        let is_source = |one: &&Mention| !is_pattern(paths::file_name(&one.text), endings);
        let mut named = from.mentions.iter().filter(is_source).peekable();
        let is_others = |one: &Mention| self.of(one, &from.path, endings).is_empty();
        if named.peek().is_some() && named.all(is_others) {
            return None;
        }
        // A source that stays tells so, too: a pattern that takes it in is for sources that stay.
        let meaning = mention.meaning(&from.path, endings);
        if self.staying.iter().any(|path| meaning.takes_in(path)) {
            return None;
        }
        let members = self.of(mention, paths::file_name(&from.path), endings);
        let files = members.iter().filter_map(|&at| self.candidates.get(at));
        let members: Vec<usize> = files.map(|one| one.file).collect();
        let mention = Mention {
            binds: false,
            ..mention.clone()
        };
        (!members.is_empty()).then_some(Link {
            mention,
            members,
            follows: true,
        })
    }

    /// Their places in the list.
    pub(crate) fn of(&self, mention: &Mention, from: &str, endings: &[&str]) -> Vec<usize> {
        let meaning = mention.meaning(from, endings);
        let means = |at: &usize| {
            let candidate = self.candidates.get(*at);
            candidate.is_some_and(|one| !one.original_stays && meaning.takes_in(&one.path))
        };
        let name = paths::file_name(&mention.text);
        if is_pattern(name, endings) || mention.reach != Reach::Open {
            return (0..self.candidates.len()).filter(means).collect();
        }
        // What lies where the name leads, seen from the file that gives it, is what is meant.
        let beside = paths::join(paths::folder(from), &mention.text);
        let exact = beside.as_deref().and_then(|path| self.by_path.get(path));
        if let Some(&at) = exact.filter(|at| means(at)) {
            return vec![at];
        }
        if beside.is_some_and(|path| self.staying.contains(path.as_str())) {
            return Vec::new();
        }
        let named = self.by_name.get(name).map_or(&[][..], Vec::as_slice);
        named.iter().copied().filter(|at| means(at)).collect()
    }
}

/// What stands behind the last dot of a path.
fn ending(path: &str) -> &str {
    path.rsplit('.').next().unwrap_or_default()
}
