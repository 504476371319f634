//! What the files say taken together.

use std::collections::BTreeMap;

use rayon::prelude::*;
use rustc_hash::FxHashSet;

use super::facts::{DeclaredAs, Invocation};
use super::open_macros::open_macros;
use super::source::Standing;
use super::{Project, scan};
use crate::diagnostic::KeptReason;

impl Project {
    /// Fill in what follows from the facts of all files.
    pub(super) fn gather(&mut self) {
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
        self.open_macros = open_macros(&self.files, &self.included_by);
        // What a file declares under such a macro gets the name that the macro makes.
        for (name, under) in &self.open_macros {
            for (index, file) in self.files.iter_mut().enumerate() {
                if under.get(&index).is_some_and(|one| one.always) {
                    let is_macro = |what| {
                        use DeclaredAs::{Alias, Macro, VendorAlias};
                        matches!(what, Macro | Alias | VendorAlias)
                    };
                    file.facts
                        .declared
                        .retain(|one| one.name != *name || is_macro(one.what));
                }
            }
        }
        for file in &self.files {
            self.taints.add(&file.facts.taints, &file.facts.numbers);
        }
        for file in &self.files {
            self.taints.shut(&file.facts.switches);
        }
        for file in &mut self.files {
            self.lookalikes
                .extend(std::mem::take(&mut file.facts.lookalikes));
        }
        for file in &self.files {
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
}
