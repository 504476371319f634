//! What single commands print of their own work.

pub(super) mod alias;
pub mod doctor;
pub mod explain;
pub(super) mod learned;
pub(super) mod log;
pub mod map;
pub(super) mod packages;
pub(super) mod settings;
pub(super) mod step;
pub(super) mod timings;
pub(super) mod watch;
