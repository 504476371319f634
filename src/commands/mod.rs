//! One module per command: the only room that knows all the others.

pub mod alias_header;
mod analysis;
mod baseline;
pub mod build;
mod cache;
pub mod check;
pub mod codes;
pub mod config;
pub mod doctor;
mod error;
pub mod explain;
pub mod explain_log;
mod facts;
mod findings;
pub mod generate;
mod ignores;
pub mod learn;
pub mod map;
mod own_file;
pub mod port;
pub mod report;
pub mod run;
mod runtime;
mod same_text;
pub mod server;
pub mod shim;
mod streams;
pub mod unport;

use anyhow::Result;

use crate::cli::{Cli, Command, Exit};

pub use error::advice;
pub use streams::{Streams, columns};

/// Run what the command line asks for.
///
/// # Errors
/// What made the command impossible; nothing is written then.
pub fn run(cli: Cli, streams: &mut Streams<'_>) -> Result<Exit> {
    match cli.command {
        Command::Port(args) => port::run(&args, streams),
        Command::Check(args) => check::run(&args, streams),
        Command::Unport(args) => unport::run(&args, streams),
        Command::Report(args) => report::run(&args, streams),
        Command::Explain(args) => explain::explain(&args, streams),
        Command::Build(args) => build::run(&args, streams),
        Command::ExplainLog(args) => explain_log::run(&args, streams),
        Command::Rules(args) => explain::rules(&args, streams),
        Command::Map(args) => map::run(&args, streams),
        Command::Learn(args) => learn::run(&args, streams),
        Command::Shim(args) => shim::run(&args, streams),
        Command::AliasHeader(args) => alias_header::run(&args, streams),
        Command::Config(args) => config::run(&args, streams),
        Command::Doctor(args) => doctor::run(&args, streams),
        Command::Info(args) => doctor::info(&args, streams),
        Command::Run(args) => run::run(&args, streams),
        Command::Verify(args) => run::package("verify", &args, streams),
        Command::Bench(args) => run::package("bench", &args, streams),
        Command::Server(args) => server::run(&args, streams),
        Command::Generate(args) => generate::run(&args, streams),
    }
}
