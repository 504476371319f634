//! CUDA's toolkit: its programs, its folders and the texts that name it to other tools.

mod answers;
pub mod commands;
pub mod places;
pub mod tool_strings;
