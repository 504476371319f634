//! What an `#include` leads to, and what a file sees through its includes.

pub mod headers;
pub mod macro_uses;
pub mod one_file;
pub mod open_macros;
pub mod resolve;
