//! Text as bytes: ranges, lines and columns. Knows nothing of any language.

mod cover;
mod covered_bytes;
mod dotted;
mod fragment;
mod line_index;
mod moved;
mod range;
mod spans;
mod stretches;
mod word_index;
mod wording;
mod words;

pub use cover::Cover;
pub use covered_bytes::CoveredBytes;
pub use dotted::{first_part, is_within, last_part};
pub use fragment::Fragment;
pub use line_index::{LineIndex, Position, line_of, line_start};
pub use moved::Moved;
pub use range::{TextRange, contains};
pub use spans::Spans;
pub use stretches::{Stretch, stretches};
pub use word_index::WordIndex;
pub use wording::{and_more, counted, first_of, front, shortened, without_middle, wrapped};
pub use words::{is_part_of_word, words};
