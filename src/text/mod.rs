//! Text as bytes: ranges, lines and columns. Knows nothing of any language.

mod fragment;
mod grams;
mod line_index;
mod places;
mod range;
mod spans;

pub use fragment::Fragment;
pub use grams::Grams;
pub use line_index::{LineIndex, Position};
pub use places::Places;
pub use range::TextRange;
pub use spans::Spans;
