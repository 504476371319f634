//! Variables of makefiles whose options say the language of sources: `NVCC_FLAGS = -O3 -x cu`.

use std::collections::BTreeSet;

use super::variable_flow::holding;
use torchada_mapping::has;
use torchada_syntax::script::{Statement, Word};

/// The variables that hold one of some options, by themselves or through others.
pub(super) fn naming_language(
    all: &[(&[u8], &Statement)],
    options: &[String],
) -> BTreeSet<Vec<u8>> {
    let is_option = |text: &[u8], word: &Word| {
        let option = word.plain();
        option.is_some_and(|range| has(options, range.of(text)))
    };
    let used = |text, word: &Word| word.variable().map(|name| name.of(text));
    holding(all, std::iter::empty(), is_option, used)
}
