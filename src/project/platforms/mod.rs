//! Code and files for one platform: CUDA's, another vendor's, or one without a GPU.

pub mod condition;
pub mod foreign;
pub mod other_platforms;
pub mod regions;
pub mod vendor_builds;
