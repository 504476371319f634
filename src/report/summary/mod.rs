//! The summaries that end a check and a port, row by row.

pub(super) mod check;
pub(super) mod counts;
pub(super) mod effort;
pub(super) mod findings;
mod kept;
pub(super) mod next;
pub(super) mod not_built;
pub(super) mod optional;
pub(super) mod outside_packages;
pub(super) mod port;
pub(super) mod single_file;
pub(super) mod start;
