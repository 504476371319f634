//! How a line, a row and a message with its source are printed.

pub(super) mod concise;
pub(super) mod fitted;
pub(super) mod full;
pub(super) mod plain;
pub(super) mod row;
pub(super) mod style;
