//! The command line.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::Result;
use clap::Parser;
use torchada::cli::choice;
use torchada::mapping::Evidence;

use crate::check::{Files, How, Options, Pair, Part, Tools, default_cache};

/// Hold a port against its original with real CUDA headers.
#[derive(Debug, Parser)]
pub struct Args {
    /// The tree that was ported
    original: PathBuf,
    /// The port
    port: PathBuf,
    /// A JSON list of {"file": …, "flags": […]} [default: the CUDA sources of the tree]
    #[arg(long, value_name = "LIST.json", conflicts_with = "database")]
    files: Option<PathBuf>,
    /// A compile database of the original
    #[arg(long, value_name = "compile_commands.json")]
    database: Option<PathBuf>,
    /// A flag for every file, such as --flag=-Iinclude; may be given several times
    #[arg(long, allow_hyphen_values = true)]
    flag: Vec<String>,
    /// What looks at the files
    #[arg(long, value_enum, default_value_t)]
    how: How,
    /// Architectures to look at, such as 800:220; may be given several times
    #[arg(long, value_name = "CUDA:MUSA")]
    arch: Vec<Pair>,
    /// Further headers: torch, cublas, …; separated by commas
    #[arg(long, value_name = "PART", value_delimiter = ',')]
    with: Vec<Part>,
    /// The weakest evidence on which a name may stand for CUDA's
    #[arg(long, value_parser = choice::<Evidence>(), default_value = "contested")]
    min_evidence: Evidence,
    /// A table of your own that the port was made with; may be given several times
    #[arg(long, value_name = "FILE")]
    mapping: Vec<PathBuf>,
    /// Where downloads are kept [default: below cargo's target folder]
    #[arg(long, value_name = "DIR")]
    cache: Option<PathBuf>,
    /// The compiler for `--how clang`
    #[arg(long, default_value = "clang++")]
    clang: PathBuf,
    /// How many seconds one compilation may take
    #[arg(long, default_value_t = 300)]
    timeout: u64,
    /// Also write everything to this file
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Show explained differences, too
    #[arg(long)]
    pub all: bool,
}

impl Args {
    /// The tools that they ask for.
    ///
    /// # Errors
    /// A tool that is missing, or a part of the sysroot that can't be had.
    pub fn tools(&self) -> Result<Tools> {
        let cache = self.cache.clone().unwrap_or_else(default_cache);
        let mut parts = self.with.clone();
        parts.extend(self.how.parts());
        let mut tools = Tools::new(&cache, &parts, self.min_evidence, &self.mapping)?;
        tools.clang.clone_from(&self.clang);
        tools.timeout = Duration::from_secs(self.timeout);
        Ok(tools)
    }

    /// What they ask for.
    pub fn options(&self) -> Options {
        let mut options = Options::new(&self.original, &self.port);
        if let Some(list) = &self.files {
            options.files = Files::List(list.clone());
        } else if let Some(database) = &self.database {
            options.files = Files::Database(database.clone());
        }
        if !self.arch.is_empty() {
            options.pairs.clone_from(&self.arch);
        }
        options.flags.clone_from(&self.flag);
        options.how = self.how;
        options
    }
}
