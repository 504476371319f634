//! `torchada generate`: completions, manual pages and the configuration's schema, from the definitions of the command line.

use anyhow::{Context as _, Result};

use super::Streams;
use crate::cli::{Exit, GenerateArgs, Generated, completions, manual, schema};
use crate::config::display_path;
use crate::emit;

/// Run the command.
///
/// # Errors
/// When something can't be written.
pub fn run(args: &GenerateArgs, streams: &mut Streams<'_>) -> Result<Exit> {
    match &args.what {
        Generated::Completions { shell } => streams.out.write_all(&completions(*shell))?,
        Generated::Schema => streams.out.write_all(&schema())?,
        Generated::Man { folder } => {
            let cannot = || format!("can't make the folder {}", display_path(folder));
            std::fs::create_dir_all(folder).with_context(cannot)?;
            for (name, text) in manual()? {
                let path = folder.join(name);
                emit::file(&path, &text, true, None)?;
                writeln!(streams.err, "{}", display_path(&path))?;
            }
        }
    }
    Ok(Exit::Done)
}
