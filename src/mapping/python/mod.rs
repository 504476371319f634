//! What is known of Python's packages, values, strings and GPUs.

/// The name of the file that a package starts with.
pub const INIT: &str = "__init__.py";

pub mod embedded;
pub mod entry_words;
pub mod gpus;
pub mod packages;
pub(super) mod strings;
pub mod torch_pins;
pub mod triton;
pub(super) mod values;
