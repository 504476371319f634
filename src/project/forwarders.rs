//! The macros and functions of a tree that hand a parameter to a call which takes a CUDA name.

use std::collections::BTreeMap;

use super::facts::Forwarder;
use super::scan::{Parsed, forwarders_through};
use super::{Context, FileText, Project};
use torchada_mapping::knowledge::ArgumentKind;
use torchada_text::contains;

/// How many functions of other files are looked for in one header.
const MOST: usize = 64;

impl Project {
    /// Note those of all files, and those that hand a name of a library or a symbol on to one that another file defines: of
    /// the headers that the other file includes.
    pub(super) fn note_forwarders(&mut self, context: Context<'_>) {
        let own = self.files.iter().flat_map(|file| &file.facts.forwarders);
        let own: Vec<Forwarder> = own.cloned().collect();
        let consumers = &context.knowledge.consumers;
        let is_loaders = |one: &Forwarder| {
            let kind = consumers.get(one.consumer).map(|one| one.kind);
            let loads = [ArgumentKind::Symbol, ArgumentKind::LibraryFile];
            kind.is_some_and(|kind| loads.contains(&kind))
        };
        let mut by_header: BTreeMap<usize, Vec<Forwarder>> = BTreeMap::new();
        for file in &self.files {
            let known = file.facts.forwarders.iter().filter(|one| is_loaders(one));
            for one in known.take(MOST) {
                for &header in file.resolved.iter().flatten() {
                    let known = by_header.entry(header).or_default();
                    if known.len() < MOST && !known.contains(one) {
                        known.push(one.clone());
                    }
                }
            }
        }
        let through = by_header.into_iter().flat_map(|(header, known)| {
            let text = self.files.get(header).and_then(|one| one.text.as_ref());
            let text = text.map(FileText::once).unwrap_or_default();
            if !known.iter().any(|one| contains(&text, &one.name)) {
                return Vec::new();
            }
            let parsed = Parsed::new(&text, false, context.knowledge);
            forwarders_through(&text, &parsed, consumers, known)
        });
        let through: Vec<Forwarder> = through.collect();
        for one in own.into_iter().chain(through) {
            let known = self.forwarders.entry(one.name.clone()).or_default();
            if !known.contains(&one) {
                known.push(one);
            }
        }
    }
}
