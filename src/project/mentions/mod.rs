//! Names of source files in the files that build, generate, pack or describe, and which files such a name means.

pub mod makefile_parts;
pub mod manifest;
pub mod meaning;
pub mod mentioning;
pub mod names;
pub mod quoted_lines;
pub mod read;
pub mod strings;
