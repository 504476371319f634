//! `torchada generate`: what is made from the definitions of the command line.

use std::path::Path;

use anyhow::{Context, Result};
use clap::CommandFactory;

use super::Streams;
use crate::cli::{Cli, Exit, GenerateArgs, Generated};
use crate::config::display_path;
use crate::emit;

/// The section of the manual for programs that a user starts.
const SECTION: &str = "1";

/// Run the command.
///
/// # Errors
/// When something can't be written.
pub fn run(args: &GenerateArgs, streams: &mut Streams<'_>) -> Result<Exit> {
    match &args.what {
        Generated::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(*shell, &mut Cli::command(), "torchada", &mut script);
            streams.out.write_all(&script)?;
        }
        Generated::Man { folder } => manual(folder, streams)?,
    }
    Ok(Exit::Done)
}

fn manual(folder: &Path, streams: &mut Streams<'_>) -> Result<()> {
    let cannot = || format!("can't make the folder {}", display_path(folder));
    std::fs::create_dir_all(folder).with_context(cannot)?;
    let mut root = Cli::command().disable_help_subcommand(true);
    root.build();
    let commands = root.get_subcommands().map(|one| {
        let name = format!("torchada-{}", one.get_name());
        one.clone().display_name(name)
    });
    let mut pages: Vec<clap::Command> = commands.collect();
    pages.insert(0, root);
    for page in pages {
        let page = clap_mangen::Man::new(page).section(SECTION);
        let path = folder.join(page.get_filename());
        let mut text = Vec::new();
        page.render(&mut text)?;
        emit::file(&path, &text, true, None)?;
        writeln!(streams.err, "{}", display_path(&path))?;
    }
    Ok(())
}
