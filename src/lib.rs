//! `torchada`: a source-to-source translator from CUDA to Moore Threads MUSA.
//!
//! The modules are listed in the order in which data passes through them; `docs/architecture.md`
//! says what each room is for and which rooms it may enter.

pub mod cli;

pub mod files;

pub mod git;

pub mod config;

pub mod parallel;
pub mod progress;

pub mod walk;

pub mod classify;

pub use torchada_text as text;

pub mod diagnostic;

pub use torchada_syntax as syntax;

pub mod mapping;

pub mod machine;

pub mod doctor;

pub mod hazards;

pub mod project;
pub mod ptx;

pub mod rules;

pub mod edit;

pub mod verify;

pub mod emit;

pub mod learn;

pub mod shim;

pub mod alias;
pub mod buildlog;

pub mod stub;

pub mod report;

pub mod commands;
