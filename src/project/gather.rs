//! Combines the facts of all files.

use std::collections::BTreeMap;
use std::sync::Arc;

use fixedbitset::FixedBitSet;
use rustc_hash::{FxHashMap, FxHashSet};

use super::facts::{DeclaredAs, FileFacts};
use super::includes::open_macros::{OpenMacros, open_macros};
use super::tree::source::{Disposition, Source};
use super::{Context, Project};
use torchada_diagnostic::KeptReason;
use torchada_hazards::CapabilityNames;
use torchada_parallel as parallel;

impl Project {
    /// Fill in what follows from the facts of all files.
    pub(super) fn gather(&mut self, context: Context<'_>) {
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
        self.open_macros = Arc::new(open_macros(&self.files, &self.included_by));
        // What a file declares under such a macro gets the name that the macro makes.
        for (index, file) in self.files.iter_mut().enumerate() {
            if let Some(facts) = file.own_facts() {
                drop_under_macros(facts, index, &self.open_macros);
            }
        }
        self.note_unsupported();
        self.find_seers();
        self.note_forwarders(context);
        self.note_names();
        for facts in self.files.iter_mut().filter_map(Source::own_facts) {
            forget_gathered(facts);
        }
    }

    /// Note which files include each file, and which folders are included from outside of the tree.
    fn note_includes(&mut self) {
        let mut outside: FxHashSet<String> = FxHashSet::default();
        let mut included_by: FxHashMap<usize, Vec<usize>> = FxHashMap::default();
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
                    included_by.entry(target).or_default().push(from);
                }
            }
        }
        self.outside_folders = outside;
        self.included_by = Arc::new(included_by);
    }

    /// Note which names lead to code that MUSA does not support, once it is known which classes and switches they belong to.
    fn note_unsupported(&mut self) {
        let unsupported = Arc::make_mut(&mut self.unsupported);
        for (at, file) in self.files.iter().enumerate() {
            let facts = &file.facts;
            unsupported.add(at, &facts.unsupported, &facts.named, facts.architecture);
        }
        for (at, file) in self.files.iter_mut().enumerate() {
            if let Some(facts) = file.own_facts() {
                unsupported.count_classes(at, &std::mem::take(&mut facts.classes));
            }
        }
        for facts in self.files.iter_mut().filter_map(Source::own_facts) {
            let mut templates = facts.numbered_templates.iter();
            facts.has_hits |= templates.any(|name| unsupported.takes_capability(name));
        }
        for (at, file) in self.files.iter().enumerate() {
            unsupported.disable(at, &file.facts.switches);
        }
    }

    /// Note the names that the files declare, define, forward and open.
    fn note_names(&mut self) {
        let lookalikes = Arc::make_mut(&mut self.lookalikes);
        let defined_functions = Arc::make_mut(&mut self.defined_functions);
        for facts in self.files.iter_mut().filter_map(Source::own_facts) {
            self.members.extend(std::mem::take(&mut facts.members));
            lookalikes.extend(std::mem::take(&mut facts.lookalikes));
        }
        for file in &self.files {
            // Build files define some, too.
            let defined = file.facts.lookalikes.iter();
            lookalikes.extend(defined.cloned());
            self.namespaces
                .extend(file.facts.namespaces.iter().cloned());
            // What a carried library declares in its own namespace is no extension of it.
            if !file.carried {
                let facts = &file.facts;
                self.extensions.extend(facts.extensions.iter().cloned());
                self.own_namespaces.extend(facts.namespaces.iter().cloned());
            }
            defined_functions.extend(
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
        let unsupported = Arc::make_mut(&mut self.unsupported);
        for (at, seers) in seers {
            unsupported.set_seers(at, seers);
        }
    }

    /// The files that some unit includes together with the file at `index`; `None` where there are too many to follow.
    fn included_with(&self, index: usize) -> Option<FixedBitSet> {
        let includers = self.includers(index);
        if includers.len() >= self.most_includes {
            return None;
        }
        let mut seen = FixedBitSet::with_capacity(self.files.len());
        seen.extend(includers.into_iter().chain([index]));
        let mut queue: Vec<usize> = seen.ones().collect();
        while let Some(file) = queue.pop() {
            let targets = self.files.get(file).map_or(&[][..], |file| &file.resolved);
            for &target in targets.iter().flatten() {
                if !seen.put(target) {
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
}

/// Let go of what nobody asks a file for once the project has it.
fn forget_gathered(facts: &mut FileFacts) {
    facts.unsupported = Vec::new();
    facts.named = CapabilityNames::default();
    facts.switches = Vec::new();
    facts.numbered_templates = Vec::new();
    facts.forwarders = Vec::new();
    facts.lists = Vec::new();
    facts.extensions = Vec::new();
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

/// Drop the declarations of names that a macro renames wherever the file at an index is included.
pub(super) fn drop_under_macros(facts: &mut FileFacts, index: usize, open: &OpenMacros) {
    use DeclaredAs::{Alias, Macro, VendorAlias};
    let is_macro = |what| matches!(what, Macro | Alias | VendorAlias);
    facts.declared.retain(|one| {
        let under = open.get(&one.name).and_then(|files| files.get(&index));
        is_macro(one.what) || !under.is_some_and(|one| one.always)
    });
}
