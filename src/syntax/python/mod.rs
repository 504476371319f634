//! The structure of Python code: a flat tree, scopes and bindings, string literals, and the code that takes a
//! value. Knows nothing of CUDA's or MUSA's names.
//!
//! One pass over the tree of Ruff's parser, or over the grammar's, copies what matters into an array; all questions are
//! answered from that array, on demand, without going through a parser's tree again.

mod around;
mod bind;
mod by_kind;
mod combined;
mod comments;
mod conditions;
mod consumer;
mod dotted;
mod kind;
mod leaving;
mod lines;
mod logical_line;
mod module;
mod outline;
mod packed;
mod parts;
mod records;
mod resolve;
mod ruff;
mod scope;
mod siblings;
mod string;
mod template;
#[cfg(test)]
mod tests;
mod tree;
mod usage;

use torchada_text::TextRange;

pub use super::token::HOLE;
pub use comments::any_in_code;
pub use conditions::Premise;
pub use consumer::{Consumer, Use, Wrapper};
pub use dotted::{Certainty, Dotted};
pub use kind::{Field, Kind};
pub use logical_line::{is_sound_line, logical_lines};
pub use module::Module;
pub use outline::{
    Branch, ClassHead, FunctionHead, Guard, Imported, ModuleOutline, Parameter,
    catches_failed_import,
};
pub use packed::PackedTree;
pub use records::NodeId;
pub use ruff::{first_fault, is_sound};
pub use scope::{Binding, BoundValue, ScopeId, ScopeKind};
pub use string::Literal;
pub use template::{fill_format, fill_percent};
pub use tree::Tree;

/// Where the two readers of Python make different trees of a text, by its offset in bytes; `None` where
/// they make the same, where the text is left to the grammar anyway, and where the grammar lacks something that Python has:
/// `return a, *(b)`.
pub fn first_difference_of_readers(text: &[u8]) -> Option<usize> {
    ruff::read(text)?;
    let whole = Tree::whole(text).filter(|whole| !whole.has_errors())?;
    Tree::new(text)?.differs(&whole)
}

/// The string literals of Python text that are values: docstrings and other strings that stand
/// alone are left out, and so are those inside of others. `None` where the text can't be parsed.
pub fn values(text: &[u8]) -> Option<Vec<TextRange>> {
    let tree = Tree::new(text)?;
    let mut found = Vec::new();
    let mut end = 0;
    for node in tree.of(Kind::Str) {
        let range = tree.range(node);
        let above = tree.parent(node).map(|up| tree.kind(up));
        if range.start >= end && above != Some(Kind::ExpressionStatement) {
            found.push(range);
        }
        end = end.max(range.end);
    }
    Some(found)
}
