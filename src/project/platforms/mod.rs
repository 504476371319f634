//! Code and files for one platform: CUDA's, another vendor's, or one without a GPU.

pub mod cmake_condition;
pub mod left_for_vendors;
pub mod regions;
pub mod vendor_builds;
pub mod vendor_folders;
pub mod vendor_of_file;
