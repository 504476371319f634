//! The machine that the program runs on: its variables, the MUSA SDK, and the programs that are asked what they are.
//!
//! Architecture invariant: what the environment says reaches every other room through [`Environment`], which `main`
//! fills; so a test makes a machine of its own. A program is started here alone (git has a room of its own), with a
//! list of arguments and no shell, and ends within a time.

mod environment;
mod listing;
pub mod program;
pub mod python;
pub mod sdk;
pub mod watched;

pub use environment::{ARCHITECTURE, Environment};
