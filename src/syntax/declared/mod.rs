//! What a header declares: functions with the types of their parameters, types, enumerators and macros with their
//! values. It is found by tokens alone, because real headers are full of macros that no grammar knows.

mod conditions;
mod enumerators;
mod model;
mod statement;
mod types;
mod walk;

use rustc_hash::FxHashMap;

use super::{Macro, Outline, Tokens};
pub use model::{Declaration, DeclarationKind, Function, HeaderDeclarations, MacroBody};
pub use types::{Base, Type};

/// What a header declares. `known` returns the known state of a macro: a branch that is surely not compiled is not
/// read.
pub fn declared(
    source: &[u8],
    tokens: &Tokens,
    known: &dyn Fn(&[u8]) -> Macro,
) -> HeaderDeclarations {
    let outline = Outline::new(source, tokens);
    let mut walk = walk::Walk {
        source,
        tokens,
        outline: &outline,
        known,
        at: 0,
        directive: 0,
        certain: Vec::new(),
        statement: Vec::new(),
        contexts: Vec::new(),
        path: Vec::new(),
        values: FxHashMap::default(),
        found: HeaderDeclarations::default(),
    };
    walk.run();
    walk.found
}

#[cfg(test)]
mod tests;
