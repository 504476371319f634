//! `torchada generate`: completions, manual pages and the configuration's schema, from the definitions of the command line.

use crate::text::contains;
use std::path::Path;

use anyhow::{Context as _, Result};

use super::Streams;
use crate::cli::{Exit, GenerateArgs, Generated, completions, manual, schema};
use crate::config::{ConfigError, display_path};
use crate::mapping::safety;
use crate::{emit, files};

/// What each page of the manual has: its title.
const PAGE: &[u8] = b".TH torchada";

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
            let pages = manual()?;
            for (name, _) in &pages {
                refuse_foreign(&folder.join(name))?;
            }
            for (name, text) in pages {
                let path = folder.join(name);
                emit::file(&path, &text, true, None)?;
                writeln!(streams.err, "{}", display_path(&path))?;
            }
        }
    }
    Ok(Exit::Done)
}

/// Make sure that a page takes the place of nothing but one of this command's.
fn refuse_foreign(path: &Path) -> Result<(), ConfigError> {
    if path.symlink_metadata().is_err() {
        return Ok(());
    }
    let text = files::read_named(path, safety::BYTES_REPORT);
    if text.is_ok_and(|text| contains(&text, PAGE)) {
        return Ok(());
    }
    Err(ConfigError::usage(
        format!(
            "{} is there, and no page of this command's",
            display_path(path)
        ),
        "name another DIR, or remove the file",
    ))
}
