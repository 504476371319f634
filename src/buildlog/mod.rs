//! Reads what a build printed: messages of compilers, linkers, build systems and Python, with the places that they name.
//!
//! Architecture invariant: a log is read line by line in bounded memory, whatever it holds; what the words mean is the
//! knowledge of `mappings/build_log.toml`.

mod blocks;
mod lines;
mod message;
mod new_message;
mod pattern;
mod patterns;
mod reader;
mod slots;

pub use message::{LogPlace, Message};
pub use reader::{BuildLog, LogReader};
