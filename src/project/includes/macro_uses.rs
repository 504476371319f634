//! The uses of macros in a file, and what they take.

use rustc_hash::FxHashMap;

use torchada_text::TextRange;

/// The uses of macros in one file.
#[derive(Clone, Default, Debug)]
pub(crate) struct MacroUses {
    /// The macro's name and the place in its list, for each.
    pub all: Vec<(Vec<u8>, usize)>,
    /// For each argument the places in this list, and which argument it is.
    pub by_argument: FxHashMap<TextRange, Vec<(usize, usize)>>,
}
