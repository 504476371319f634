//! Backends of `torch.distributed`.

pub mod arms;
pub mod backend_string;
pub mod compared;
pub mod strings;
