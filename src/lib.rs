//! `torchada`: a source-to-source translator from CUDA to Moore Threads MUSA.
//!
//! The modules are listed in the order in which data passes through them; `docs/architecture.md`
//! says what each room is for and which rooms it may enter.

pub mod cli;

pub mod files;

pub mod git;

pub mod config;

pub use torchada_parallel as parallel;
pub mod progress;

pub mod walk;

pub use torchada_classify as classify;

pub use torchada_text as text;

pub use torchada_diagnostic as diagnostic;

pub use torchada_syntax as syntax;

pub use torchada_mapping as mapping;

pub mod machine;

pub mod doctor;

pub use torchada_hazards as hazards;

pub use torchada_project as project;
pub use torchada_ptx as ptx;

pub use torchada_rules as rules;

pub use torchada_edit as edit;

pub mod verify;

pub mod emit;

pub mod learn;

pub mod shim;

pub mod alias;
pub mod buildlog;

pub mod stub;

pub mod report;

pub mod commands;
