//! `PyTorch`'s names: modules, attributes, members, keywords, operators, and what tests put in their place.

pub mod attribute_access;
pub mod attributes;
pub mod dispatch;
pub mod imports;
pub mod keywords;
pub mod libraries;
pub mod members;
pub mod messages;
pub mod names;
mod operator_keywords;
pub mod operators;
pub mod owner;
pub mod patched;
pub mod profiler;
pub mod stand_ins;
mod used_members;
