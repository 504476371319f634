//! Backends of `torch.distributed`.

pub mod arms;
pub mod compared;
pub mod strings;
