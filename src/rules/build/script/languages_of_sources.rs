//! Variables of makefiles whose options say the language of sources: `NVCC_FLAGS = -O3 -x cu`.

use std::collections::BTreeSet;

use torchada_mapping::has;
use torchada_syntax::script::{Statement, StatementKind, Word};
use torchada_text::TextRange;

/// The variables that hold one of some options, by themselves or through others.
pub(super) fn naming_language(
    all: &[(&[u8], &Statement)],
    options: &[String],
) -> BTreeSet<Vec<u8>> {
    let mut found: BTreeSet<Vec<u8>> = BTreeSet::new();
    let mut before = None;
    while before != Some(found.len()) {
        before = Some(found.len());
        for &(text, one) in all {
            if one.kind != StatementKind::Assignment {
                continue;
            }
            let is_option = |range: TextRange| has(options, range.of(text));
            let holds = |word: &Word| match word.variable() {
                Some(name) => found.contains(name.of(text)),
                None => word.plain().is_some_and(is_option),
            };
            if one.words.iter().any(holds) {
                found.insert(one.head.of(text).to_vec());
            }
        }
    }
    found
}
