//! What is known of Python's packages, values, strings and GPUs.

/// The name of the file that a package starts with.
pub const INIT: &str = "__init__.py";

/// Whether a package starts with the file at a path.
pub fn is_package_start(path: &str) -> bool {
    path.rsplit('/').next() == Some(INIT)
}

pub mod embedded;
pub mod entry_words;
pub mod gpus;
pub mod packages;
pub(super) mod strings;
pub mod torch_pins;
pub mod triton;
pub(super) mod values;
