//! The names that the counterpart of a row may have, and what would have it.

use crate::mapping::learn::LearnTable;
use crate::mapping::names::stems::by_rule;
use crate::mapping::{Relation, Row, Tables, contains_one};

/// The names that a row's counterpart may have.
pub(super) fn candidates(tables: &Tables, row: &Row) -> Vec<String> {
    match (row.relation, &row.to) {
        (_, Some(to)) => vec![to.to_string()],
        // PyTorch has its names for CUDA wherever it runs.
        (_, None) if is_torchs(&row.library) => {
            let made = by_rule(tables.stems(), &row.cuda);
            Vec::from_iter((made != row.cuda).then_some(made))
        }
        (Relation::Same, None) => vec![row.cuda.to_string()],
        (_, None) => {
            let made = by_rule(tables.stems(), &row.cuda);
            let own = row.cuda.to_string();
            match made == own {
                // A common word is nobody's.
                true if row.std => Vec::new(),
                true => vec![own],
                false if row.std => vec![made],
                false => vec![made, own],
            }
        }
    }
}

/// Whether a table is one of names that torch and `torch_musa` have.
pub(super) fn is_torchs(library: &str) -> bool {
    let mut tables = LearnTable::builtin().rows.python.iter();
    tables.any(|id| id == library)
}

/// What a message calls the program or the kit that a row's counterpart would come from.
pub(super) fn owner(row: &Row) -> &'static str {
    if is_torchs(&row.library) {
        "torch_musa"
    } else {
        "the SDK"
    }
}

/// Whether a counterpart that no header has is surely missing: what `PyTorch` itself has may be made by its macros.
pub(super) fn is_of_musa(row: &Row, name: &str) -> bool {
    !is_torchs(&row.library) || contains_one(name, &LearnTable::builtin().packages.own_words)
}
