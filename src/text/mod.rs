//! Text as bytes: ranges, lines and columns. Knows nothing of any language.

mod fragment;
mod line_index;
mod range;

pub use fragment::Fragment;
pub use line_index::{LineIndex, Position};
pub use range::TextRange;
