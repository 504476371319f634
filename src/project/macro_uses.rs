//! Which uses of macros take what stands in a file.

use rustc_hash::FxHashMap;

use super::{Invocation, Project};
use crate::text::TextRange;

/// The uses of macros in one file.
#[derive(Default, Debug)]
pub(super) struct MacroUses {
    /// The macro's name and the place in its list, for each.
    pub all: Vec<(Vec<u8>, usize)>,
    /// For each argument the places in this list, and which argument it is.
    pub by_argument: FxHashMap<TextRange, Vec<(usize, usize)>>,
}

impl Project {
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
