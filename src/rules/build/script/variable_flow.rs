//! What flows from variable to variable of makefiles.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use torchada_syntax::script::{Statement, StatementKind, Word};

/// The variables whose values have a thing, such as the name of a library, by themselves or through other variables. `holds`
/// says whether a word of a value has the thing, and `used` gives the variables that a word refers to. `known` are variables
/// that have the thing by statements elsewhere.
pub(super) fn holding<'t, I: IntoIterator<Item = &'t [u8]>>(
    all: &[(&'t [u8], &'t Statement)],
    known: impl Iterator<Item = &'t [u8]>,
    holds: impl Fn(&'t [u8], &Word) -> bool,
    used: impl Fn(&'t [u8], &'t Word) -> I,
) -> BTreeSet<Vec<u8>> {
    let mut found: BTreeSet<Vec<u8>> = BTreeSet::new();
    let mut users: FxHashMap<&[u8], Vec<&[u8]>> = FxHashMap::default();
    let mut waiting: Vec<&[u8]> = known.collect();
    for &(text, one) in all {
        if one.kind != StatementKind::Assignment {
            continue;
        }
        let name = one.head.of(text);
        for word in &one.words {
            if holds(text, word) {
                waiting.push(name);
            }
            for variable in used(text, word) {
                users.entry(variable).or_default().push(name);
            }
        }
    }
    while let Some(name) = waiting.pop() {
        if found.insert(name.to_vec()) {
            waiting.extend(users.get(name).into_iter().flatten());
        }
    }
    found
}
