//! The header with the functions that translated assembly calls: written where a file of the port includes it.

use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::commands::analysis::TranslatedTree;
use crate::config::{ConfigError, Settings, display_path};
use crate::emit::{Content, OutputFile, Plan};
use crate::mapping::ptx::Ptx;
use crate::ptx::{self, Needs};

/// Adds the header to the planned files, if the port is of a whole tree and needs it.
///
/// # Errors
/// Where a file of the tree has its name.
pub(super) fn add(settings: &Settings, done: &TranslatedTree, plan: &mut Plan) -> Result<()> {
    let files = done.translated.iter().filter(|file| file.is_changed());
    let mut needs = Needs::default();
    for file in files {
        needs.extend(&file.ptx.needs);
    }
    if needs.is_empty() || !settings.mode.is_whole() {
        return Ok(());
    }
    let table = Ptx::builtin();
    let path = PathBuf::from(ptx::FILE);
    let source = done.walk.get(&path).map(|entry| entry.path.clone());
    if source.is_some() {
        let mut files = done.project.files.iter();
        let known = files.find(|file| Path::new(&*file.path) == path);
        let text = known.and_then(|file| file.text.as_deref());
        // Files of a tree that was ported before call what its header holds.
        let there = ptx::needs_of(table, text.unwrap_or_default())
            .ok_or_else(|| taken(&done.walk.root.join(&path)))?;
        needs.extend(&there);
    }
    let content = Content::Text(ptx::header(table, &needs).into_bytes());
    match plan.files.iter_mut().find(|file| file.path == path) {
        Some(file) => file.content = content,
        None => plan.files.push(OutputFile {
            source,
            path,
            content,
        }),
    }
    Ok(())
}

fn taken(path: &Path) -> anyhow::Error {
    let name = display_path(path);
    ConfigError::usage(
        format!("{name} has the name of the header for translated assembly"),
        "rename it, or leave assembly as it is with --ptx=keep (`ptx = \"keep\"` in torchada.toml)",
    )
    .into()
}
