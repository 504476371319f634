//! The tests of the whole program, in one binary: linking takes longer than most of them.
//!
//! `cargo test --test suite NAME::` runs those of `tests/NAME.rs`.

mod common;
#[path = "../examples/compile-check/check/mod.rs"]
mod compile_check;
#[path = "../examples/shared/planted_sdk.rs"]
mod planted_sdk;
#[path = "../examples/shared/process.rs"]
mod process;
#[path = "../examples/sass-check/check/mod.rs"]
mod sass_check;
#[path = "../examples/shared/sysroot/mod.rs"]
mod sysroot;

mod alias_header;
mod baseline;
mod build_files;
mod cache;
mod check;
mod circles;
mod cli;
mod cmake;
mod colours;
mod compile;
mod configuration;
mod contributing;
mod diff;
mod distribution;
mod doctor;
mod documents;
mod edits;
mod emit;
mod escaping;
mod explain_log;
mod extensions;
mod facts;
mod faults;
mod flags;
mod formats;
mod hostile;
mod hosts;
mod inline_ptx;
mod invariants;
mod layers;
mod learn;
mod licences;
mod operators;
mod order;
mod own_files;
mod page;
mod planted;
mod port;
mod progress;
mod readme;
mod releases;
mod rules;
mod run;
mod runtime;
mod sarif;
mod sass;
mod server;
mod shim;
mod since;
mod site;
mod soups;
mod step;
mod stub;
mod summary;
mod tables;
mod unport;
mod unreadable;
mod walk;
mod watch;
