//! The files of a tree: their paths, their texts and the words in them.

mod file_set;
pub mod file_text;
pub mod finder;
pub mod path_index;
pub mod paths;
pub mod patterns;
pub mod scanned_tree;
pub mod source;
mod trigrams;
mod vocabulary;
pub mod words;
