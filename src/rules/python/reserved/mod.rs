//! Code that stays CUDA's because of its surroundings, whatever the rules say.

pub mod alternatives;
pub mod alternatives_beside;
pub mod code;
pub mod cuda_branches;
pub mod cuda_conditions;
pub mod find;
pub mod musa_branches;
pub mod musa_counterparts;
pub mod musa_twins;
pub mod other_vendors;
pub mod platform_records;
mod script_functions;
pub mod scripted;
pub mod vendor_files;
