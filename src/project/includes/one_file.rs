//! What a project knows of one file: what it sees through its includes, and which uses of macros take what stands in it.

use std::borrow::Cow;

use rustc_hash::FxHashSet;

use super::resolve::Includes;
use crate::{Invocation, Project, Visible};
use torchada_text::TextRange;

impl Project {
    /// The files whose includes lead to the file at `index`.
    pub(crate) fn includers(&self, index: usize) -> Vec<usize> {
        let mut seen = FxHashSet::default();
        let mut queue = vec![index];
        while let Some(file) = queue.pop()
            && seen.len() < self.most_includes
        {
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

    /// Whether a file includes the one at `index`.
    pub fn is_included(&self, index: usize) -> bool {
        self.included_by.contains_key(&index)
    }

    /// Whether the file at `index` sees a header.
    pub fn sees_header(&self, index: usize, header: &str) -> bool {
        let header = Cow::Owned(header.to_owned());
        self.visible(index).has_header(&[header])
    }

    /// The files and headers that the file at `index` sees.
    pub fn visible(&self, index: usize) -> Visible {
        let includes = Includes {
            of: &|file| {
                let file = self.files.get(file);
                file.map_or(&[], |file| file.facts.includes.as_slice())
            },
            resolved: &|file| {
                let file = self.files.get(file);
                file.map_or(&[], |file| file.resolved.as_slice())
            },
            headers: &self.headers,
            files: self.files.len(),
            most: self.most_includes,
        };
        Visible::of(index, &self.includers(index), &includes)
    }

    /// The uses of macros that make names, members or strings of their arguments, as far as the
    /// arguments stand in the file at `index`.
    pub fn uses_in(&self, index: usize) -> impl Iterator<Item = &Invocation> {
        let uses = self.uses_in.get(&index).into_iter();
        uses.flat_map(|uses| &uses.all)
            .filter_map(|(name, at)| self.invocations.get(name)?.get(*at))
    }

    /// The uses of such macros that take the text at a place in the file at `index`, each with the position of that
    /// argument.
    pub fn uses_of(
        &self,
        index: usize,
        place: TextRange,
    ) -> impl Iterator<Item = (&Invocation, usize)> {
        let uses = self.uses_in.get(&index);
        let found = uses.and_then(|uses| Some((uses, uses.by_argument.get(&place)?)));
        found
            .into_iter()
            .flat_map(|(uses, found)| {
                found
                    .iter()
                    .map(move |&(at, argument)| (uses.all.get(at), argument))
            })
            .filter_map(|(one, argument)| {
                let (name, at) = one?;
                Some((self.invocations.get(name)?.get(*at)?, argument))
            })
    }
}
