//! The header with the functions that translated assembly calls: written where a file of the port includes it.

use std::path::{Path, PathBuf};

use crate::commands::analysis::TranslatedTree;
use crate::config::Settings;
use crate::emit::{Content, OutputFile, Plan};
use crate::mapping::ptx::Ptx;
use crate::ptx::{self, Needs};

/// Adds the header to the planned files, if the port is of a whole tree and needs it.
pub(super) fn add(settings: &Settings, done: &TranslatedTree, plan: &mut Plan) {
    let files = done.translated.iter().filter(|file| file.is_changed());
    let mut needs = Needs::default();
    for file in files {
        needs.extend(&file.ptx_needs);
    }
    if needs.is_empty() || !settings.mode.is_whole() {
        return;
    }
    let path = PathBuf::from(ptx::FILE);
    let content = Content::Text(ptx::header(Ptx::builtin(), &needs).into_bytes());
    match plan.files.iter_mut().find(|file| file.path == path) {
        Some(file) => file.content = content,
        None => plan.files.push(OutputFile {
            source: done
                .walk
                .get(Path::new(ptx::FILE))
                .map(|entry| entry.path.clone()),
            path,
            content,
        }),
    }
}
