//! The uses of macros that make names, members or strings of their arguments, in all files of a tree.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use aho_corasick::AhoCorasick;
use rustc_hash::FxHashSet;

use super::facts::{Invocation, Joiner, ListMacro, PastedPiece, Paster};
use super::{Project, scan};
use torchada_parallel as parallel;
use torchada_text::{is_part_of_word, words};

/// The most names of macros for which an automaton is made that searches texts for them.
const FEW_NAMES: usize = 1024;

impl Project {
    /// Note which uses of macros take what stands in a file.
    pub(super) fn note_uses_of_macros(&mut self) {
        self.note_joined_names();
        let by_name = self.uses_of_macros();
        let uses_in = Arc::make_mut(&mut self.uses_in);
        for uses in by_name.values() {
            for (at, one) in uses.iter().enumerate() {
                let uses = uses_in.entry(one.file).or_default();
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
        self.invocations = Arc::new(by_name);
    }

    /// Make pasters of the macros that hand the pieces of a name to one that pastes all its parameters, and nothing else.
    fn note_joined_names(&mut self) {
        if self.files.iter().all(|file| file.facts.joiners.is_empty()) {
            return;
        }
        // The order in which a macro joins its parameters; none where it does more, or is defined in several ways.
        let mut orders: BTreeMap<Vec<u8>, Option<Vec<usize>>> = BTreeMap::new();
        for paster in self.files.iter().flat_map(|file| &file.facts.pasters) {
            note_order(&mut orders, paster);
        }
        let mut by_callee: BTreeMap<&[u8], Vec<(usize, &Joiner)>> = BTreeMap::new();
        for (at, file) in self.files.iter().enumerate() {
            for one in &file.facts.joiners {
                by_callee.entry(&one.callee).or_default().push((at, one));
            }
        }
        let mut joined: Vec<(usize, Paster)> = Vec::new();
        // One that hands its own parameters on joins them for those that call it.
        let mut waiting: VecDeque<Vec<u8>> = orders.keys().cloned().collect();
        while let Some(callee) = waiting.pop_front() {
            for (file, one) in by_callee.remove(callee.as_slice()).unwrap_or_default() {
                if let Some(paster) = joins(one, &orders) {
                    if !orders.contains_key(&paster.name) {
                        waiting.push_back(paster.name.clone());
                    }
                    note_order(&mut orders, &paster);
                    joined.push((file, paster));
                }
            }
        }
        let files: BTreeSet<usize> = joined.iter().map(|&(file, _)| file).collect();
        for (file, paster) in joined {
            if let Some(file) = self.files.get_mut(file) {
                Arc::make_mut(&mut file.facts).pasters.push(paster);
            }
        }
        for file in files {
            if let Some(file) = self.files.get_mut(file) {
                let pasters = &mut Arc::make_mut(&mut file.facts).pasters;
                pasters.sort_by(|one, other| one.name.cmp(&other.name));
            }
        }
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
        let all: FxHashSet<&[u8]> = makers.iter().chain(lists.keys()).copied().collect();
        let wanted = |name: &[u8]| all.contains(name);
        // The words of a text are sooner found than its tokens; of what else a name may hold the tokens alone know.
        let are_plain = all.iter().all(|name| name.iter().copied().all(is_plain));
        let has_word = |text: &[u8]| words(text).any(|word| all.contains(word));
        // An automaton is sooner through a text, but it is long in the making where there are many names.
        let few = (all.len() <= FEW_NAMES).then(|| AhoCorasick::new(&all).ok());
        let few = few.flatten();
        let has_one = |text: &[u8]| {
            let may_have = few.as_ref().is_none_or(|search| search.is_match(text));
            may_have && has_word(text)
        };
        let files = self.files.iter().enumerate();
        let files = files.filter(|(_, file)| file.class.kind.is_cpp());
        let files = files.filter_map(|(index, file)| Some((index, file, file.text.as_ref()?)));
        let found: Vec<Invocation> = parallel::flat_map(files, |(index, file, text)| {
            let text = text.once();
            if are_plain && !has_one(&text) {
                return Vec::new();
            }
            scan::invocations(&text, file.class, index, &wanted)
        });
        let through_lists: Vec<Invocation> = found
            .iter()
            .flat_map(|one| {
                let lists = lists.get(one.name.as_slice()).into_iter().flatten();
                lists.flat_map(|&(file, list)| through_list(one, file, list, &makers))
            })
            .collect();
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

/// The uses of macros that make names, by a use of a macro that hands names to them in a list.
fn through_list<'l>(
    of_list: &'l Invocation,
    file: usize,
    list: &'l ListMacro,
    makers: &'l FxHashSet<&[u8]>,
) -> impl Iterator<Item = Invocation> + 'l {
    list.calls.iter().filter_map(move |call| {
        let (_, name) = of_list.arguments.get(call.parameter)?;
        makers.contains(name.as_slice()).then(|| Invocation {
            name: name.clone(),
            arguments: call.arguments.clone(),
            file,
            used_in: of_list.file,
        })
    })
}

/// Note in which order a macro joins its parameters.
fn note_order(orders: &mut BTreeMap<Vec<u8>, Option<Vec<usize>>>, paster: &Paster) {
    let order: Option<Vec<usize>> = match paster.names.as_slice() {
        [name] => name.iter().map(|piece| piece.parameter).collect(),
        _ => None,
    };
    orders
        .entry(paster.name.clone())
        .and_modify(|known| *known = known.take().filter(|one| order.as_ref() == Some(one)))
        .or_insert_with(|| order.clone());
}

/// The macro as one that pastes, by the order in which the macro that it calls joins its parameters.
fn joins(joiner: &Joiner, orders: &BTreeMap<Vec<u8>, Option<Vec<usize>>>) -> Option<Paster> {
    let order = orders.get(&joiner.callee)?.as_ref()?;
    let words = joiner.macro_itself.names.first()?;
    // One that joins a parameter again and again would make long names of each call.
    if order.len() > words.len() {
        return None;
    }
    let pieces = order.iter().map(|&at| words.get(at).cloned());
    let pieces: Option<Vec<PastedPiece>> = pieces.collect();
    Some(Paster {
        names: vec![pieces?],
        ..joiner.macro_itself.clone()
    })
}

/// Whether a byte is of a word, and one of ASCII.
fn is_plain(byte: u8) -> bool {
    byte.is_ascii() && is_part_of_word(byte)
}
