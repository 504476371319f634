//! Combines the facts of all files.

use std::collections::BTreeMap;

use rustc_hash::FxHashSet;

use super::facts::{DeclaredAs, FileFacts, Invocation, ListMacro};
use super::includes::open_macros::open_macros;
use super::tree::source::{Disposition, Source};
use super::{Project, scan};
use torchada_diagnostic::KeptReason;
use torchada_parallel as parallel;

impl Project {
    /// Fill in what follows from the facts of all files.
    pub(super) fn gather(&mut self) {
        for index in self.headers_without_cuda() {
            if let Some(facts) = self.files.get_mut(index).and_then(Source::own_facts) {
                take_stubs(facts);
            }
        }
        // What stands in for CUDA's somewhere does so everywhere: a declaration, its definition
        // and its uses change together.
        let stand_ins: FxHashSet<Vec<u8>> = self
            .files
            .iter_mut()
            .filter_map(Source::own_facts)
            .flat_map(|facts| std::mem::take(&mut facts.stand_ins))
            .collect();
        for facts in self.files.iter_mut().filter_map(Source::own_facts) {
            drop_stand_ins(facts, &stand_ins);
        }
        self.stand_ins = stand_ins;
        self.note_uses_of_macros();
        self.note_includes();
        self.open_macros = open_macros(&self.files, &self.included_by);
        // What a file declares under such a macro gets the name that the macro makes.
        for (name, under) in &self.open_macros {
            for (index, file) in self.files.iter_mut().enumerate() {
                if under.get(&index).is_some_and(|one| one.always)
                    && let Some(facts) = file.own_facts()
                {
                    drop_under_macro(facts, name);
                }
            }
        }
        self.note_unsupported();
        self.find_seers();
        self.note_names();
    }

    /// Note which uses of macros take what stands in a file.
    fn note_uses_of_macros(&mut self) {
        let by_name = self.uses_of_macros();
        for uses in by_name.values() {
            for (at, one) in uses.iter().enumerate() {
                let uses = self.uses_in.entry(one.file).or_default();
                for (argument, (place, _)) in one.arguments.iter().enumerate() {
                    let known = uses.by_argument.entry(*place).or_default();
                    // One name is one argument of a use.
                    if known.last().is_none_or(|&(last, _)| last != uses.all.len()) {
                        known.push((uses.all.len(), argument));
                    }
                }
                uses.all.push((one.name.clone(), at));
            }
        }
        self.invocations = by_name;
    }

    /// Note which files include each file, and which folders are included from outside of the tree.
    fn note_includes(&mut self) {
        let mut outside: FxHashSet<String> = FxHashSet::default();
        for (from, file) in self.files.iter().enumerate() {
            for (include, target) in file.facts.includes.iter().zip(&file.resolved) {
                let carried = |file: usize| {
                    self.files.get(file).is_some_and(|file| {
                        file.disposition == Disposition::Left(KeptReason::Vendored)
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
    }

    /// Note which names lead to code that MUSA does not support, once it is known which classes and switches they belong to.
    fn note_unsupported(&mut self) {
        for (at, file) in self.files.iter().enumerate() {
            let facts = &file.facts;
            self.unsupported
                .add(at, &facts.unsupported, &facts.named, facts.architecture);
        }
        for (at, file) in self.files.iter_mut().enumerate() {
            if let Some(facts) = file.own_facts() {
                self.unsupported
                    .count_classes(at, &std::mem::take(&mut facts.classes));
            }
        }
        for facts in self.files.iter_mut().filter_map(Source::own_facts) {
            let mut templates = facts.numbered_templates.iter();
            facts.has_hits |= templates.any(|name| self.unsupported.takes_capability(name));
        }
        for (at, file) in self.files.iter().enumerate() {
            self.unsupported.disable(at, &file.facts.switches);
        }
    }

    /// Note the names that the files declare, define, forward and open.
    fn note_names(&mut self) {
        for facts in self.files.iter_mut().filter_map(Source::own_facts) {
            self.members.extend(std::mem::take(&mut facts.members));
            self.lookalikes
                .extend(std::mem::take(&mut facts.lookalikes));
        }
        for file in &self.files {
            for one in &file.facts.forwarders {
                let known = self.forwarders.entry(one.name.clone()).or_default();
                if !known.contains(one) {
                    known.push(one.clone());
                }
            }
            // Build files define some, too.
            let defined = file.facts.lookalikes.iter();
            self.lookalikes.extend(defined.cloned());
            self.namespaces
                .extend(file.facts.namespaces.iter().cloned());
            // What a carried library declares in its own namespace is no extension of it.
            if !file.carried {
                let facts = &file.facts;
                self.extensions.extend(facts.extensions.iter().cloned());
                self.own_namespaces.extend(facts.namespaces.iter().cloned());
            }
            self.defined_functions.extend(
                file.facts
                    .declared
                    .iter()
                    .filter(|one| one.what == DeclaredAs::Function && one.scope.is_empty())
                    .map(|one| one.name.clone()),
            );
        }
    }

    /// Find the files that can see the names that lead to something unsupported: those that are included with the file
    /// of the name in one unit.
    fn find_seers(&mut self) {
        let speaks = |file: &&Source| {
            let facts = &file.facts;
            !facts.unsupported.is_empty()
                || !facts.switches.is_empty()
                || facts.architecture.is_some()
        };
        let all = self.files.iter().enumerate();
        let of: Vec<usize> = all
            .filter(|(_, file)| speaks(file))
            .map(|(at, _)| at)
            .collect();
        let seers = parallel::flat_map(of, |at| Some((at, self.included_with(at)?)));
        for (at, seers) in seers {
            self.unsupported.set_seers(at, seers);
        }
    }

    /// The files that some unit includes together with the file at `index`; `None` where there are too many to follow.
    fn included_with(&self, index: usize) -> Option<FxHashSet<usize>> {
        let includers = self.includers(index);
        if includers.len() >= self.most_includes {
            return None;
        }
        let mut seen: FxHashSet<usize> = includers.into_iter().collect();
        seen.insert(index);
        let mut queue: Vec<usize> = seen.iter().copied().collect();
        while let Some(file) = queue.pop() {
            let targets = self.files.get(file).map_or(&[][..], |file| &file.resolved);
            for &target in targets.iter().flatten() {
                if seen.insert(target) {
                    queue.push(target);
                }
            }
        }
        Some(seen)
    }

    /// Headers that only builds without CUDA include: what they declare under its names stands in for
    /// it.
    pub(super) fn headers_without_cuda(&self) -> Vec<usize> {
        let mut found: BTreeMap<usize, bool> = BTreeMap::new();
        for file in &self.files {
            for (include, target) in file.facts.includes.iter().zip(&file.resolved) {
                if let Some(target) = *target {
                    *found.entry(target).or_insert(true) &= include.without_cuda;
                }
            }
        }
        found.retain(|_, is_without| *is_without);
        found.into_keys().collect()
    }

    /// The uses of macros that make names, members or strings of their arguments, directly or
    /// through a macro that hands its names to them.
    fn uses_of_macros(&self) -> BTreeMap<Vec<u8>, Vec<Invocation>> {
        let mut makers: FxHashSet<&[u8]> = FxHashSet::default();
        let mut lists: BTreeMap<&[u8], Vec<(usize, &ListMacro)>> = BTreeMap::new();
        for (index, file) in self.files.iter().enumerate() {
            let facts = &file.facts;
            makers.extend(facts.pasters.iter().map(|one| one.name.as_slice()));
            makers.extend(facts.stringizers.iter().map(|one| one.name.as_slice()));
            makers.extend(facts.accessors.iter().map(|one| one.name.as_slice()));
            for list in &facts.lists {
                lists.entry(&list.name).or_default().push((index, list));
            }
        }
        let mut by_name: BTreeMap<Vec<u8>, Vec<Invocation>> = BTreeMap::new();
        if makers.is_empty() {
            return by_name;
        }
        let mut makers_and_lists: Vec<&[u8]> = makers.iter().chain(lists.keys()).copied().collect();
        makers_and_lists.sort_unstable();
        let all: FxHashSet<&[u8]> = makers_and_lists.iter().copied().collect();
        // Almost no identifier is as long as one of them and starts as it does.
        let mut lengths = [0_u64; 256];
        for name in makers_and_lists {
            if let Some((slot, bit)) = measure(name)
                && let Some(known) = lengths.get_mut(slot)
            {
                *known |= bit;
            }
        }
        let wanted = |name: &[u8]| {
            let known = |(slot, bit)| {
                lengths
                    .get(slot)
                    .is_some_and(|known: &u64| known & bit != 0)
            };
            measure(name).is_some_and(known) && all.contains(name)
        };
        let files = self.files.iter().enumerate();
        let files = files.filter(|(_, file)| file.class.kind.is_cpp());
        let files = files.filter_map(|(index, file)| Some((index, file, file.text.as_ref()?)));
        let found: Vec<Invocation> = parallel::flat_map(files, |(index, file, text)| {
            scan::invocations(&text.once(), file.class, index, &wanted)
        });
        let mut through_lists: Vec<Invocation> = Vec::new();
        for one in &found {
            for (file, list) in lists.get(one.name.as_slice()).into_iter().flatten() {
                for call in &list.calls {
                    let name = one.arguments.get(call.parameter);
                    let name = name.map(|(_, name)| name.as_slice());
                    if let Some(name) = name.filter(|name| makers.contains(name)) {
                        through_lists.push(Invocation {
                            name: name.to_vec(),
                            arguments: call.arguments.clone(),
                            file: *file,
                            used_in: one.file,
                        });
                    }
                }
            }
        }
        for one in found {
            if makers.contains(one.name.as_slice()) {
                by_name.entry(one.name.clone()).or_default().push(one);
            }
        }
        for one in through_lists {
            let uses = by_name.entry(one.name.clone()).or_default();
            if !uses.contains(&one) {
                uses.push(one);
            }
        }
        by_name
    }
}

/// Take what a header that only builds without CUDA include declares under CUDA's names for stand-ins.
pub(super) fn take_stubs(facts: &mut FileFacts) {
    let stubs = facts.declared.extract_if(.., |one| one.what.can_stand_in());
    facts.stand_ins.extend(stubs.map(|one| one.name));
}

/// Drop the declarations of names that stand in for CUDA's.
pub(super) fn drop_stand_ins(facts: &mut FileFacts, stand_ins: &FxHashSet<Vec<u8>>) {
    facts.declared.retain(|one| {
        let global = one.scope.is_empty()
            && matches!(one.what, DeclaredAs::Function | DeclaredAs::Prototype);
        !(global && stand_ins.contains(&one.name))
    });
}

/// Drop the declarations of a name that a macro renames wherever the file is included.
pub(super) fn drop_under_macro(facts: &mut FileFacts, name: &[u8]) {
    use DeclaredAs::{Alias, Macro, VendorAlias};
    let is_macro = |what| matches!(what, Macro | Alias | VendorAlias);
    facts
        .declared
        .retain(|one| one.name != *name || is_macro(one.what));
}

/// The first byte of a name, and a bit for its length.
fn measure(name: &[u8]) -> Option<(usize, u64)> {
    Some((usize::from(*name.first()?), 1 << name.len().min(63)))
}
