//! Finds the places that name a renamed source: lists of builds, patterns and strings. Each gets the new name.

use std::collections::{BTreeMap, BTreeSet};

use super::decide::new_ending;
use crate::facts::Reach;
use crate::tree::paths;
use crate::{Project, Source};
use torchada_diagnostic::Finding;
use torchada_diagnostic::codes::project::NAMED_ELSEWHERE;
use torchada_text::TextRange;

impl Project {
    /// Places in the file at `index` that name renamed sources, each with the ending that they get.
    pub fn renamed_mentions(&self, index: usize) -> Vec<(TextRange, String)> {
        let links = self.links.get(&index).map_or(&[][..], Vec::as_slice);
        let followed = links.iter().filter(|link| {
            let mut members = link.members.iter();
            let is_renamed = |&at: &usize| self.files.get(at).is_some_and(Source::is_renamed);
            link.follows
                && match link.mention.reach {
                    Reach::Expression => members.any(is_renamed),
                    _ => members.all(is_renamed),
                }
        });
        let mut found: Vec<(TextRange, String)> = followed
            .filter_map(|link| new_ending(&link.mention, &self.endings))
            .collect();
        found.sort();
        found.dedup();
        found
    }

    /// Places in the file at `index` that name sources which are translated and keep their names, each with what it
    /// names.
    pub fn kept_mentions(&self, index: usize) -> Vec<(TextRange, String)> {
        let links = self.links.get(&index).map_or(&[][..], Vec::as_slice);
        let kept = links.iter().filter(|link| {
            let mut members = link.members.iter();
            link.mention.binds
                && members.any(|&at| self.files.get(at).is_some_and(|one| !one.is_renamed()))
        });
        kept.map(|link| (link.mention.range, link.mention.text.clone()))
            .collect()
    }

    /// The files that names which keep their old form keep from theirs, besides `kept` themselves, each with one of
    /// `kept` that it is named together with.
    pub fn kept_with(&self, kept: &BTreeSet<usize>) -> BTreeMap<usize, usize> {
        let mut found: BTreeMap<usize, usize> = BTreeMap::new();
        let mut links: Vec<_> = self.links.iter().collect();
        links.sort_by_key(|(file, _)| **file);
        loop {
            let before = found.len();
            let named = links.iter().flat_map(|(_, links)| links.iter());
            let named = named.filter(|link| link.mention.binds);
            let together = named.map(|link| link.members.as_slice());
            for members in together.chain(self.alike.iter().map(<[usize; 2]>::as_slice)) {
                let is_kept = |at: &&usize| kept.contains(at) || found.contains_key(at);
                let Some(first) = members.iter().find(is_kept).copied() else {
                    continue;
                };
                for &member in members {
                    let is_renamed = self.files.get(member).is_some_and(Source::is_renamed);
                    if is_renamed && !kept.contains(&member) {
                        found.entry(member).or_insert(first);
                    }
                }
            }
            if found.len() == before {
                return found;
            }
        }
    }

    /// This project, where some files keep their names. Each comes with the finding that says so.
    #[must_use]
    pub fn with_kept_names(self, kept: BTreeMap<usize, Finding>) -> Self {
        let Self {
            mut files,
            mut findings,
            ..
        } = self;
        for (index, finding) in kept {
            let Some(file) = files.get_mut(index) else {
                continue;
            };
            file.output = paths::sibling(&file.output, paths::file_name(&file.path)).into();
            findings.retain(|one| one.code != NAMED_ELSEWHERE || *one.path != *file.path);
            findings.push(finding);
        }
        Self {
            files,
            findings,
            ..self
        }
    }

    /// The renamed sources that every name of them leaves behind which could follow, because the code around it stays, each
    /// with one of the files that name it. `stays` says whether a place of a file does.
    pub fn left_by_all(&self, stays: impl Fn(usize, TextRange) -> bool) -> BTreeMap<usize, usize> {
        let mut left: BTreeMap<usize, Option<usize>> = BTreeMap::new();
        let mut links: Vec<_> = self.links.iter().collect();
        links.sort_by_key(|(file, _)| **file);
        let all = links
            .iter()
            .flat_map(|(file, links)| links.iter().map(|link| (**file, link)));
        for (file, link) in all.filter(|(_, link)| link.follows && link.mention.binds) {
            let Some((ending, _)) = new_ending(&link.mention, &self.endings) else {
                continue;
            };
            let by = stays(file, ending).then_some(file);
            for &member in &link.members {
                left.entry(member)
                    .and_modify(|known| *known = known.and(by))
                    .or_insert(by);
            }
        }
        let is_renamed = |at: usize| self.files.get(at).is_some_and(Source::is_renamed);
        left.into_iter()
            .filter_map(|(at, by)| Some((at, by.filter(|_| is_renamed(at))?)))
            .collect()
    }

    /// The files that mention one of `named`.
    pub fn mentioners(&self, named: &BTreeSet<usize>) -> BTreeSet<usize> {
        let speaks = |members: &[usize]| members.iter().any(|at| named.contains(at));
        let files = self.links.iter();
        files
            .filter(|(_, links)| links.iter().any(|link| speaks(&link.members)))
            .map(|(file, _)| *file)
            .collect()
    }
}

impl Project {
    /// The files below `folder` whose paths end as a pattern says, with `*` for any run of characters in a component.
    pub fn files_like(&self, folder: &str, pattern: &str) -> Vec<usize> {
        let pattern = pattern.trim_end_matches('/');
        let pattern = paths::join(folder, &format!("**/{pattern}"));
        pattern.map_or_else(Vec::new, |pattern| self.places.like(&pattern))
    }
}

impl Source {
    /// Whether the file gets another name.
    pub fn is_renamed(&self) -> bool {
        paths::file_name(&self.path) != paths::file_name(&self.output)
    }
}
