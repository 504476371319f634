//! Names of source files in the files that build, generate, pack or describe, and which files such a name means.

pub mod bare_endings;
pub mod deep_globs;
pub mod embedded_symbols;
pub mod file_mentions;
pub mod find;
pub mod in_build_files;
mod in_expressions;
mod in_line;
pub mod in_notebooks;
pub mod in_strings;
pub mod in_templates;
mod line_words;
pub mod makefile_parts;
pub mod manifest;
pub mod meaning;
pub mod quoted_lines;
mod script_folders;
