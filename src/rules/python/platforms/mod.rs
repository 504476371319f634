//! How a project tells platforms apart: the names that it asks, its objects of platforms and its tables by platform.

pub mod conditions;
pub mod musa_arms;
pub mod names;
pub mod object;
pub mod tables;
